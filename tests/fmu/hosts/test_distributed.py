"""FMUs on another machine, here the loopback: Ecos' `proxyfmu` takes ours over TCP and gives the same numbers."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from importlib.metadata import files
from pathlib import Path

import pytest
from cosimulation import Job, cosimulate

import fmu
from blocks import Diagram
from blocks.basic import Gain, Integrator

STEPS = 40


@pytest.fixture
def proxyfmu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program that runs an FMU in a process of its own, on the path; ecospy has it without the right to run."""
    found = next((file for file in files("ecospy") or () if file.name == "proxyfmu"), None)
    if found is None or os.name == "nt":
        pytest.skip("this ecospy has no proxyfmu for here")
    own = tmp_path / "bin" / "proxyfmu"
    own.parent.mkdir()
    shutil.copy(str(found.locate()), own)
    own.chmod(0o755)
    monkeypatch.setenv("PATH", f"{own.parent}{os.pathsep}{os.environ['PATH']}")
    return own


def oscillator(folder: Path, address: str) -> Job:
    """ẋ = v in one FMU, v̇ = −4x in the other, each at an address."""
    first, second = Diagram("first"), Diagram("second")
    first.add("x", Integrator(initial_x=1.0))
    first.inputs(v="x.u")
    first.outputs(x="x.y")
    second.add("stiffness", Gain(-4.0))
    second.add("v", Integrator(initial_x=0.5))
    second.connect("stiffness.y", "v.u")
    second.inputs(x="stiffness.u")
    second.outputs(v="v.y")
    parts = {one.own_name: fmu.export(one, folder / f"{one.own_name}.fmu", step=0.01) for one in (first, second)}
    models = {name: f"{address}{path}" for name, path in parts.items()}
    wires = [("first.x", "second.x"), ("second.v", "first.v")]
    return Job(models, 0.05, STEPS, ["first.x", "second.v"], wires)  # type: ignore[arg-type]


def run(job: Job, folder: Path) -> bytes:
    (found,) = cosimulate("ecos", [job], folder)
    assert not isinstance(found, str), found
    assert found.shape == (STEPS, 2)
    return found.tobytes()


def test_an_fmu_in_a_process_and_on_a_machine_of_its_own(proxyfmu: Path, tmp_path: Path) -> None:
    here = run(oscillator(tmp_path, ""), tmp_path)
    assert run(oscillator(tmp_path, "proxyfmu://localhost?file="), tmp_path) == here
    port = _free_port()
    command = [str(proxyfmu), "boot", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as booter:
        try:
            assert booter.stdout
            assert f"serving on port {port}" in booter.stdout.readline()
            assert run(oscillator(tmp_path, f"proxyfmu://127.0.0.1:{port}?file="), tmp_path) == here
        finally:
            booter.kill()


def _free_port() -> int:
    """One that Ecos takes, which has ports as numbers of 16 bits with a sign."""
    for port in range(21000 + os.getpid() % 1000, 32000):
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
