"""FMUs in a process without Python: a host of a few lines of C."""

from __future__ import annotations

import subprocess

import fmpy
import numpy as np
import pytest
from c_host import COMPILER, HOSTS, MISSING, STRICT

from blocks import simulate
from fmu import runtime
from fmu.runtime.build.runtimes import fmi_headers

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """The C host, compiled."""
    program = tmp_path_factory.mktemp("host") / "host"
    source = HOSTS / "host.c"
    subprocess.run(
        [*COMPILER, *STRICT, "-O1", f"-I{fmi_headers()}", str(source), "-o", str(program), "-ldl"], check=True
    )
    return program


def run(host, path, folder, *names, guid=None, steps=100):
    """The host's process after it has stepped an FMU."""
    described = fmpy.read_model_description(path)
    references = {v.name: v.valueReference for v in described.modelVariables}
    fmpy.extract(path, unzipdir=folder)
    (library,) = (folder / "binaries" / runtime.fmi_platform()[0]).iterdir()
    location = (folder / "resources").as_uri()
    arguments = [guid or described.guid, "0", "0.02", str(steps), *(str(references[n]) for n in names)]
    return subprocess.run([host, library, location, *arguments], capture_output=True, text=True, timeout=60)


def test_a_c_host_gets_the_numbers_of_simulate_bit_for_bit(models, exported, host, tmp_path):
    names = [f"eta[{i}]" for i in range(1, 7)] + ["error"]
    done = run(host, exported("guided_vessel"), tmp_path / "fmu", *names)
    assert (done.returncode, done.stderr) == (0, "")
    rows = np.array([[float.fromhex(text) for text in line.split()] for line in done.stdout.splitlines()])
    result = simulate(models.guided_vessel(), 2.0, step=0.02, record=["eta", "error"])
    np.testing.assert_array_equal(rows[:, 1:7], result.values("eta"))
    np.testing.assert_array_equal(rows[:, 7], result.values("error"))


def test_a_c_host_sees_why_an_instance_is_refused(exported, host, tmp_path):
    done = run(host, exported("mixed"), tmp_path / "fmu", guid="wrong")
    assert done.returncode == 1
    assert "host [logStatusError, 3] fmi2Instantiate: the GUID wrong is not that of" in done.stderr
    folder = tmp_path / "100% full"
    (tmp_path / "fmu").rename(folder)
    (library,) = (folder / "binaries" / runtime.fmi_platform()[0]).iterdir()
    (folder / "resources" / "plan.bin").unlink()
    done = subprocess.run(
        [host, library, str(folder / "resources"), "wrong", "0", "0.1", "1"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f"cannot read '{folder}/resources/plan.bin': No such file or directory" in done.stderr
