"""The command as a process: no tracebacks, exit codes, and signals while it runs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from blocks.run.result import Result

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from blocks.cli import main; main()"]

INTERRUPTED = """\
import os, signal, sys

import blocks.cli

left = int(sys.argv.pop(1))


def interrupt(event, arguments):
    global left
    left -= event == "import"
    if left == 0 and event == "import":
        os.kill(os.getpid(), signal.SIGINT)


sys.addaudithook(interrupt)
blocks.cli.main()
"""
"""The command with a Ctrl-C at one of the two thousand imports that a run makes."""

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


SHORT = """\
keelblocks: 1
name: short
diagram:
  blocks: {c: {type: basic.Constant, parameters: {value: 1.0}}}
  outputs: {y: c.y}
run: {step: 0.01, end: 1}
"""

LEAVING = """\
import sys
from blocks import Output, PythonBlock, State


class Leaving(PythonBlock):
    \"\"\"Leaves after a second.\"\"\"

    y = Output()
    x = State()
    z = State(discrete=True)

    def outputs(self, t, states, inputs):
        return {"y": self.seen("outputs", t)}

    def derivatives(self, t, states, inputs):
        return {"x": self.seen("derivatives", t)}

    def update(self, t, states, inputs):
        return {"z": self.seen("update", t)}

    def seen(self, method, t):
        if t >= 1.0 and method == "METHOD":
            sys.exit(3)
        return 0.0
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
    assert "what was recorded until then is in results/slow/slow.nc" in errors
    assert "Traceback" not in errors
    assert len(Result.load("results/slow/slow.nc").time) >= 1


@pytest.mark.parametrize("number", [20, 400, 800])
def test_an_interrupt_while_modules_load_is_one_line(number: int) -> None:
    Path("short.yaml").write_text(SHORT)
    command = [sys.executable, "-c", INTERRUPTED, str(number), "run", "short.yaml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr.startswith("Error: interrupted")
    assert done.stderr.count("\n") == 1


def test_an_interrupt_that_had_to_wait_is_heard_when_the_command_is_over() -> None:
    """It comes while a module is imported, and what is left to do takes less time than until it is tried again."""
    Path("asks.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    slow = "from blocks.cli import interrupts, main; interrupts._RETRY_DELAY = 60.0; main()"
    for arguments in (["--import", "asks", "list"], ["--import", "asks", "--version"]):
        done = subprocess.run([sys.executable, "-c", slow, *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (130, "Error: interrupted\n")


def test_an_interrupt_while_a_result_is_written_waits_for_it() -> None:
    Path("short.yaml").write_text(SHORT)
    script = """
import os, signal
import blocks.cli
from blocks.run.result import Result

save = Result.save


def interrupted(self, path):
    os.kill(os.getpid(), signal.SIGINT)
    return save(self, path)


Result.save = interrupted
blocks.cli.main()
"""
    command = [sys.executable, "-c", script, "run", "short.yaml", "--no-figures"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "Error: interrupted\n")
    assert len(Result.load("results/short/short.nc").time) == 101


@pytest.mark.parametrize("method", ["derivatives"])
def test_a_block_that_leaves_keeps_the_partial_result(method: str) -> None:
    Path("leaving_blocks.py").write_text(LEAVING.replace("METHOD", method))
    Path("leaving.yaml").write_text(
        SCENARIO.replace("Slow", "Leaving").replace("slow", "leaving").replace("every: 1000", "every: 10")
    )
    command = [*COMMAND, "--import", "leaving_blocks", "run", "leaving.yaml", "--no-figures"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "Error: leaving stopped the run at t = 1" in done.stderr
    assert f"SystemExit in {method}: 3 (" in done.stderr
    assert "leaving_blocks.py:" in done.stderr
    assert "; what was recorded until then is in results/leaving/leaving.nc\n" in done.stderr
    assert done.stderr.count("\n") == 1
    assert Result.load("results/leaving/leaving.nc").time[-1] > 0.5


def test_a_module_that_leaves_while_it_is_imported_is_bad_input() -> None:
    Path("gone.py").write_text("import sys\nsys.exit(3)\n")
    done = subprocess.run([*COMMAND, "--import", "gone", "list"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "cannot import 'gone': SystemExit: 3 (" in done.stderr


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
