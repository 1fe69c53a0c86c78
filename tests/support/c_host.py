"""C hosts of tests/fmu/host: compile them, and hand them an FMU that is unpacked."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sysconfig
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import fmpy

from fmu import runtime
from fmu.runtime.build import fmi_headers

HOSTS = Path(__file__).parents[1] / "fmu" / "host"
SOURCES = Path(runtime.__file__).parent
COMPILER = shlex.split((sysconfig.get_config_var("CC") or "cc").split()[0])
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
MISSING = shutil.which(COMPILER[0]) is None


def compile_host(name: str, folder: Path, *flags: str) -> Path:
    """The program of a C file of `HOSTS`; every warning is an error."""
    program = folder / name
    source = str(HOSTS / f"{name}.c")
    command = [*COMPILER, *STRICT, "-D_GNU_SOURCE", "-O1", *flags, f"-I{fmi_headers()}", source, "-o", str(program)]
    subprocess.run([*command, "-ldl", "-lm", "-lpthread"], check=True)
    return program


def compile_runtime(engine_c: Path, folder: Path, *flags: str) -> Path:
    """The FMU runtime with other flags than the one that is shipped; kernels check their indices."""
    library = folder / "keelblocks.so"
    includes = [f"-I{engine_c.parent}", f"-I{SOURCES}", f"-I{fmi_headers()}"]
    command = [*COMPILER, "-std=c99", "-DKEELBLOCKS_CHECKED", "-ffp-contract=off", "-fPIC", "-fvisibility=hidden", "-shared"]
    subprocess.run([*command, *flags, *includes, str(_runtime_source()), "-o", str(library), "-lm"], check=True)
    return library


def _runtime_source() -> Path:
    return next(path for path in (SOURCES / "keelblocks.c", SOURCES / "fmi2.c") if path.exists())


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
        (found,) = (self.folder / "binaries").glob(f"{runtime.fmi_platform()[0]}/*")
        return str(found)

    @property
    def resources(self) -> str:
        return (self.folder / "resources").as_uri()

    def references(self, names: Sequence[str]) -> list[str]:
        """Value references, as arguments of a host."""
        known = {variable.name: str(variable.valueReference) for variable in self.description.modelVariables}
        return [known[name] for name in names]


def run_host(program: Path, fmu: Unpacked, step: float, steps: int, outputs: Sequence[str], inputs: dict[str, Sequence[float]]) -> subprocess.CompletedProcess[str]:
    """Step an FMU from t = 0; `inputs` has a value for each step."""
    rows = "\n".join(" ".join(float(value).hex() for value in row) for row in zip(*inputs.values(), strict=True))
    wires = ["--", *fmu.references(list(inputs))] if inputs else []
    arguments = [fmu.description.guid, "0", repr(step), str(steps), *fmu.references(outputs), *wires]
    command = [str(program), fmu.library, fmu.resources, *arguments]
    return subprocess.run(command, input=rows, capture_output=True, text=True, timeout=60, check=False)
