"""FMUs that no part of this project wrote the runtime of: small ones in C, compiled when a test first wants them."""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import fmpy
import pytest

from cython_kernels.plain_c.compilers import own_compiler

HERE = Path(__file__).resolve().parents[1] / "fmu" / "foreign"
DOORS = {"tank": "fmi2", "ball": "fmi2", "trouble": "fmi2", "winch": "fmi2",
         "mixer": "fmi3", "pendulum": "fmi3", "carrier": "fmi3",
         "tank_fmi1": "fmi1", "ball_fmi1": "fmi1", "trouble_fmi1": "fmi1", "winch_fmi1": "fmi1"}  # fmt: skip
"""Models, and the front door that each has. Those of FMI 1.0 are the equations of the one without `_fmi1`."""
FMI1_COSIMULATION = {
    "</fmiModelDescription>": "<Implementation><CoSimulation_StandAlone>"
    '<Capabilities canHandleVariableCommunicationStepSize="true"/>'
    "</CoSimulation_StandAlone></Implementation></fmiModelDescription>"
}
"""What makes a description of FMI 1.0 for Model Exchange one for Co-Simulation, for `replace` of `build`."""


@functools.cache
def binary(model: str) -> bytes:
    """The compiled library of a model."""
    if os.name != "posix":
        pytest.skip("the C compiler of this platform is called otherwise")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "library"
        headers = Path(fmpy.__file__).parent / "c-code"
        subprocess.run(
            [*own_compiler(), "-shared", "-fPIC", "-O1", "-w", f"-I{headers}", f"-DID={model}",
             f'-DMODEL="{model.removesuffix("_fmi1")}.c"', "-o", str(target), str(HERE / f"{DOORS[model]}.c"), "-lm"],
            check=True,
        )  # fmt: skip
        return target.read_bytes()


def binary_path(model: str) -> str:
    """Where the library is in an FMU for this platform."""
    platform = fmpy.platform_tuple if DOORS[model] == "fmi3" else fmpy.platform
    return f"binaries/{platform}/{model}{fmpy.sharedLibraryExtension}"


def description(model: str) -> str:
    """The model description."""
    return (HERE / f"{model}.xml").read_text(encoding="utf-8")


def files(model: str, **changes: str) -> dict[str, bytes]:
    """The files of an FMU; each of `changes` replaces a text in the description."""
    text = description(model)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return {"modelDescription.xml": text.encode(), binary_path(model): binary(model)}


def write(path: Path, content: Mapping[str, bytes]) -> Path:
    """Write an FMU."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def build(model: str, folder: Path, *, name: str = "", replace: Mapping[str, str] | None = None) -> Path:
    """The FMU of a model in a folder; `replace` gives texts of the description and what takes their place."""
    text = description(model)
    for old, new in (replace or {}).items():
        assert old in text, f"{model}.xml has no {old!r}"
        text = text.replace(old, new)
    content = {"modelDescription.xml": text.encode(), binary_path(model): binary(model)}
    return write(folder / f"{name or model}.fmu", content)
