"""The verdicts typed by hand beside each model, and how those of a run differ from them.

A file `NAME.expected.yaml` names its model and, for each property, the verdict and perhaps why:

    model: opencode/1.17.2
    verdicts:
      session-deny-inherited: proved
      resume-safe: {expect: violated, because: the resumed session keeps its rules}

>>> Expectation("proved", "m.expected.yaml", 3).place
'm.expected.yaml:3'
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from downset.errors import InputError
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from downset.verdicts import Verdict


@dataclass(frozen=True)
class Expectation:
    """One verdict typed by hand, and where."""

    verdict: str
    file: str
    line: int
    because: str = ""

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"{self.file}:{self.line}"


def models_folder() -> Path:
    """Where the models of the package are: inside it, or beside the source root."""
    package = Path(__file__).parents[1]
    inside = package / "models"
    return inside if inside.is_dir() else package.parents[1] / "models"


def load_expected(folder: Path) -> dict[tuple[str, str], Expectation]:
    """All expectations below a folder, by model and property."""
    return {
        pair: expectation
        for file in sorted(folder.rglob("*.expected.yaml"))
        for pair, expectation in _read(file, file.relative_to(folder.parent).as_posix())
    }


def differences(
    verdicts: Sequence[Verdict], expected: Mapping[tuple[str, str], Expectation]
) -> Iterator[str]:
    """One line for each verdict that is not the expected one.

    >>> from downset.verdicts import Scope, Verdict
    >>> verdict = Verdict("m", "p", Status.PROVED, Scope())
    >>> list(differences([verdict], {}))
    ['error[expected]: `m` `p`: got `proved`, nothing is expected']
    >>> list(differences([verdict], {("m", "p"): Expectation("vacuous", "m.yaml", 3)}))
    ['m.yaml:3: error[expected]: `m` `p`: got `proved`, expected `vacuous`']
    """
    for verdict in verdicts:
        wanted = expected.get((verdict.model, verdict.property))
        pair = f"`{verdict.model}` `{verdict.property}`"
        got = f"error[expected]: {pair}: got `{verdict.status.value}`"
        if wanted is None:
            yield f"{got}, nothing is expected"
        elif wanted.verdict != verdict.status.value:
            yield f"{wanted.place}: {got}, expected `{wanted.verdict}`{_because(wanted)}"


def strays(
    expected: Mapping[tuple[str, str], Expectation],
    models: Collection[str],
    properties: Collection[str],
) -> Iterator[str]:
    """One line for each expectation about a model or a property that does not exist.

    >>> list(strays({("m", "q"): Expectation("proved", "m.yaml", 3)}, ["m"], ["p"]))
    ['m.yaml:3: error[expected]: no property `q`']
    """
    for (model, prop), expectation in expected.items():
        if model not in models:
            yield f"{expectation.place}: error[expected]: no model `{model}`"
        elif prop not in properties:
            yield f"{expectation.place}: error[expected]: no property `{prop}`"


def _read(file: Path, name: str) -> Iterator[tuple[tuple[str, str], Expectation]]:
    whole = _parse(file, name)
    model, verdicts = whole.get("model"), whole.get("verdicts")
    if not isinstance(model, str) or not isinstance(verdicts, dict):
        raise _unusable("needs `model`, a name, and `verdicts`, a mapping", name)
    for prop, value in verdicts.items():
        line: int = verdicts.lc.key(prop)[0] + 1  # type: ignore[attr-defined]
        fields = value if isinstance(value, dict) else {"expect": value}
        verdict = fields.get("expect")
        if verdict not in {status.value for status in Status}:
            raise _unusable(f"`{verdict}` is not a verdict", name, line)
        because = str(fields.get("because", ""))
        yield (model, str(prop)), Expectation(verdict, name, line, because)


def _parse(file: Path, name: str) -> dict[str, Any]:
    try:
        whole = YAML().load(file.read_text(encoding="utf-8"))
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line = None if mark is None else mark.line + 1
        raise _unusable(error.problem or "not YAML", name, line) from error
    if not isinstance(whole, dict):
        raise _unusable("is not a mapping", name)
    return whole


def _because(wanted: Expectation) -> str:
    return f"\n  because: {wanted.because}" if wanted.because else ""


def _unusable(message: str, file: str, line: int | None = None) -> InputError:
    return InputError(message, id="expected-file", file=file, line=line)
