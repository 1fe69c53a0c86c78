"""FMUs with compiled libraries on other platforms: Windows by Wine, Linux on arm64 by QEMU."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from c_host import HOSTS, Unpacked
from handmade_library import compile_library, imported

import fmu
from benchmarks.wine import end_wine, wine, wine_environment
from blocks import Diagram, simulate
from blocks.basic import Sine
from blocks.libraries.manifest import FILE, Built, Manifest, digest_of
from blocks.model.package import BUILT
from cython_kernels.plain_c.compilers import zig
from cython_kernels.plain_c.platforms import find
from fmu import runtime
from fmu.runtime.build.runtimes import fmi_headers

ARM_LIBRARIES = Path("/usr/aarch64-linux-gnu")
LAUNCHERS = {
    "x86_64-windows": ([wine()], "wine64: apt-get install wine64"),
    "aarch64-linux": (
        [shutil.which("qemu-aarch64") if ARM_LIBRARIES.is_dir() else None, "-L", str(ARM_LIBRARIES)],
        "QEMU and a C library: apt-get install qemu-user libc6-arm64-cross",
    ),
}


@pytest.fixture
def far_drag(tmp_path: Path) -> Iterator[ModuleType]:
    """A library, built for this machine."""
    with imported(tmp_path, far_drag=2.0) as modules:
        yield modules["far_drag"]


def build_for(package: Path, name: str) -> None:
    """The library for another platform, beside that for this one."""
    (platform,) = find(name)
    built = package / BUILT
    there = Manifest.read(built)
    assert there is not None
    file = f"{name}{platform.suffix}"
    path = compile_library(built / file, "far_drag", 2.0, digest=there.digest, compiler=[*zig(platform), "-Wno-error"])
    one = Built(file, there.digest, content=digest_of(path.read_bytes()))
    (built / FILE).write_text(replace(there, platforms={**there.platforms, name: one}).to_json(), encoding="utf-8")


@pytest.mark.parametrize("name", LAUNCHERS)
def test_an_fmu_opens_its_library_on_another_platform(far_drag, tmp_path, name):
    launcher, wanted = LAUNCHERS[name]
    if name not in runtime.platforms() or importlib.util.find_spec("ziglang") is None:
        pytest.skip(f"no runtime for {name} in this installation: make platforms")
    if not launcher[0]:
        pytest.skip(f"needs {wanted}")
    build_for(tmp_path / "far_drag", name)
    diagram = Diagram("towed")
    diagram.add("speed", Sine([2.0], [3.0]))
    diagram.add("drag", far_drag.Drag(k=0.7))
    diagram.connect("speed.y", "drag.u")
    diagram.outputs(force="drag.force")
    truth = simulate(diagram, 1.0, step=0.05).values("drag.force").ravel()
    path = fmu.export(diagram, tmp_path / "m.fmu", step=0.05, platforms=[name])
    (platform,) = find(name)
    windows = platform.suffix == ".dll"
    unpacked = Unpacked.of(path, tmp_path / "a place with blanks, å and 船")
    host = tmp_path / ("host.exe" if windows else "host")
    source = HOSTS / ("windows_host.c" if windows else "host.c")
    options = ["-municode"] if windows else ["-std=c99", "-D_GNU_SOURCE", "-ldl", "-lm"]
    subprocess.run([*zig(platform), f"-I{fmi_headers()}", str(source), "-o", str(host), *options], check=True)
    file = unpacked.folder / "binaries" / platform.fmi2 / f"towed{platform.suffix}"
    arguments = [str(file), unpacked.resources, unpacked.token]
    if windows:
        arguments = [
            f"Z:{arguments[0]}".replace("/", "\\"),
            arguments[1].replace("file:///", "file:///Z:/"),
            arguments[2],
        ]
    arguments += ["0.05", "20"] if windows else ["0", "0.05", "20"]
    done = subprocess.run(
        [*launcher, str(host), *arguments, *unpacked.references(["force"])],
        capture_output=True, text=True, timeout=300, check=False,
        env=os.environ | (wine_environment(tmp_path / "wine") if windows else {}),
    )  # fmt: skip
    if windows:
        end_wine(tmp_path / "wine")
    assert done.returncode == 0, done.stderr
    found = [float.fromhex(line.split()[1]) for line in done.stdout.splitlines()]
    np.testing.assert_array_equal(found, truth)
