"""Finding models and properties: those of the package by id, a user's own by path.

Models and property files are Python code and are executed when they are loaded, which happens in
`execute` and nowhere else. Where the environment says so, none but those of the package are.
"""

from __future__ import annotations

import importlib.util
import inspect
import signal
import sys
import threading
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from downset.design.design import Design
from downset.design.probe import probe
from downset.design.properties import catalogue
from downset.design.property import Property
from downset.design.source import refuse_asides
from downset.design.story import Story
from downset.errors import InputError
from downset.trust import strangers_refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

LOADING_SECONDS = 10
MOST_CAPABLE = "reference/ceiling"
FAMILIES = (
    *("baseline", "opencode", "pawwork", "kilo", "claude_code", "codex", "gemini_cli", "qwen_code"),
    *("deepagents", "agentscope_java", "reference"),
)


def model_root() -> Path:
    """The folder of the models: inside the installed package, else beside the source root."""
    package = Path(__file__).parent
    installed = package / "models"
    return installed if installed.is_dir() else package.parent.parent / "models"


def all_models() -> list[Design]:
    """Every model of the package: by family, then by version.

    >>> [model.id for model in all_models()][:1]
    ['baseline/deny-only']
    """
    files = sorted(model_root().glob("*/*.py"), key=file_order)
    return [model for file in files for model in models_in(file)]


def file_order(file: Path) -> tuple[int, str, list[tuple[int, str]]]:
    """Families in their order, versions by number."""
    family = file.parent.name
    place = FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)
    parts = file.stem.removeprefix("v").split("_")
    return place, family, [(int(p), "") if p.isdigit() else (1_000_000, p) for p in parts]


def load_model(ref: str) -> Design:
    """The model with an id, or the only model of a file.

    Raises `InputError` if there is none, more than one, or the file fails.

    >>> load_model("baseline/independent").id
    'baseline/independent'
    """
    path = Path(ref)
    if path.suffix == ".py" or path.is_file():
        found = models_in(path)
        if len(found) == 1:
            return found[0]
        names = ", ".join(model.id for model in found) or "none"
        raise InputError(
            f"a model file defines one model, this one defines {names}",
            id="model-count",
            file=path,
            help="define one subclass of `Design` with an `id`",
        )
    for file in sorted(model_root().glob("*/*.py"), key=file_order):
        if f'"{ref}"' in file.read_text(encoding="utf-8"):
            for model in models_in(file):
                if model.id == ref:
                    return model
    raise InputError(
        f"unknown model `{ref}`",
        id="unknown-model",
        help="`downset models` lists them; a file is given by its path, ending in `.py`",
    )


def models_in(file: Path) -> list[Design]:
    """The models that a file defines. Raises `InputError` if it cannot be loaded."""
    module = execute(file)
    with blamed_on(file), limited(LOADING_SECONDS, file):
        return [checked(model) for model in made_by(module)]


def checked(model: Design) -> Design:
    """A model after a first look at each of its methods."""
    if type(model).spawn is Design.spawn:
        raise InputError(
            "the design does not say what a spawned session stores: define `spawn`",
            id="no-spawn",
            file=inspect.getsourcefile(type(model)),
            line=inspect.getsourcelines(type(model))[1],
            help="define `spawn`; README.md has a model of twenty lines",
        )
    refuse_asides(model)
    probe(model)
    return model


def made_by(module: ModuleType) -> list[Design]:
    """The models that a module defines itself."""
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Design)
        and value.__module__ == module.__name__
        and value.id
    ]
    return [made() for made in classes]


def load_properties(extra: Sequence[Path] = ()) -> dict[str, Property]:
    """The built-in properties and those that the extra files define, by id."""
    found = catalogue()
    for file in extra:
        made = [v for v in vars(execute(file)).values() if isinstance(v, Property)]
        if not made:
            raise InputError(
                "no property is defined here",
                id="no-property",
                file=file,
                help="decorate a function with `@claims(...)` of `downset.modelling`",
            )
        design = load_model(MOST_CAPABLE)
        with blamed_on(file), limited(LOADING_SECONDS, file):
            for prop in made:
                told_once(prop, design)
        found |= {prop.id: prop for prop in made}
    return found


def told_once(prop: Property, design: Design) -> None:
    """Tell a property's story once, of a design that has everything to tell of."""
    if not prop.needs(design):
        prop.claim(Story(design))


def execute(file: Path) -> ModuleType:
    """Run a model or property file. Raises `InputError`, with the line, if that fails."""
    refuse_strangers(file)
    name = f"downset_file_{abs(hash(str(file.resolve())))}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise InputError(f"cannot read `{file}`", id="no-file", help="give the path of a file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with blamed_on(file), limited(LOADING_SECONDS, file):
        spec.loader.exec_module(module)
    return module


def refuse_strangers(file: Path) -> None:
    """Raise `InputError` for a file of somebody else, where such files are not to be executed."""
    ours = model_root().resolve() in file.resolve().parents
    if not ours and strangers_refused():
        raise InputError(
            "this file is Python code and is not executed, because of `--no-models`",
            id="no-models",
            file=file,
            help="give a model by an id that `downset models` lists",
        )


@contextmanager
def blamed_on(file: Path) -> Iterator[None]:
    """Turn any error in a user's code into an `InputError` at the line that caused it."""
    try:
        yield
    except InputError:
        raise
    except SyntaxError as error:
        raise InputError(
            error.msg,
            id="syntax",
            file=error.filename or file,
            line=error.lineno,
            column=error.offset,
            help="a model file is Python code",
        ) from error
    except SystemExit as error:
        raise InputError(
            "the code ends the program",
            id="model-code",
            file=file,
            line=last_line(error, file),
            help="a model file defines a design and does nothing else",
        ) from error
    except Exception as error:
        line = getattr(error, "line", None) or last_line(error, file)
        raise InputError(
            f"{type(error).__name__}: {error}",
            id="model-code",
            file=file,
            line=line,
            help="write designs with the operations of `downset.modelling` only",
        ) from error


def last_line(error: BaseException, file: Path) -> int | None:
    """The last line of a file that an error passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f.lineno for f in frames if Path(f.filename).resolve() == file.resolve()]
    return lines[-1] if lines else None


@contextmanager
def limited(seconds: int, file: Path) -> Iterator[None]:
    """Stop a user's code after some seconds, naming the line it was at."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(_number: int, frame: object) -> None:
        raise InputError(
            f"the code did not end within {seconds} s",
            id="endless",
            file=file,
            line=line_in(frame, file),
            help="a design builds expressions; it needs no loop that waits for anything",
        )

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def line_in(frame: object, file: Path) -> int | None:
    """The line at which a file was when it was interrupted."""
    while frame is not None:
        code = getattr(frame, "f_code", None)
        if code is not None and Path(code.co_filename).resolve() == file.resolve():
            return int(getattr(frame, "f_lineno", 0))
        frame = getattr(frame, "f_back", None)
    return None
