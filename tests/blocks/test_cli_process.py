"""The command as a process: no tracebacks, exit codes, and signals while it runs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from blocks.result import Result

COMMAND = [sys.executable, "-c", "from blocks.cli import main; main()"]

SLOW = """\
import sys
from blocks import Output, PythonBlock


class Slow(PythonBlock):
    \"\"\"Says when it has begun.\"\"\"

    y = Output()
    begun = False

    def outputs(self, t, states, inputs):
        if t > 1.0 and not self.begun:
            self.begun = True
            print("begun", file=sys.stderr, flush=True)
        return {"y": t}
"""

SCENARIO = """\
keelblocks: 1
name: slow
diagram:
  blocks:
    slow: {type: Slow}
    x: {type: basic.Integrator}
  connections: {slow.y: x.u}
run: {step: 0.01, end: 1000000, every: 1000}
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_long_run_and_loses_nothing(number: signal.Signals) -> None:
    Path("slow_blocks.py").write_text(SLOW)
    Path("slow.yaml").write_text(SCENARIO)
    command = [*COMMAND, "--import", "slow_blocks", "run", "slow.yaml", "--no-figures"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        process.send_signal(number)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Error: interrupted at t = " in errors
    assert "What was recorded until then is in results/slow/slow.nc" in errors
    assert "Traceback" not in errors
    assert len(Result.load("results/slow/slow.nc").time) >= 1


def test_bad_input_shows_no_traceback() -> None:
    Path("bad.yaml").write_bytes(b"\xff\xfe\x00")
    done = subprocess.run([*COMMAND, "run", "bad.yaml"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "Error: bad.yaml is not a text file: it holds binary data\n"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen([*COMMAND, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        errors = process.stderr.read()
    assert errors == b""
    assert process.returncode in (0, 1)  # as click has it, which has changed its mind
