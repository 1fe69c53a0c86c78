"""`keelblocks schema`: let editors complete and check files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.errors import ScenarioError


@click.command("schema", short_help="Let editors complete and check scenarios, studies and comparisons.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--study", is_flag=True, hidden=True, help="There is one schema for all.")
@click.option("--comparison", is_flag=True, hidden=True, help="There is one schema for all.")
@click.option("--problems", is_flag=True, help="Give the schema of what `keelblocks check --json` prints.")
@click.option("-o", "--output", metavar="PATH", type=click.Path(path_type=Path), help="Write the schema to this file.")
@click.option("--drawing", is_flag=True, help="Give the schema of what `keelblocks draw --format json` writes.")
def schema_command(
    files: tuple[Path, ...], output: Path | None, study: bool, comparison: bool, problems: bool, drawing: bool
) -> int:
    """Let editors complete and check scenarios, studies and comparisons, with every block and its parameters.

    \b
        keelblocks schema mission.yaml studies/*.yaml

    writes the JSON schema of the blocks that are installed to .keelblocks/schema.json, beside the files or above them,
    and has the first line of each file name it. Editors that use the YAML language server follow that line, among them
    VS Code with its YAML extension. Libraries that a file names are in it. Do the same again after an update, or for
    blocks of your own, with --import. The folder keeps itself out of git.

    Without files the schema is printed, or written to a file by --output.
    """
    from blocks.editors.schema import help_editors, schema_text
    from blocks.files.writing import replacing

    if files and (problems or drawing):
        option = "--problems" if problems else "--drawing"
        raise ScenarioError(f"files are given the schema of what people write; {option} takes no files")
    if problems and drawing:
        raise ScenarioError("say --problems or --drawing, not both")
    if files and output is not None:
        raise ScenarioError("name files, beside which the schema is then put, or --output, not both")
    if files:
        for path in help_editors(files):
            console.output().print(f"wrote {_short(path)}", soft_wrap=True, markup=False)
        return OK
    text = _problems_schema() if problems else _drawing_schema() if drawing else schema_text()
    if output is None:
        click.echo(text, nl=False)
        return OK
    try:
        with replacing(output) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise ScenarioError(f"cannot write {output}: {problem.strerror or problem}") from None
    return OK


def _problems_schema() -> str:
    from blocks.checking.records import schema

    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def _drawing_schema() -> str:
    from blocks.drawing.schema import schema

    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def _short(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
