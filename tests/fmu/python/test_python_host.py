"""FMUs with blocks written in Python in tools written in C: the stub finds a Python, or says that there is none."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import c_host
import fmpy
import numpy as np
import pytest
from python_models import moody, tethered, turning

import fmu
from blocks import simulate
from fmu import runtime
from fmu.runtime.build.runtimes import fmi_headers

ROOT = str(Path(fmu.__file__).parents[1])
LIBRARY = Path(str(sysconfig.get_config_var("LIBDIR")), str(sysconfig.get_config_var("INSTSONAME")))
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux" or c_host.MISSING, reason="needs Linux and a C compiler"),
    pytest.mark.skipif(not LIBRARY.is_file(), reason="this Python has no shared library"),
]


class Unpacked:
    """An FMU in a folder."""

    def __init__(self, make, folder, **settings):
        path = folder / "model.fmu"
        with pytest.warns(fmu.PythonNeeded):
            fmu.export(make, path, step=0.1, **settings)
        described = fmpy.read_model_description(path)
        self.folder = Path(fmpy.extract(path, unzipdir=folder / "unpacked"))
        self.guid = described.guid
        self.variables = described.modelVariables
        self.references = {v.name: str(v.valueReference) for v in described.modelVariables}
        self.library = self.folder / "binaries" / "linux64" / f"{described.coSimulation.modelIdentifier}.so"
        self.resources = (self.folder / "resources").as_uri()


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The hosts, compiled."""
    folder = tmp_path_factory.mktemp("hosts")
    return {name: c_host.compile_host(name, folder) for name in ("host", "embedding", "fuzz2")}


@pytest.fixture(scope="module")
def tether(tmp_path_factory):
    """The tethered vessel."""
    return Unpacked(tethered(), tmp_path_factory.mktemp("tether"))


def run(program, *arguments, **environment):
    """A host without any Python in it, and with no variables of the environment but these."""
    clean = {"PATH": "/usr/bin:/bin"} | environment
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=60, env=clean)


def in_host(programs, model, *names, steps=20, guid=None, **environment):
    """Step an FMU in the C host."""
    references = [model.references[name] for name in names]
    own = (model.library, model.resources, guid or model.guid, 0, 0.1, steps, *references)
    return run(programs["host"], *own, **environment)


@pytest.mark.parametrize("how", ["named", "path", "library"])
def test_a_c_host_gets_the_numbers_of_simulate_bit_for_bit(programs, tether, tmp_path, how):
    (tmp_path / "python3").symlink_to(sys.executable)
    site = sysconfig.get_path("purelib")
    environment = {
        "named": {"KEELBLOCKS_PYTHON": sys.executable, "PYTHONPATH": ROOT},
        "path": {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONPATH": ROOT},
        "library": {"KEELBLOCKS_PYTHON": str(LIBRARY), "PYTHONPATH": f"{ROOT}:{site}"},
    }[how]
    if how == "path" and not Path(sys.executable).with_name("python3").exists():
        pytest.skip("the Python of these tests is not called python3")
    done = in_host(programs, tether, "eta[1]", "stretch", "total", **environment)
    assert (done.stderr, done.returncode) == ("", 0)
    rows = np.array([[float.fromhex(text) for text in line.split()] for line in done.stdout.splitlines()])
    result = simulate(tethered(), 2.0, step=0.1, inputs={"thrust": 0.0})
    np.testing.assert_array_equal(rows[:, 1], result.values("vessel.eta")[:, 0])
    np.testing.assert_array_equal(rows[:, 2], result.values("tether.stretch"))
    np.testing.assert_array_equal(rows[:, 3], result.values("tally.total"))


@pytest.mark.parametrize("named", ["/nowhere/bin/python3", "/bin/false"])
def test_no_python(programs, tether, named):
    done = in_host(programs, tether, "stretch", KEELBLOCKS_PYTHON=named)
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"host [logStatusError, 3] fmi2Instantiate: this FMU has blocks written in Python and cannot run here: "
        f"'{named}' is no Python that runs. documentation/index.html says what it needs; the environment variable "
        f"KEELBLOCKS_PYTHON names the Python to take"
    )
    assert "fmi2Instantiate: no instance" in done.stderr


def test_a_python_without_a_shared_library(programs, tether, tmp_path):
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\necho /opt/python/bin/python3\necho 3.99\necho /nowhere/libpython3.99.so\n")
    python.chmod(0o755)
    done = in_host(programs, tether, "stretch", KEELBLOCKS_PYTHON=str(python))
    assert done.returncode == 1
    assert (
        "the Python 3.99 at '/opt/python/bin/python3' has no shared library libpython3.99.so: install it (Debian, "
        "Ubuntu: apt install libpython3.99), or take another Python"
    ) in done.stderr


def test_a_python_without_keelblocks(programs, tether, tmp_path):
    base = getattr(sys, "_base_executable", sys.executable)
    empty = tmp_path / "env"
    subprocess.run([base, "-m", "venv", "--without-pip", str(empty)], check=True)
    done = in_host(programs, tether, "stretch", KEELBLOCKS_PYTHON=str(empty / "bin" / "python"))
    assert done.returncode == 1
    assert "this FMU needs Python >= 3.10 with keelblocks " in done.stderr
    assert f"({sys.version.split()[0]} at {empty}) does not have that: ModuleNotFoundError" in done.stderr
    assert "Install it there with: pip install keelblocks==" in done.stderr


def test_a_guid_of_another_fmu(programs, tether):
    done = in_host(programs, tether, "stretch", guid="wrong", KEELBLOCKS_PYTHON=sys.executable, PYTHONPATH=ROOT)
    assert done.returncode == 1
    assert "the GUID wrong is not that of this FMU's resources" in done.stderr


def test_a_missing_wrapper(programs, tmp_path):
    model = Unpacked(turning(), tmp_path)
    model.library.with_name("turning_wrapper.so").unlink()
    done = in_host(programs, model, "turns", KEELBLOCKS_PYTHON=sys.executable, PYTHONPATH=ROOT)
    assert done.returncode == 1
    assert "cannot run here: cannot load the wrapper: " in done.stderr


@pytest.mark.parametrize("own_python", [False, True])
def test_several_fmus_several_times_with_one_python(programs, tmp_path, own_python):
    models = []
    for gain in (2.0, 3.0):
        folder = tmp_path / str(gain)
        folder.mkdir()
        model = Unpacked(turning(gain=gain, initial_psi=2.0 * np.pi * gain), folder)
        models += [model.library, model.resources, model.guid, model.references["turns"]]
    site = sysconfig.get_path("purelib")
    # a tool that has a Python already: no other may be asked, or loaded
    other = {"KEELBLOCKS_PYTHON": "/nowhere/python3" if own_python else sys.executable}
    if own_python:
        other["PYTHONHOME"] = sys.base_prefix
    python = LIBRARY if own_python else "-"
    done = run(programs["embedding"], python, 3, *models, PYTHONPATH=f"{ROOT}:{site}", **other)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == "2 2 3 3 \n" * 3 + "1\n"


def test_what_a_block_prints_is_not_lost(programs, tmp_path, monkeypatch):
    (tmp_path / "my_printing_blocks.py").write_text(
        "from python_models import TurnCounter\n\n\nclass Printing(TurnCounter, abstract=True):\n"
        '    """Prints."""\n\n    def outputs(self, t, states, inputs):\n        """Prints."""\n'
        "        print('turning')\n        return super().outputs(t, states, inputs)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from my_printing_blocks import Printing

    model = Unpacked(Printing(), tmp_path)
    done = in_host(programs, model, "turns", steps=1, KEELBLOCKS_PYTHON=sys.executable, PYTHONPATH=ROOT)
    assert (done.stderr, done.returncode) == ("", 0)
    assert "turning\n" in done.stdout


@pytest.mark.parametrize("make", [turning, moody])
def test_random_calls_are_answered_by_their_status(programs, tmp_path, make):
    model = Unpacked(make(), tmp_path)
    letters = {"Real": "R", "Integer": "I", "Enumeration": "I", "Boolean": "B"}
    roles = {"input": "i", "parameter": "f"}
    table = tmp_path / "variables"
    table.write_text(
        "0 0\n"
        + "".join(
            f"{letters[v.type]} {v.valueReference} 1 "
            f"{'t' if v.variability == 'tunable' else roles.get(v.causality, 'o')}\n"
            for v in model.variables
        )
    )
    own = (model.library, model.resources, model.guid, table, 0.1, 1, 2000, 0)
    done = run(programs["fuzz2"], *own, KEELBLOCKS_PYTHON=sys.executable, PYTHONPATH=ROOT)
    assert (done.stderr, done.returncode) == ("", 0)
    ok, warnings, discarded, errors, steps = (int(number) for number in done.stdout.split())
    assert (ok > 500, warnings, discarded > 0, errors > 200, steps > 40) == (True, 0, True, True, True)


def test_the_stub_is_clean_c99():
    command = [*c_host.COMPILER, *c_host.STRICT, "-fsyntax-only", f"-I{c_host.SOURCES}", f"-I{fmi_headers()}"]
    done = subprocess.run([*command, str(c_host.SOURCES / "python_stub.c")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("nm") is None, reason="reads an ELF file with nm")
def test_the_stub_needs_the_c_library_only_and_shows_fmi_only():
    binary = runtime.BINARIES / "x86_64-linux" / "python_stub.so"
    needed = subprocess.run(["nm", "-D", "--undefined-only", binary], capture_output=True, text=True, check=True)
    foreign = [line for line in needed.stdout.splitlines() if not re.search(r" (U \w+@+GLIBC_\S+|w \w+(@\S+)?)$", line)]
    assert foreign == []
    shown = subprocess.run(["nm", "-D", "--defined-only", binary], capture_output=True, text=True, check=True)
    names = [line.split()[-1] for line in shown.stdout.splitlines()]
    assert len([name for name in names if name.startswith("fmi2")]) == 44
    assert len([name for name in names if name.startswith("fmi3")]) == 75
    assert all(name.startswith(("fmi2", "fmi3")) for name in names)
