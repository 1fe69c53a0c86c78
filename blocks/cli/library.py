"""`keelblocks new library` and `keelblocks build`: a library of blocks of one's own."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from blocks.cli import console
from blocks.cli.group import OK, Cli

if TYPE_CHECKING:
    from blocks.libraries.package import Library


@click.group("new", cls=Cli, short_help="Write the first files of something new: a scenario of a craft, or a library.")
def new_command() -> None:
    """Write the first files of something new.

    \b
    Examples:
        keelblocks new usv --vehicle otter
        keelblocks new rov --vehicle bluerov2_heavy
        keelblocks new library my_blocks
    """


@new_command.command("library", short_help="A library of compiled blocks of your own.")
@click.argument("name")
def new_library_command(name: str) -> int:
    """Write the folder of a library of compiled blocks: one that works, to be changed into your own.

    NAME is that of the folder, of the package in it, and of the family of its blocks: small letters, digits and
    underscores.

    \b
    Example:
        keelblocks new library my_blocks
    """
    from blocks.libraries.making import new_library

    folder = new_library(name, Path())
    out = console.output()
    out.print(f"wrote {folder}/; go on with", soft_wrap=True, markup=False)
    for line in (f"keelblocks build {folder}", f"keelblocks run {folder}/drag.yaml"):
        out.print(f"    {line}", soft_wrap=True, markup=False)
    return OK


@click.command("build", short_help="Compile the kernels of a library of blocks of your own.")
@click.argument("library", metavar="FOLDER|NAME")
@click.option(
    "--platform",
    "platforms",
    multiple=True,
    metavar="P",
    help="Build for this platform, x86_64-windows say, or for all; can be given several times. This machine's if not "
    "given.",
)
@click.option("--checked", is_flag=True, help="Let the engine guard every call of its kernels: bounds, NULL, writes.")
@click.option("--watch", is_flag=True, help="Build again at each change of its files, until Ctrl-C.")
def build_command(library: str, platforms: tuple[str, ...], checked: bool, watch: bool) -> int:
    """Compile the kernels of a library of blocks of your own, a package with declarations and .pxd files.

    FOLDER is its folder, or the one around it; NAME that of a package which Python finds. What is built goes into the
    folder __keelblocks__ of the package. What is as it was is not built again.

    \b
    Examples:
        keelblocks build my_blocks
        keelblocks build my_blocks --watch
        keelblocks build my_blocks --platform all
        keelblocks build my_blocks --checked
    """
    from blocks.libraries.bits import note_on_bits
    from blocks.libraries.building import build
    from blocks.libraries.compiling import platforms_of
    from blocks.libraries.package import find_library

    begin = time.perf_counter()
    found = find_library(library)
    chosen = platforms_of(platforms)
    if watch:
        _watch(found, [*(f"--platform={name}" for name in platforms), *(["--checked"] if checked else [])])
        return OK
    done = build(found, chosen, named=bool(platforms), checked=checked, told=console.note)
    words = f"built{' with checks' if checked else ''} for {', '.join(done.made)}" if done.made else "is up to date"
    console.output().print(f"{found.name}: {words} ({time.perf_counter() - begin:.1f} s)", soft_wrap=True, markup=False)
    if done.made and (note := note_on_bits(found)):
        console.note(note)
    if done.old:
        console.note(f"{found.name}: older than its sources for {', '.join(done.old)}: build with --platform all")
    return OK


def _watch(library: Library, options: Sequence[str]) -> None:
    """Build at each change: a line each, with the time of the day.

    Not by a console of rich, which says a line twice where Ctrl-C comes just as it is written.
    """
    from blocks.libraries.watching import build_apart, changes

    try:
        heard = changes(library)
        next(heard)  # refuses if something is missing
        click.echo(f"watching {library.folder}; Ctrl-C ends it")
        for _ in itertools.chain((None,), heard):
            turn = build_apart(library, options)
            said = f"{library.name}: failed ({turn.seconds:.1f} s)" if turn.failed else turn.said
            click.echo(f"{time.strftime('%H:%M:%S')}  {said}")
    except KeyboardInterrupt:
        click.echo("stopped")
