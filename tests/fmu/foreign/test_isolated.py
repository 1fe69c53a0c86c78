"""FMUs in processes of their own: what they do to themselves is an error of their block, and the run survives."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from foreign_fmus import build

import fmu
from blocks import Diagram, RunStopped, simulate
from blocks.basic import FirstOrderLag, Sine
from blocks.errors import FmuError
from fmu import FmuBlock
from fmu.foreign.isolated import IsolatedInstance

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals have other names elsewhere")


@pytest.fixture(scope="module")
def trouble(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("trouble", tmp_path_factory.mktemp("trouble"))


def isolated(path: Path, kind: str, **options: float) -> FmuBlock:
    return FmuBlock(path, 0.1, parameters={"kind": kind}, isolate=True, **options)


def has_ended(pid: int) -> bool:
    """True if there is no such process, or only what is left of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def processes_of(folder: str | Path) -> list[int]:
    """Those that have a library loaded from a folder."""
    found = []
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with contextlib.suppress(OSError):
            if str(folder) in maps.read_text():
                found.append(int(maps.parent.name))
    return found


def wait_for(condition: object) -> None:
    until = time.monotonic() + 20.0
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < until
        time.sleep(0.02)


def test_an_isolated_fmu_is_the_same_to_the_last_bit(tmp_path: Path) -> None:
    path = fmu.export(FirstOrderLag(0.4), tmp_path / "lag.fmu", step=0.02)
    runs = []
    for isolate in (False, True):
        diagram = Diagram()
        diagram.add("sine", Sine(1.0, 3.0))
        diagram.add("lag", FmuBlock(path, isolate=isolate))
        diagram.connect("sine.y", "lag.u")
        runs.append([simulate(diagram, 1.0, step=0.02).values("lag.y").tobytes() for _ in range(2)])
    assert runs[0] == runs[1]
    assert runs[0][0] == runs[0][1]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("segfault", r"trouble.fmu crashed: its process was ended by SIGSEGV during its step from t = 0.4 s to 0.5 s"),
        ("abort", r"ended by SIGABRT during .*; it printed: assertion failed: water is wet"),
        ("exit", r"trouble.fmu ended its process, with exit code 7 during its step from t = 0.4 s to 0.5 s"),
        (
            "hang",
            r"does not answer: its step from t = 0.4 s to 0.5 s took more than 1 s \(timeout\), and its process",
        ),
        (
            "error",
            r"its step from t = 0.4 s to 0.5 s failed with an error \(fmi2DoStep\); it says: error: the tank bursts",
        ),
        ("fatal", r"failed fatally \(fmi2DoStep\); it says: fatal: memory is corrupt"),
        ("nan", r"its output y is not a finite number"),
        ("flood", r"ended by SIGABRT during .*; it printed 4,000,000 bytes, at the end: .* \| 0+99999$"),
    ],
)
def test_what_it_does_stops_the_run_and_what_was_recorded_is_there(trouble: Path, kind: str, said: str) -> None:
    diagram = Diagram()
    diagram.add("pump", isolated(trouble, kind, timeout=1.0))
    diagram.add("other", Sine(1.0, 1.0))
    with pytest.raises(RunStopped, match=rf"pump stopped the run at t = 0.5 s: .*{said}") as caught:
        simulate(diagram, 1.0, step=0.1)
    assert caught.value.result.values("pump.y") == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])


def test_a_leak_meets_the_limit(trouble: Path) -> None:
    """60 MB per step from 0.5 s on, with a limit of 150 MB: the third is too much."""
    with pytest.raises(
        RunStopped, match=r"trouble.fmu takes 1[6-9]\d MB of memory at t = 0.7 s; memory_limit is 150 MB"
    ):
        simulate(isolated(trouble, "leak", memory_limit=150.0), 1.0, step=0.1)
    run = simulate(isolated(trouble, "leak"), 0.6, step=0.1)
    assert len(run) == 7


def test_memory_taken_at_once_is_refused_by_the_system(trouble: Path) -> None:
    """A single step that takes more than there is fails within the FMU, which says so."""
    with pytest.raises(RunStopped, match=r"no memory for 6e\+07 bytes|takes .* MB of memory"):
        simulate(isolated(trouble, "leak", memory_limit=1.0), 1.0, step=0.1)


def test_what_it_prints_is_no_message(trouble: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run = simulate(isolated(trouble, "print"), 1.0, step=0.1)
    assert run.values("trouble.y")[-1] == pytest.approx(1.0)
    assert capfd.readouterr().out == ""


def test_the_block_can_be_run_again_after_a_crash(trouble: Path) -> None:
    block = isolated(trouble, "segfault")
    for _ in range(2):
        with pytest.raises(RunStopped, match="SIGSEGV"):
            simulate(block, 1.0, step=0.1)
    block.set(kind="none")
    assert len(simulate(block, 1.0, step=0.1)) == 11


def test_a_crash_while_it_is_loaded_or_freed(trouble: Path) -> None:
    instance = IsolatedInstance(isolated(trouble, "none")._spec(), "pump", 10.0, 0.0)
    instance._child._process.kill()
    with pytest.raises(FmuError, match=r"crashed: its process was ended by SIGKILL during beginning a run"):
        instance.begin(0.0)
    with pytest.raises(FmuError, match="SIGKILL"):
        instance.read(np.zeros(0))
    instance.close()
    with pytest.raises(FmuError, match="SIGKILL"):
        instance.step(np.zeros(0))


def test_no_process_is_left_behind(trouble: Path) -> None:
    instance = IsolatedInstance(isolated(trouble, "none")._spec(), "pump", 10.0, 0.0)
    pid = instance._child.pid
    instance.begin(0.0)
    assert not has_ended(pid)
    instance.close()
    assert has_ended(pid)
    instance = IsolatedInstance(isolated(trouble, "none")._spec(), "pump", 10.0, 0.0)
    pid = instance._child.pid
    del instance
    wait_for(lambda: has_ended(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("kind", ["children", "children_and_crash"])
def test_children_of_its_children_end_with_it(trouble: Path, kind: str) -> None:
    """Of them, one has left the session and the process group, and its parent lives."""
    block = isolated(trouble, kind)
    folder = block._spec().folder
    instance = IsolatedInstance(block._spec(), "pump", 10.0, 0.0)
    instance.begin(0.0)
    with contextlib.suppress(FmuError):
        for _ in range(5):
            instance.step(np.zeros(0))
    if kind == "children":
        wait_for(lambda: len(processes_of(folder)) == 3)
        instance.close()
    wait_for(lambda: not processes_of(folder))


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the process in /proc")
@pytest.mark.parametrize("kind", ["none", "hang", "children"])
def test_the_process_ends_with_its_parent_even_if_that_is_killed(trouble: Path, kind: str, tmp_path: Path) -> None:
    script = textwrap.dedent(f"""
        import numpy as np
        from fmu import FmuBlock
        from fmu.foreign.isolated import IsolatedInstance
        block = FmuBlock({str(trouble)!r}, 0.1, parameters={{"kind": {kind!r}, "at": 0.0}}, isolate=True)
        instance = IsolatedInstance(block._spec(), "pump", 1000.0, 0.0)
        instance.begin(0.0)
        instance.read(np.zeros(0))
        print(instance._child.pid, flush=True)
        if {kind!r} != "none":
            instance.step(np.zeros(0))
        import time
        time.sleep(1000)
    """)
    own_place = os.environ | {"TMPDIR": str(tmp_path)}  # who is killed cannot tidy up
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=own_place) as parent:
        try:
            assert parent.stdout is not None
            pid = int(parent.stdout.readline())
            time.sleep(0.2)
            assert not has_ended(pid)
            if kind == "children":
                wait_for(lambda: len(processes_of(tmp_path)) == 3)
        finally:
            parent.kill()
    wait_for(lambda: has_ended(pid))
    wait_for(lambda: not processes_of(tmp_path))
