"""Whether an argument of a command names a design, and which.

>>> from pathlib import Path
>>> is_design(Path("opencode/1.18.2")), is_design(Path("./mine.py")), is_design(Path("app"))
(True, True, False)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from downset.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from downset.design.design import Design


def is_design(ref: Path) -> bool:
    """Whether an argument names a design: a file of Python, or an id and nothing that exists."""
    if ref.suffix == ".py":
        return True
    return not ref.exists() and ref.as_posix() in known_ids()


def known_ids() -> list[str]:
    """The ids of the models of the package."""
    return [model.id for model in import_module("downset.catalogue").all_models()]


def both_designs(old: Path, new: Path) -> tuple[Design, Design] | None:
    """Two designs, or `None` if two configurations are meant. Raises `InputError` for one each."""
    kinds = is_design(old), is_design(new)
    if not any(kinds):
        return None
    if not all(kind or not ref.exists() for kind, ref in zip(kinds, (old, new), strict=True)):
        raise InputError(
            "a design and a configuration cannot be compared",
            id="usage",
            help="give two designs, or two configurations",
        )
    load = import_module("downset.catalogue").load_model
    return load(old.as_posix()), load(new.as_posix())
