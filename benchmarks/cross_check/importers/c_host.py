"""Hosts of a few lines of C, those of tests/fmu/host: for this machine, for Windows in Wine, for arm64 in QEMU."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cross_check.importers.importer import ROOT, Failed, Importer, described, last_words, run_program
from benchmarks.cross_check.rules import Columns, Exported
from benchmarks.wine import wine, wine_environment
from cython_kernels.plain_c.compilers import keep_zig_cache, own_compiler, zig
from cython_kernels.plain_c.platforms import find
from fmu import runtime
from fmu.runtime.build.runtimes import fmi_headers

HOSTS = ROOT / "tests" / "fmu" / "host"
SOURCES = {("2.0", "cs"): "host", ("2.0", "me"): "host_me", ("3.0", "cs"): "host3", ("3.0", "me"): "host3_me"}
WINDOWS_HEADERS = Path(__file__).parent / "windows"
ARM_LIBRARIES = Path("/usr/aarch64-linux-gnu")
INNER_STEP = 5e-4
"""Of Runge-Kutta 4 in model exchange, s: small, since these hosts see events at the ends of steps only."""
WINE_FOLDER = ROOT / "build" / "cross-check-wine"
"""What Wine keeps: made once, for a fresh one takes it seconds."""


@dataclass(frozen=True)
class CHost(Importer):
    """target: by FMI 3.0's name, "" for this machine. launcher: what starts the program, empty if nothing has to."""

    target: str = ""
    launcher: tuple[str, ...] = ()
    package: str = ""

    def missing(self) -> str:
        if not self.target:
            return "" if own_compiler() else "a C compiler: apt-get install gcc"
        if importlib.util.find_spec("ziglang") is None:
            return "zig: make platforms"
        if self.target not in runtime.platforms():
            return f"a runtime for {self.target}: make platforms"
        there = self._start() and ("-L" not in self.launcher or ARM_LIBRARIES.is_dir())
        return "" if there else f"{self.launcher[0]}: apt-get install {self.package}"

    def version(self) -> str:
        compiler = ["zig " + importlib.metadata.version("ziglang")] if self.target else [_said(own_compiler()[0])]
        return ", ".join([*compiler, *([_said(self._start()[0])] if self.launcher else [])])

    def run(self, one: Exported, scratch: Path) -> Columns:
        with zipfile.ZipFile(one.fmu) as archive:
            archive.extractall(scratch / "fmu")
        names = [name for name in one.reference if name != "time"]
        held, points, model = one.held_inputs(), one.points, described(one.fmu)
        options = one.options
        host = self._compiled(SOURCES[one.place.version, one.place.interface], scratch)
        (library,) = (scratch / "fmu" / "binaries").glob("*/*")
        arguments = [
            self._path(library), self._resources(scratch / "fmu" / "resources", one.place.version),
            model.guid or model.instantiationToken, repr(options["StartTime"]), repr(options["OutputIntervalLength"]),
            str(len(points) - 1),
        ]  # fmt: skip
        if one.place.interface == "me":
            arguments.append(repr(INNER_STEP))
            if one.place.version == "2.0":
                arguments += [str(model.numberOfContinuousStates), str(model.numberOfEventIndicators)]
        known = {variable.name: variable for variable in model.modelVariables}
        arguments += [_reference(known[name]) for name in names]
        if held:
            arguments += ["--", *(_reference(known[name]) for name in held)]
        rows = np.hstack([np.zeros((len(points), 0)), *(values.reshape(len(points), -1) for values in held.values())])
        given = "\n".join(" ".join(map(repr, row)) for row in rows.tolist())
        environment = wine_environment(WINE_FOLDER) if "windows" in self.target else {}
        said = run_program([*self._start(), str(host), *arguments], scratch, given=given, environment=environment)
        table = np.array([[float.fromhex(text) for text in line.split()] for line in said.splitlines()])
        if len(table) != len(points):
            raise Failed(f"{len(table)} rows instead of {len(points)}")
        found, first = {"time": table[:, 0]}, 1
        for name in names:
            count = one.reference[name].reshape(len(points), -1).shape[1]
            values = table[:, first : first + count]
            found[name], first = (values if count > 1 else values[:, 0]), first + count
        return found

    def _start(self) -> list[str]:
        if not self.launcher:
            return []
        program = wine() if self.launcher[0] == "wine64" else shutil.which(self.launcher[0])
        return [program, *self.launcher[1:]] if program else []

    def _compiled(self, name: str, scratch: Path) -> Path:
        windows = "windows" in self.target
        program = scratch / ("host.exe" if windows else "host")
        command = own_compiler()
        if self.target:
            keep_zig_cache(ROOT / "build" / "zig")
            command = zig(find(self.target)[0])
        options = [f"-I{WINDOWS_HEADERS}", "-D__USE_MINGW_ANSI_STDIO=1"] if windows else ["-ldl", "-lm", "-lpthread"]
        source = str(HOSTS / f"{name}.c")
        command = [*command, "-std=c99", "-D_GNU_SOURCE", "-O1", f"-I{fmi_headers()}", source, "-o", str(program)]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"the host is not compiled: {last_words(done.stderr)}")
        return program

    def _path(self, path: Path) -> str:
        return f"Z:{path}" if "windows" in self.target else str(path)

    def _resources(self, path: Path, version: str) -> str:
        if version == "3.0":
            return f"{self._path(path)}/"
        return f"file:///Z:{path}" if "windows" in self.target else path.as_uri()


def _reference(variable: Any) -> str:
    count = int(np.prod(variable.shape or ()))
    return f"{variable.valueReference}:{count}" if count > 1 else str(variable.valueReference)


@cache
def _said(program: str) -> str:
    """A program and its version, in a few words."""
    environment = os.environ | (wine_environment(WINE_FOLDER) if "wine" in program else {})
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, env=environment).stdout
    number = re.search(r"\d+(\.\d+)+", re.sub(r"\(.*?\)", "", said))
    return f"{Path(program).name} {number[0]}" if number else Path(program).name
