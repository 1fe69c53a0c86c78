"""The FMU runtime that counts its branches, in the place of the one that is installed."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from cython_kernels.plain_c.compilers import own_compiler
from cython_kernels.plain_c.engine_parts import EngineC
from cython_kernels.plain_c.platforms import local
from cython_kernels.plain_c.standalone import generate
from fmu.runtime.build.runtimes import fmi_headers
from fmu.runtime.c_files import TRANSLATION_UNIT, VERSIONS, c_files
from fmu.runtime.stored import ALWAYS, file_name, stored

COUNTED = ["-std=c99", "-O0", "--coverage", "-fprofile-update=atomic", "-ffp-contract=off", "-fno-math-errno"]
LIBRARY = ["-fPIC", "-fvisibility=hidden", "-Wl,-Bsymbolic"]


def install_counting_runtimes(site: Path, build: Path) -> None:
    """Compile the runtimes with counters into `build`, and put them into the installation `site`, with every kernel.

    Their engine names the line of the `.pxd` file that each statement comes from, as the extension's does. `both` has
    the functions of both versions of FMI: what the C hosts of the tests load.
    """
    engine = site / "cython_kernels" / "generated" / "engine.c"
    kernels = EngineC(engine.read_text(encoding="utf-8")).kernels
    traced = generate(build / "traced", traced=True).read_text(encoding="utf-8")
    for version in VERSIONS:
        library = _compiled(build / f"fmi{version}", c_files(version, traced))
        content = stored(library.read_bytes(), [(ALWAYS, kernels, 0)])
        (site / "fmu" / "runtime" / "binaries" / local().name / file_name(version)).write_bytes(content)
    both = {name: text for version in VERSIONS for name, text in c_files(version, traced).items()}
    _compiled(build / "both", both | {TRANSLATION_UNIT.name: TRANSLATION_UNIT.read_text(encoding="utf-8")})


def _compiled(folder: Path, files: Mapping[str, str]) -> Path:
    """The library of these files, in a folder that keeps its counts."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = [*own_compiler(), *COUNTED, *LIBRARY, f"-I{folder}", "-isystem", str(fmi_headers())]
    unit, library = folder / "keelblocks.o", folder / "keelblocks.so"
    subprocess.run([*command, "-c", str(folder / TRANSLATION_UNIT.name), "-o", str(unit)], check=True)
    subprocess.run([*command, "-shared", str(unit), "-o", str(library), "-lm"], check=True)
    return library
