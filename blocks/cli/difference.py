"""`keelblocks diff` and `compare`: what differs between two scenarios, and between two results."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.make import write_text
from blocks.errors import ScenarioError

DIFFERENT = 1
_ROWS = 40
_COLOURS = {"+": "green", "-": "red", "~": "yellow", ">": "yellow"}


@click.command("diff", short_help="Say what differs between two scenarios.")
@click.argument("before", metavar="A", type=click.Path(path_type=Path))
@click.argument("after", metavar="[B]", required=False, type=click.Path(path_type=Path))
@click.option("--svg", metavar="OUT", help="Draw the differences: a file, or - for standard output.")
@click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Levels of nested diagrams to open there.")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
@click.option("--text", "as_text", is_flag=True, help="Print one scenario with a fact a line, sorted: for git.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def diff_command(
    before: Path, after: Path | None, svg: str | None, depth: int | None, as_json: bool, as_text: bool, quiet: bool
) -> int:
    """Say what differs between two scenarios: blocks, wires, parameters and settings that were added (+), removed (-),
    changed (~) or renamed (>). Values are shown as they are written, and in SI where the unit is another.

    Comments, order, notation and places in the drawing are no differences. A block under another name counts as
    renamed if it has the same type and mostly the same wires. - is standard input.

    \b
    Examples:
        keelblocks diff old.yaml new.yaml
        keelblocks diff old.yaml new.yaml --svg changes.svg
        git show HEAD:mission.yaml | keelblocks diff - mission.yaml

    \b
    For `git diff` and `git log -p`, once in a repository:
        git config diff.keelblocks.textconv "keelblocks diff --text"
        echo "*.yaml diff=keelblocks" >> .gitattributes

    \b
    Exit codes, as those of diff: 0 the same; 1 different; 2 bad input.
    """
    from blocks.difference.picture import drawn_difference
    from blocks.difference.scenarios import difference_of, version_of
    from blocks.difference.text import scenario_text
    from blocks.drawing import render_drawing

    if as_text:
        if after is not None or svg or as_json:
            raise ScenarioError("--text takes one scenario, and no other option: keelblocks diff --text mission.yaml")
        try:
            click.echo(scenario_text(_text(before), str(before)), nl=False)
        except ScenarioError:
            if not before.is_file():
                raise
            click.echo(before.read_bytes(), nl=False)  # in another encoding, say: git would show no difference at all
        return OK
    if after is None:
        raise ScenarioError("name two scenarios, such as: keelblocks diff old.yaml new.yaml")
    if str(before) == str(after) == "-":
        raise ScenarioError("only one of both scenarios can be standard input")
    old, new = (version_of(_named(path), _text(path)) for path in (before, after))
    found = difference_of(old, new)
    if svg:
        drawing = render_drawing(drawn_difference(old, new, depth))
    if as_json:
        console.data(found.to_data())
    elif not quiet and svg != "-":
        for change in found.changes:
            line = str(change)
            console.output().print(line, style=_COLOURS[line[0]], markup=False, soft_wrap=True)
        console.output().print(found.summary, markup=False, soft_wrap=True)
    if svg:
        write_text(drawing, svg, quiet=quiet or as_json)
    return DIFFERENT if found else OK


def _named(path: Path) -> Path:
    """What messages call a file."""
    return Path("standard input") if str(path) == "-" else path


def _text(path: Path) -> str:
    from blocks.yaml.nodes import MOST_BYTES, check_size
    from blocks.yaml.reading import decode, read_text

    if str(path) != "-":
        return read_text(path, "a scenario")
    content = sys.stdin.buffer.read(MOST_BYTES + 1)
    check_size(len(content), "standard input")
    return decode(content, "standard input")


@click.command("compare", short_help="Say how far two results are apart, signal by signal.")
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "--tolerance",
    "tolerances",
    multiple=True,
    metavar="[NAME=]VALUE",
    help='How far numbers may be apart: 1e-9, "1 mm", "vessel.eta=1 mm"; several times if need be. 0 if not given.',
)
@click.option(
    "--relative",
    type=float,
    default=0.0,
    metavar="R",
    help="How far they may be apart besides, to the greatest magnitude of the element in A.",
)
@click.option("--interpolate", is_flag=True, help="Take B at the times of A, linearly between its own.")
@click.option("--signal", "signals", multiple=True, metavar="NAME", help="Compare only this signal, or 'plant.*'.")
@click.option("--all", "every", is_flag=True, help="Show signals that are the same, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def compare_command(
    first: Path, second: Path, tolerances: tuple[str, ...], relative: float, interpolate: bool,
    signals: tuple[str, ...], every: bool, as_json: bool, quiet: bool,
) -> int:  # fmt: skip
    """Say how far two results are apart, signal by signal: the greatest difference, when and in which element it is,
    and how many numbers are further apart than their tolerance. Results are .nc, .csv or .parquet.

    A number passes if it is within the tolerance, or within the relative one. A tolerance with a unit holds for the
    elements that have such a unit; the last one that fits holds. Without any, numbers must be the same. NaN in both is
    no difference. Signals that only one of them has are differences, and so are other times, unless --interpolate.
    Angles in rad are compared the short way round.

    To compare controllers or vehicles in a study instead, see `keelblocks lab compare`.

    \b
    Examples:
        keelblocks compare reference.nc results/mission/mission.nc
        keelblocks compare reference.nc new.nc --tolerance 1e-9 --tolerance "vessel.eta=1 mm"
        keelblocks compare reference.nc new.csv --relative 1e-6 --signal "plant.*" --quiet

    \b
    Exit codes: 0 they agree; 1 they differ; 2 bad input.
    """
    from blocks.difference.results import compare_results, hint

    found = compare_results(
        first, second, tolerance=tolerances, relative=relative, interpolate=interpolate, signals=signals
    )
    if as_json:
        console.data(found.to_data())
    elif not quiet:
        shown = [signal for signal in found.signals if every or signal.beyond or signal.largest > 0.0]
        columns = ("signal", "unit", "largest", "relative", "at", "element", "allowed", "beyond")
        rows = [
            (
                one.name, "" if one.unit == "1" else one.unit, f"{one.largest:.3g}", f"{one.relative:.2g}",
                f"{one.time:.6g} s", one.element, f"{one.tolerance:.3g}", f"{one.beyond} of {one.count}",
            )
            for one in (shown if every else shown[:_ROWS])
        ]  # fmt: skip
        if rows:
            console.output().print(console.table(columns, rows))
        if len(rows) < len(shown):
            console.output().print(f"… and {len(shown) - len(rows)} more signals; --all shows them")
        console.output().print(found.summary, markup=False, soft_wrap=True)
        if near := hint(found.missing, found.further):
            console.output().print(near, markup=False, soft_wrap=True)
    return OK if found else DIFFERENT
