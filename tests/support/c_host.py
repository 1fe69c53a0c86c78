"""C hosts of tests/fmu/host: compile them, and hand them an FMU that is unpacked."""

from __future__ import annotations

import math
import os
import subprocess
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
from numpy.typing import NDArray
from subjects import Subject

from cython_kernels.plain_c.compilers import own_compiler
from cython_kernels.plain_c.engine_parts import EngineC
from fmu import runtime
from fmu.runtime.build.runtimes import fmi_headers

HOSTS = Path(__file__).parents[1] / "fmu" / "host"
SOURCES = Path(runtime.__file__).parent / "c"
COMPILER = own_compiler()
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
MISSING = not COMPILER


def compile_host(name: str, folder: Path, *flags: str) -> Path:
    """The program of a C file of `HOSTS`; every warning is an error."""
    program = folder / name
    source = str(HOSTS / f"{name}.c")
    command = [*COMPILER, *STRICT, "-D_GNU_SOURCE", "-O1", *flags, f"-I{fmi_headers()}", source, "-o", str(program)]
    subprocess.run([*command, "-ldl", "-lm", "-lpthread"], check=True)
    return program


def compile_runtime(folder: Path, *flags: str, kernels: Iterable[str]) -> Path:
    """The FMU runtime with these kernels and other flags than the one that is shipped; kernels check their indices.

    While branches are counted (tests/support/engine_coverage), the one that counts them.
    """
    if counting := os.environ.get("KEELBLOCKS_COUNTING_RUNTIME"):
        return Path(counting)
    library = folder / "keelblocks.so"
    engine = EngineC(runtime.ENGINE_C.read_text(encoding="utf-8"))
    (folder / "engine.c").write_text(engine.only(kernels), encoding="utf-8")
    build = ["-std=c99", "-DKEELBLOCKS_CHECKED", "-ffp-contract=off", "-fPIC", "-fvisibility=hidden", "-shared"]
    includes = [f"-I{folder}", f"-I{SOURCES}", f"-I{fmi_headers()}"]
    source = str(SOURCES / "keelblocks.c")
    subprocess.run([*COMPILER, *build, *flags, *includes, source, "-o", str(library), "-lm"], check=True)
    return library


def has_sanitizers(folder: Path) -> bool:
    """Whether the compiler has them, and programs with them run here."""
    source, program = folder / "nothing.c", folder / "nothing"
    source.write_text("int main(void) { return 0; }\n")
    command = [*COMPILER, *SANITIZERS, str(source), "-o", str(program)]
    made = subprocess.run(command, capture_output=True, check=False)
    return made.returncode == 0 and subprocess.run([str(program)], capture_output=True, check=False).returncode == 0


@dataclass(frozen=True)
class Unpacked:
    """An FMU in a folder, for hosts that know nothing of zip and XML."""

    folder: Path
    description: fmpy.model_description.ModelDescription

    @classmethod
    def of(cls, path: Path, folder: Path) -> Unpacked:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        return cls(folder, fmpy.read_model_description(path))

    @property
    def library(self) -> str:
        platform = fmpy.platform if self.description.fmiVersion == "2.0" else fmpy.platform_tuple
        (found,) = (self.folder / "binaries" / platform).glob("*")
        return str(found)

    @property
    def resources(self) -> str:
        """The location as the version of FMI has it: a URI, or in FMI 3.0 a path."""
        path = self.folder / "resources"
        return path.as_uri() if self.description.fmiVersion == "2.0" else f"{path}/"

    @property
    def token(self) -> str:
        """GUID or instantiation token."""
        return str(self.description.guid or self.description.instantiationToken)

    def references(self, names: Sequence[str]) -> list[str]:
        """Value references as the hosts take them, with the number of elements if there are several."""
        known = {variable.name: variable for variable in self.description.modelVariables}
        return [f"{known[name].valueReference}{_elements(known[name])}" for name in names]


def _elements(variable: Any) -> str:
    count = math.prod(variable.shape or ())
    return f":{count}" if count > 1 else ""


def run_host(program: Path, fmu: Unpacked, subject: Subject) -> NDArray[np.float64]:
    """The outputs of a subject at the communication points, in a host of either version for either interface."""
    version = fmu.description.fmiVersion
    columns = {name: values.reshape(len(values), -1) for name, values in subject.input_columns(version).items()}
    rows = np.hstack([np.zeros((len(subject.time), 0)), *columns.values()])
    arguments = [fmu.library, fmu.resources, fmu.token, "0", repr(subject.communication_step), str(subject.steps)]
    if program.name.endswith("_me"):
        arguments.append(repr(subject.step))
    if program.name == "host_me":
        arguments += [str(fmu.description.numberOfContinuousStates), str(fmu.description.numberOfEventIndicators)]
    arguments += fmu.references(subject.output_names(version))
    if columns:
        arguments += ["--", *fmu.references(list(columns))]
    given = "\n".join(" ".join(float(value).hex() for value in row) for row in rows)
    done = subprocess.run([program, *arguments], input=given, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    table = np.array([[float.fromhex(text) for text in line.split()] for line in done.stdout.splitlines()])
    np.testing.assert_allclose(table[:, 0], subject.time, rtol=0.0, atol=1e-9)
    return table[:, 1:]
