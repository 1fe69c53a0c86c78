"""`keelblocks build`: a library of blocks of one's own."""

from __future__ import annotations

import time

import click

from blocks.cli import console
from blocks.cli.group import OK


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
def build_command(library: str, platforms: tuple[str, ...], checked: bool) -> int:
    """Compile the kernels of a library of blocks of your own, a package with declarations and .pxd files.

    FOLDER is its folder, or the one around it; NAME that of a package which Python finds. What is built goes into the
    folder __keelblocks__ of the package. What is as it was is not built again.

    \b
    Examples:
        keelblocks build my_blocks
        keelblocks build my_blocks --platform all
        keelblocks build my_blocks --checked
    """
    from blocks.libraries.building import build
    from blocks.libraries.compiling import platforms_of
    from blocks.libraries.package import find_library

    begin = time.perf_counter()
    found = find_library(library)
    done = build(found, platforms_of(platforms), checked=checked)
    words = f"built for {', '.join(done.made)}" if done.made else "is up to date"
    console.output().print(f"{found.name}: {words} ({time.perf_counter() - begin:.1f} s)", soft_wrap=True, markup=False)
    return OK
