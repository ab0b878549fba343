"""What every command is given: the engine to ask, and whether to show tracebacks.

>>> Settings().debug
False
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.commands.engine import Prover

if TYPE_CHECKING:
    from downset.commands.engine import Engine


@dataclass
class Settings:
    """One for each run of the program."""

    engine: Engine = field(default_factory=Prover)
    debug: bool = False
    apart: bool = True
    """Whether to decide in other processes, which may hang or crash without harm."""
