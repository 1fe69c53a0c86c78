"""One compiler and the C of an FMU: compiled with a host as buildDescription.xml says, run, compared bit by bit."""

from __future__ import annotations

import importlib.util
import math
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import fmpy
import numpy as np
from numpy.typing import NDArray

import fmu
from benchmarks.wine import end_wine, wine, wine_environment
from blocks.scenario import Scenario
from fmu.exporting.build_description import COMPILERS, NO_FILES, Compiler
from fmu.exporting.source_code import COMPILED
from fmu.runtime.build.runtimes import fmi_headers

HERE = Path(__file__).parent
MISSION = HERE.parents[1] / "examples" / "minerva_los.yaml"
STEP, STEPS = 0.05, 400
"""Of communication, s, and how many there are."""
_BOARD = ["--specs=nosys.specs", "-nostartfiles", f"-T{HERE / 'board.ld'}", "-DBOARD"]
_QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none"]
_QEMU += ["-semihosting-config", "enable=on,target=native", "-kernel"]
_NODE = ["node", "--no-experimental-fetch"]  # with which Emscripten 3.1.6 of Debian would fetch the module by its path
_MINGW = "x86_64-w64-mingw32-gcc"
_RUN_BY = {_MINGW: ["wine64"], "emcc": _NODE, "arm-none-eabi-gcc": _QEMU}
_SUFFIX = {_MINGW: ".exe", "emcc": ".js", "arm-none-eabi-gcc": ".elf"}
_MORE = {"arm-none-eabi-gcc": _BOARD, "emcc": ["-sALLOW_MEMORY_GROWTH=1", "-sEXIT_RUNTIME=1"]}
_PACKAGES = {
    "gcc": "gcc", "clang": "clang", "tcc": "tcc", "musl-gcc": "musl-tools", "emcc": "emscripten node-acorn nodejs",
    _MINGW: "gcc-mingw-w64-x86-64 wine64",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm",
}  # fmt: skip


def command_of(compiler: Compiler) -> list[str]:
    """How a compiler is called here; empty if it is not there."""
    if compiler.command == "zig cc":
        there = importlib.util.find_spec("ziglang") is not None
        return [sys.executable, "-m", "ziglang", "cc"] if there else []
    return [compiler.command] if shutil.which(compiler.command) else []


def runner_of(compiler: Compiler) -> list[str] | None:
    """What runs its programs; empty if this machine does, None if that is not there."""
    runner = _RUN_BY.get(compiler.command, [])
    if not runner:
        return []
    program = wine() if compiler.command == _MINGW else shutil.which(runner[0])
    return [program, *runner[1:]] if program else None


def packages_for(compiler: Compiler) -> str:
    """What has to be installed for it, on Debian, or by pip."""
    return f"apt-get install {_PACKAGES[compiler.command]}" if compiler.command in _PACKAGES else "pip install ziglang"


def version_of(compiler: Compiler) -> str:
    """What it says of its version."""
    command = command_of(compiler)
    asked = [*command[:-1], "version"] if compiler.command == "zig cc" else [*command, "--version"]
    asked = [*command, "-v"] if compiler.command == "tcc" else asked
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    line = (done.stdout or done.stderr).splitlines()[0]
    found = re.search(r"\d+\.\d+(\.\d+)?|\b\d+-win32", line)
    return found[0] if found else line


@dataclass(frozen=True)
class Sources:
    """The C of an FMU in a folder, and the numbers of the binary beside it."""

    folder: Path
    fmi: str
    expected: NDArray[np.float64]

    @classmethod
    def export(cls, folder: Path, fmi: str) -> Sources:
        """The mission that all are tried on, for a version of FMI."""
        path = folder / f"mission{fmi[0]}.fmu"
        diagram = Scenario.load(MISSION).diagram
        fmu.export(diagram, path, name="mission", step=0.01, end=STEP * STEPS, fmi=fmi, sources=True)
        return cls.unpacked(path, folder / f"mission{fmi[0]}", STEP, STEPS)

    @classmethod
    def unpacked(cls, path: Path, folder: Path, step: float, steps: int) -> Sources:
        """An FMU with its sources, ready for the host, which is to do so many steps."""
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        described = fmpy.read_model_description(path)
        outputs = [v for v in described.modelVariables if v.causality == "output" and v.type in ("Real", "Float64")]
        run = fmpy.simulate_fmu(
            str(path), stop_time=step * steps, output_interval=step, fmi_type="CoSimulation",
            output=[v.name for v in outputs],
        )  # fmt: skip
        assert len(run) == steps + 1
        expected = np.hstack([run[v.name].reshape(len(run), -1) for v in outputs])
        count = sum(math.prod(v.shape or ()) for v in outputs)
        lines = {
            "FMI": described.fmiVersion[0], "TOKEN": f'"{described.guid or described.instantiationToken}"',
            "STEP": repr(step), "STEPS": str(steps), "COUNT": str(count),
            "REFERENCES": ", ".join(str(v.valueReference) for v in outputs),
        }  # fmt: skip
        header = "".join(f"#define {name} {text}\n" for name, text in lines.items())
        (folder / "sources" / "model.h").write_text(header, encoding="ascii")
        return cls(folder, described.fmiVersion[:3], expected)

    def compile(self, compiler: Compiler, *flags: str) -> Path:
        """The program of host and FMU. Raises RuntimeError with what the compiler says if it refuses."""
        name = compiler.command.replace(" ", "_")
        program = self.folder / f"host_{name}{_SUFFIX.get(compiler.command, '')}"
        defined = [f"-DFMI{self.fmi[0]}_OVERRIDE_FUNCTION_PREFIX", *([f"-D{NO_FILES}"] if compiler.no_files else [])]
        sources = self.folder / "sources"
        files = [str(HERE / "host.c"), str(sources / COMPILED)]
        files += sorted(str(path) for path in sources.glob("*_library.c"))
        command = [
            *command_of(compiler), "-std=c99", *compiler.options, *defined, f"-I{sources}", f"-I{fmi_headers()}",
            *_MORE.get(compiler.command, []), *flags, *files, "-o", str(program), "-lm",
        ]  # fmt: skip
        where = os.environ | {"NODE_PATH": "/usr/share/nodejs"}  # of Debian, for its emcc
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder, env=where)
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr[-200:]]
            raise RuntimeError(said[0])
        return program

    def run(self, compiler: Compiler, program: Path, *, location: str | None = None) -> NDArray[np.float64]:
        """The numbers that a program prints. Raises RuntimeError with what it says instead.

        location: of the resources; None: where they are, or nothing for a program without files.
        """
        runner = runner_of(compiler)
        assert runner is not None
        place = str(self.folder / "resources")
        own, in_wine = self.folder / "wine", compiler.platform.endswith("windows")
        if in_wine:
            place = f"Z:{place}"  # where wine has this machine's files
        uri = f"file:///{place.lstrip('/')}/" if self.fmi == "2.0" else f"{place}/"
        given = [] if compiler.no_files else [uri if location is None else location]
        done = subprocess.run(
            [*runner, str(program), *given], capture_output=True, text=True, check=False, timeout=600,
            env=os.environ | (wine_environment(own) if in_wine else {}),
        )  # fmt: skip
        if in_wine:
            end_wine(own)
        lines = (done.stdout or done.stderr).splitlines()  # QEMU tells on the latter what the board says
        try:
            found = [[int(word, 16) for word in line.split()] for line in lines]
        except ValueError:
            raise RuntimeError(lines[-1]) from None
        if done.returncode or len(found) != len(self.expected):
            raise RuntimeError((done.stderr.splitlines() or [f"it ends with status {done.returncode}"])[-1])
        return np.array(found, dtype=np.uint64).view(np.float64)

    def differing(self, found: NDArray[np.float64]) -> int:
        """How many numbers have other bits than those of the binary."""
        return int(np.count_nonzero(found.view(np.uint64) != self.expected.view(np.uint64)))


__all__ = ["COMPILERS", "Sources", "command_of", "packages_for", "runner_of", "version_of"]
