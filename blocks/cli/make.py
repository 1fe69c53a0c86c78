"""`keelblocks draw`: the picture of a scenario."""

from __future__ import annotations

from pathlib import Path

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.errors import ScenarioError


@click.command("draw", short_help="Draw the diagram of a scenario as SVG.")
@click.argument("scenario", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.option("-o", "--output", metavar="FILE", help="SVG file, or - for standard output; NAME.svg if not given.")
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="Open this many levels of nested diagrams; 0 leaves all closed, and all are open if not given.",
)
def draw_command(scenario: Path, output: str | None, depth: int | None) -> int:
    """Draw the diagram of a scenario as SVG, which browsers show and slides take.

    \b
    Examples:
        keelblocks draw examples/minerva_los.yaml
        keelblocks draw examples/minerva_los.yaml --depth 0 --output overview.svg
    """
    from blocks.files.writing import replacing
    from blocks.scenario import Scenario

    loaded = Scenario.load(scenario)
    drawing = loaded.diagram.draw(depth=depth)
    if output == "-":
        click.echo(drawing, nl=False)
        return OK
    target = Path(output or f"{loaded.name}.svg")
    try:
        with replacing(target) as part:
            part.write_text(drawing, encoding="utf-8")
    except OSError as problem:
        raise ScenarioError(f"cannot write {target}: {problem.strerror or problem}") from None
    console.output().print(f"wrote {target}", soft_wrap=True, markup=False)
    return OK
