"""Every block and the Minerva mission in a host of a few lines of C: no Python, no C++, nothing but dlopen."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_agree
from c_host import MISSING, Unpacked, compile_host, run_host

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """The host, compiled."""
    return compile_host("host", tmp_path_factory.mktemp("host"))


def test_a_c_host_computes_what_this_process_does(subject, host, export, tmp_path):
    unpacked = Unpacked.of(export(subject, "2.0"), tmp_path / "fmu")
    step = subject.communication_step
    done = run_host(host, unpacked, step, subject.steps, subject.output_names(), subject.input_columns())
    assert (done.returncode, done.stderr) == (0, "")
    rows = np.array([[float.fromhex(text) for text in line.split()] for line in done.stdout.splitlines()])
    np.testing.assert_allclose(rows[:, 0], subject.time, rtol=0.0, atol=1e-9)
    assert_agree(rows[:, 1:], subject.run)
