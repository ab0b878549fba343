"""Proves that permission only ever goes down an agent call tree, or shows why it does not.

>>> __version__
'0.1.0'
"""

__version__ = "0.1.0"
