"""`keelblocks share`: a scenario, a study or a comparison as one HTML file."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.members import How, check_settings, run_options
from blocks.cli.run import changed, check_writable, checked, parameter_options
from blocks.errors import ScenarioError
from studio.errors import ShareError


@click.command("share", short_help="Write a scenario or study as a page that simulates again while one drags.")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="PAGE",
    type=click.Path(path_type=Path),
    help="The page, an .html file; NAME.html if not given.",
)
@click.option(
    "--vary",
    multiple=True,
    metavar="PATH=LO:HI",
    help='Give this parameter a slider from LO to HI: --vary plant.current.speed=0:0.5, or "=0 kn:1 kn"; several times '
    "if need be. The usual ones if not given; in the page all others can be added.",
)
@click.option("--with-yaml", is_flag=True, help="Put the scenario's text in, so that the changed one can be copied.")
@parameter_options
@run_options
@click.option("--json", "as_json", is_flag=True, help="Print the file and its size as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors and warnings.")
def share_command(
    file: Path,
    output: Path | None,
    vary: tuple[str, ...],
    with_yaml: bool,
    changes: tuple[str, ...],
    how: How,
    as_json: bool,
    quiet: bool,
    **settings: Any,
) -> int:
    """Write a page: one HTML file that holds the mission with its engine, for any browser, without a network.

    In it a reader drags a gain or a waypoint and sees the whole run change; the numbers are those of `keelblocks run`,
    bit by bit. A link to what is seen, the command and, with --with-yaml, the changed scenario can be copied from it.

    Of a study or a comparison the page has the table of all members, with their tracks, and runs each of them again
    when it is clicked: its members are run first, by --workers, and kept in --folder.

    \b
    Examples:
        keelblocks share examples/minerva_los.yaml
        keelblocks share examples/minerva_survey.yaml -o survey.html --vary plant.current.speed=0:0.4 --with-yaml
        keelblocks share examples/otter_los.yaml --set "current.speed=0.4 kn"
        keelblocks share examples/studies/minerva_currents.yaml -o currents.html --workers 4

    Blocks written in Python, FMUs from elsewhere and SciPy's solvers do not run in a browser, and swarms have no page
    in this version: they are named, with the way out.
    """
    from studio.kinds import kind_of
    from studio.share import written

    kind = kind_of(file)
    if kind == "keelblocks":
        name, target, text = _of_scenario(file, output, vary, with_yaml, changes, settings)
    else:
        name, target, text = _of_many(file, kind, output, vary, with_yaml, changes, how, quiet, settings)
    written(target, text)
    size, packed = len(text.encode()), len(gzip.compress(text.encode(), 9))
    if as_json:
        console.data({"name": name, "file": str(target), "bytes": size, "gzipped": packed})
    elif not quiet:
        console.output().print(
            f"wrote {target} ({size / 1000:,.0f} kB, {packed / 1000:,.0f} kB gzipped): open it in a browser",
            soft_wrap=True,
            markup=False,
        )
    return OK


def _target(output: Path | None, name: str) -> Path:
    """Where the page goes, which is found out before anything runs that it cannot be written there."""
    from studio.share import target_of

    target = target_of(output or f"{name}.html")
    if target.is_dir():
        raise ShareError(f"--output {target} is a folder; name a file in it")
    check_writable(target.parent)
    return target


def _of_scenario(
    file: Path,
    output: Path | None,
    vary: tuple[str, ...],
    with_yaml: bool,
    changes: tuple[str, ...],
    settings: dict[str, Any],
) -> tuple[str, Path, str]:
    """The name of a scenario, where its page goes, and its text."""
    from studio.share import mission_page
    from studio.subject import of_scenario

    loaded = changed(file, changes, settings)
    checked(loaded)
    subject = of_scenario(loaded, str(file), _options(changes, settings))
    text = mission_page(subject, vary, with_yaml)
    return loaded.name, _target(output, loaded.name), text


def _options(changes: tuple[str, ...], settings: dict[str, Any]) -> list[str]:
    """What was changed on this command line, as `keelblocks run` takes it."""
    given = [("set", change) for change in changes] + [(key, value) for key, value in settings.items() if value]
    return [word for key, value in given for word in (f"--{key}", str(value))]


def _of_many(
    file: Path,
    kind: str,
    output: Path | None,
    vary: tuple[str, ...],
    with_yaml: bool,
    changes: tuple[str, ...],
    how: How,
    quiet: bool,
    settings: dict[str, Any],
) -> tuple[str, Path, str]:
    """The name of a study or a comparison, where its page goes, and its text; its members are run for it."""
    from studio.many import Many

    if changes:
        raise ScenarioError("--set changes a scenario; in a study, put it under `parameters` of the file")
    if with_yaml:
        raise ShareError("--with-yaml is for scenarios: `keelblocks study member` writes that of a member")
    given = {key: settings.get(key) for key in ("solver", "step", "end")}
    if settings.get("start") is not None:
        raise ScenarioError("--start is for scenarios; in a study, put it under `run` of the file")
    check_settings(given | {"seed": None})
    many = Many.load(file, kind, {key: value for key, value in given.items() if value is not None}, vary)
    target = _target(output, many.name)
    outcome, code, message = how.run(many.study, quiet)
    if code:
        raise ShareError(f"{message or 'the study had to stop'}; with --folder the same command goes on from there")
    text = many.page(outcome, workers=how.workers, progress=sys.stderr.isatty() and not quiet)
    return many.name, target, text
