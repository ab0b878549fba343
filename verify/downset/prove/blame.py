"""Errors in a design's or a property's own code, reported at the line that caused them."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

from downset.catalogue import last_line
from downset.errors import InputError

if TYPE_CHECKING:
    from types import TracebackType

    from downset.design.design import Design
    from downset.design.property import Property


class Blame:
    """A context in which the code of a design and a property runs.

    An error that comes out of their files becomes an `InputError` with the file and the line; any
    other error passes unchanged.
    """

    def __init__(self, design: Design, prop: Property) -> None:
        """Find the files that may be to blame."""
        sources = [type(design), getattr(prop, "begin", None), prop.claim]
        found = [inspect.getsourcefile(s) for s in sources if s is not None]
        package = Path(__file__).parent.parent / "design"
        self.files = [Path(f) for f in found if f and package not in Path(f).parents]

    def __enter__(self) -> None:
        """Begin to watch."""

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Turn an error of the user's code into one that names its line."""
        if error is None or isinstance(error, InputError) or not isinstance(error, Exception):
            return
        for file in self.files:
            line = getattr(error, "line", None) or last_line(error, file)
            if line is not None:
                raise InputError(
                    f"{type(error).__name__}: {error}",
                    id="model-code",
                    file=file,
                    line=line,
                    help="write designs with the operations of `downset.modelling` only",
                ) from error
