"""`downset replay`: the same story on the real program.

>>> replay.name
'replay'
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from downset.commands.options import (
    exit_zero_option,
    format_option,
    output_option,
    property_option,
)
from downset.commands.output import FORMATS, emit
from downset.commands.program import cache_option, program_option, progress, tell_cache
from downset.commands.select import choose
from downset.errors import InputError
from downset.verdicts import worst_exit_code

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.commands.settings import Settings
    from downset.config.releases import Release
    from downset.design.design import Design
    from downset.program.steps import Replayed
    from downset.scenarios.own import Document

    Story = tuple[Document, Design]

SECONDS: Final = 30.0
EPILOG = """\b
Examples:
  downset replay scenarios/opencode/plan-helper-edits.yaml --release opencode@1.18.33
  downset replay opencode/1.17.2 --property resume-safe --release opencode@1.17.18
"""


@click.command(epilog=EPILOG)
@click.argument("targets", metavar="SCENARIO|MODEL...", nargs=-1, required=True)
@property_option()
@click.option(
    "--release",
    "release",
    metavar="R",
    required=True,
    help="The release whose program is run, such as opencode@1.18.33.",
)
@cache_option()
@program_option()
@format_option(*FORMATS)
@output_option()
@exit_zero_option()
@click.pass_obj
def replay(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    *,
    targets: tuple[str, ...],
    names: tuple[str, ...],
    release: str,
    cache: Path,
    program: Path | None,
    form: str,
    output: Path | None,
    exit_zero: bool,
) -> int:
    """Tell a story to the real program, and compare what it does with the model.

    SCENARIO is a file or folder of scenarios; what a scenario does not expect of the release, the
    model of the release does. MODEL is a model: its counterexamples are told, or with --property
    the counterexample of that property.

    The program is run by itself: its own home, a scripted model on loopback, and no other network
    where the system permits that. Commands that agents run are written down, not run.

    WARNING: the program is third-party code from npm, and a model file is Python code; both are
    executed.

    Exit code: 0 confirmed, 1 not reproduced, 2 bad input, 3 not expressible, or no such program.
    """
    from downset.config.releases import release as release_of  # noqa: PLC0415 -- quick `--help`

    row = release_of(release)
    stories = [story for target in targets for story in _stories(settings, target, names, row)]
    tell_cache(cache)
    found = list(_replayed(stories, row, cache, program))
    emit(_report(form, found), output)
    return 0 if exit_zero else worst_exit_code(story.outcome.exit_code for story in found)


def _stories(
    settings: Settings, target: str, names: Sequence[str], row: Release
) -> Iterator[Story]:
    path = Path(target)
    if path.is_dir() or path.suffix in {".yaml", ".yml"}:
        from downset.scenarios.designs import of_release  # noqa: PLC0415 -- quick `--help`
        from downset.scenarios.own import read  # noqa: PLC0415 -- the same
        from downset.scenarios.running import OWN, scenario_files  # noqa: PLC0415 -- the same

        files = [file for file in scenario_files([path]) if file.suffix in OWN]
        yield from ((read(file), of_release(row)) for file in files)
    else:
        yield from _counterexamples(settings, target, names)


def _counterexamples(settings: Settings, ref: str, names: Sequence[str]) -> Iterator[Story]:
    """The stories of a model's counterexamples. Raises `InputError` for a property without one."""
    from downset.catalogue import load_model  # noqa: PLC0415 -- quick `--help`
    from downset.scenarios.own import Document, parse  # noqa: PLC0415 -- the same
    from downset.scenarios.saving import Saved  # noqa: PLC0415 -- the same

    known = settings.engine.load_properties(())
    design = load_model(ref)
    for prop in choose(known, names):
        verdict = settings.engine.prove(design, prop, None, SECONDS)
        story = verdict.counterexample
        if (story is None or not story.decisions) and not names:
            continue
        if story is None:
            raise InputError(
                f"`{design.id}` `{prop.id}` is {verdict.status.value}: there is no story to tell",
                id="no-story",
                help="choose a property that the model violates",
            )
        text = Saved(
            verdict, _named(ref, design), f"{re.sub(r'[^a-z0-9.]+', '-', ref)}.yaml"
        ).text()
        yield Document(parse(text, ref), ref), design


def _named(ref: str, design: Design) -> str:
    return str(Path(ref).resolve()) if ref.endswith(".py") else design.id


def _replayed(
    stories: Sequence[Story], row: Release, cache: Path, program: Path | None
) -> Iterator[Replayed]:
    from downset.program.outcomes import Unavailable  # noqa: PLC0415 -- quick `--help`
    from downset.program.replaying import Program, failed, unavailable  # noqa: PLC0415 -- the same

    try:
        with Program(row, cache, program) as running:
            for document, design in progress(stories):
                yield failed(running, document, design)
    except Unavailable as why:
        yield from (unavailable(document, row, why.reason) for document, _design in stories)


def _report(form: str, stories: Sequence[Replayed]) -> str:
    from downset.report.replay import (  # noqa: PLC0415 -- quick `--help`
        replay_json,
        replay_markdown,
        replay_text,
    )

    reports = {"json": replay_json, "markdown": replay_markdown}
    return reports.get(form, replay_text)(stories)
