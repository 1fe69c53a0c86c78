"""Wine, which runs programs for Windows: where it is, and what keeps it quiet, and to a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PROGRAMS = ("/usr/lib/wine/wine64", "wine64", "wine")
"""In this order: Debian's package wine64 alone brings the first, which is not on the path."""


def wine() -> str:
    """The path of Wine; empty if it is not there: apt-get install wine64."""
    return next(filter(None, map(shutil.which, PROGRAMS)), "")


def wine_environment(folder: Path) -> dict[str, str]:
    """What a process gets with which Wine is started. folder: what Wine keeps, made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    return {"WINEPREFIX": str(folder), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}


def end_wine(folder: Path) -> None:
    """End what lingers in such a folder for some seconds after a program, so that the folder can go."""
    if server := shutil.which(Path(wine()).with_name("wineserver")):
        own = os.environ | wine_environment(folder)
        subprocess.run([server, "-k"], capture_output=True, check=False, env=own)
