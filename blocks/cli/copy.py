"""`keelblocks copy`: an example of the library, to run and to change."""

from __future__ import annotations

from pathlib import Path

import click

from blocks.cli import console
from blocks.cli.group import OK


@click.command("copy", short_help="Copy an example, with all files that it needs.")
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path("examples"))
@click.option("--force", is_flag=True, help="Replace files that are there already and differ.")
def copy_command(name: str, folder: Path, force: bool) -> int:
    """Copy an example that comes with the library, with all files that it needs, into FOLDER.

    NAME is one of `keelblocks list examples`. FOLDER is `examples` unless given, so that the commands of the docs work
    as they stand.

    \b
    Examples:
        keelblocks copy minerva_los
        keelblocks copy studies/minerva_currents
        keelblocks copy otter_los . --force
    """
    from blocks.ready.examples import copy, example

    chosen = example(name)
    files = copy(chosen, folder, force=force)
    out = console.output()
    for file in files:
        out.print(f"wrote {file}", soft_wrap=True, markup=False)
    out.print(chosen.title, soft_wrap=True, markup=False)
    out.print(
        f"    {chosen.command(files[0] if chosen.path.is_file() else folder / chosen.name)}",
        soft_wrap=True,
        markup=False,
    )
    return OK
