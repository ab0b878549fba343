"""The commands, thin: they parse, ask the engine, hand verdicts to a report, choose an exit code.

>>> from downset.commands.output import FORMATS
>>> FORMATS
('text', 'json', 'markdown')
"""
