"""Whose code is executed: that of any file one gives, or only what comes with downset.

A file of models or properties is Python code. Where these come from people one does not know, as
with a pull request from a fork, `--no-models` (or the environment, for every command) refuses them.

>>> with only_our_own():
...     strangers_refused()
True
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_MODELS: Final = "DOWNSET_NO_MODELS"
"""The variable of the environment that refuses code of others, if it is not empty or 0."""


def strangers_refused() -> bool:
    """Whether code of others is not to be executed."""
    return os.environ.get(NO_MODELS, "0") not in {"", "0"}


@contextmanager
def only_our_own() -> Iterator[None]:
    """Refuse code of others, in this process and in those it starts."""
    before = os.environ.get(NO_MODELS)
    os.environ[NO_MODELS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[NO_MODELS]
        else:
            os.environ[NO_MODELS] = before
