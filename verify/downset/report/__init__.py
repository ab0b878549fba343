"""Verdicts as text, JSON and Markdown. Reports read `downset.verdicts` and nothing else.

>>> from downset.report.words import SYMBOLS
>>> len(SYMBOLS)
6
"""
