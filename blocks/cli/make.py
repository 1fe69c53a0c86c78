"""`keelblocks draw`: the picture of a scenario."""

from __future__ import annotations

from pathlib import Path

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.errors import ScenarioError


@click.command("draw", short_help="Draw the diagram of a scenario, as SVG or as JSON.")
@click.argument("scenario", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.option("-o", "--output", metavar="FILE", help="File, or - for standard output; NAME.svg or .json if not given.")
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="Open this many levels of nested diagrams; 0 leaves all closed, and all are open if not given.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["svg", "json"]),
    help="What is written; if not given, what the ending of --output says, or else svg.",
)
def draw_command(scenario: Path, output: str | None, depth: int | None, form: str | None) -> int:
    """Draw the diagram of a scenario as SVG, which browsers show and slides take.

    Blocks stand where the scenario's layout puts them, the others around them. As JSON the drawing is data for
    programs that draw by themselves: blocks, ports, wires, their places and lines, and each nested diagram that is
    closed as a drawing of its own. `keelblocks schema --drawing` says what it holds.

    \b
    Examples:
        keelblocks draw examples/minerva_los.yaml
        keelblocks draw examples/minerva_los.yaml --depth 0 --output overview.svg
        keelblocks draw examples/minerva_los.yaml --depth 0 --format json --output -
    """
    from blocks.drawing import drawing, render_drawing
    from blocks.scenario import Scenario

    loaded = Scenario.load(scenario)
    made = drawing(loaded.diagram, depth)
    chosen = form or ("json" if output and output.endswith(".json") else "svg")
    write_text(made.to_json() if chosen == "json" else render_drawing(made), output or f"{loaded.name}.{chosen}")
    return OK


def write_text(text: str, output: str, *, quiet: bool = False) -> None:
    """Write a text to a file, and say so, or to standard output. Raises ScenarioError if that is not possible."""
    from blocks.files.writing import replacing

    if output == "-":
        click.echo(text, nl=False)
        return
    target = Path(output)
    try:
        with replacing(target) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise ScenarioError(f"cannot write {target}: {problem.strerror or problem}") from None
    if not quiet:
        console.output().print(f"wrote {target}", soft_wrap=True, markup=False)
