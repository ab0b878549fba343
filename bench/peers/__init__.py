"""The question about a chain of dispatches, for tools that look through a finite world.

Every encoding says the same (`world.py`), in the words of its tool, and as well as the tool allows:
what a child stores is a set of denies, since in this design their order can decide nothing.
"""
