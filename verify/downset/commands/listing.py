"""`downset models` and `downset properties`: what there is to ask about.

>>> models.name, properties.name
('models', 'properties')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from downset.commands.certificate import write_theorems
from downset.commands.options import (
    certificate_option,
    format_option,
    output_option,
    properties_file_option,
    solver_option,
)
from downset.commands.output import emit, first_line
from downset.commands.select import choose
from downset.report.json_report import document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from downset.commands.engine import Model, Property, Theorem
    from downset.commands.settings import Settings


@click.command(epilog="Example: downset models")
@format_option("text", "json")
@output_option()
@click.pass_obj
def models(settings: Settings, *, form: str, output: Path | None) -> None:
    """List the models of the package, one line each."""
    found = settings.engine.all_models()
    if form == "json":
        emit(document("models", [_model(model) for model in found]), output)
    else:
        emit(_columns((model.id, model.title) for model in found), output)


@click.command(epilog="Example: downset properties no-escalation")
@click.argument("name", required=False)
@click.option("--theorems", is_flag=True, help="Prove and print theorems about properties.")
@solver_option()
@certificate_option()
@properties_file_option()
@format_option("text", "json")
@output_option()
@click.pass_obj
def properties(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    *,
    name: str | None,
    theorems: bool,
    solver: str,
    certificate: Path | None,
    files: tuple[Path, ...],
    form: str,
    output: Path | None,
) -> int:
    """List the properties, one line each, or tell all about NAME."""
    if theorems:
        if name is not None or files:
            raise click.UsageError("`--theorems` goes with neither a name nor a file")
        engine = settings.engine.configured(solver=solver, certify=certificate is not None)
        code = _print_theorems(engine.theorems(), form, output)
        if certificate is not None:
            write_theorems(certificate, solver, engine.solver_version())
        return code
    if certificate is not None:
        raise click.UsageError("`--certificate` goes with `--theorems`")
    known = settings.engine.load_properties(files)
    chosen = choose(known, [] if name is None else [name])
    if form == "json":
        emit(document("properties", [_property(prop) for prop in chosen]), output)
    elif name is not None:
        emit(_about(chosen[0]), output)
    else:
        emit(_columns((prop.id, prop.sentence) for prop in chosen), output)
    return 0


def _print_theorems(found: Sequence[Theorem], form: str, output: Path | None) -> int:
    if form == "json":
        emit(document("theorems", [_theorem(theorem) for theorem in found]), output)
    else:
        emit("\n".join(map(_theorem_text, found)), output)
    return 0 if all(theorem.holds for theorem in found) else 1


def _columns(rows: Iterable[tuple[str, str]]) -> str:
    """Names and, aligned, the first line of what they are."""
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    return "".join(f"{name:{width}}  {first_line(text)}\n" for name, text in rows)


def _about(prop: Property) -> str:
    parts = {
        "formula": prop.formula,
        "asked by": prop.asked_by,
        "events": ", ".join(prop.events) or "none",
    }
    lines = [prop.id, "", _indented(prop.sentence), ""]
    lines += [f"  {label:8}  {_indented(text, 12).lstrip()}" for label, text in parts.items()]
    return "\n".join(lines) + "\n"


def _theorem_text(theorem: Theorem) -> str:
    verdict = "proved" if theorem.holds else "violated"
    return f"{theorem.title}  {verdict}\n\n{_indented(theorem.statement)}\n" + (
        f"\n{_indented(theorem.detail)}\n" if theorem.detail else ""
    )


def _indented(text: str, by: int = 2) -> str:
    return "\n".join(f"{' ' * by}{line}".rstrip() for line in text.strip().splitlines())


def _model(model: Model) -> Mapping[str, object]:
    return {"id": model.id, "title": model.title, "source": model.source}


def _property(prop: Property) -> Mapping[str, object]:
    return {
        "id": prop.id,
        "sentence": prop.sentence,
        "formula": prop.formula,
        "asked_by": prop.asked_by,
        "events": list(prop.events),
    }


def _theorem(theorem: Theorem) -> Mapping[str, object]:
    return {
        "title": theorem.title,
        "statement": theorem.statement,
        "holds": theorem.holds,
        "detail": theorem.detail,
    }
