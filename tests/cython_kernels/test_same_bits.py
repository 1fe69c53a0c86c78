"""A part of `python -m benchmarks.same_bits`: one short plan by this machine's compiler, and what the command says."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import benchmarks.same_bits.__main__ as command
from benchmarks.same_bits import judges
from benchmarks.same_bits.cases import matrices_of
from benchmarks.same_bits.job import Answer, Job, compare, run_here
from benchmarks.same_bits.judges import Judge, JudgeError, Program, ThisPython
from benchmarks.same_bits.program import engine_for
from blocks import Diagram
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel3DOF
from blocks.environment import BretschneiderSea, WaveLoad
from blocks.guidance import LineOfSight
from blocks.plan import make_plan
from cython_kernels import engine


def _loop() -> Diagram:
    """A boat among waves that is steered along two legs, with an input for its thrust."""
    loop = Diagram("loop")
    loop.add("sea", BretschneiderSea(0.3, 3.0, frequencies=9, directions=3, seed=1))
    load = loop.add("load", WaveLoad(length=2.0, breadth=1.0, areas=(0.3, 0.9, 2.0)))
    vessel = loop.add("vessel", Vessel3DOF.from_vehicle("otter"))
    guidance = loop.add(
        "guidance",
        LineOfSight(
            waypoints=[[0, 0, 0], [20, 0, 0], [20, 20, 0]], acceptance_radius=2.0, cruise_speed=1.0, lookahead=5.0
        ),
    )
    heading = loop.add("heading", PID(kp=200, kd=150, derivative="rate", angle=True))
    wrench = loop.add("wrench", ComposeWrench())
    loop.inputs(thrust=wrench.X)
    loop.connect(heading.output, wrench.N)
    loop.connect(wrench.force, vessel.force)
    loop.connect("sea.waves", load.waves)
    loop.connect(load.disturbance, vessel.disturbance)
    loop.connect(vessel.eta, load.eta, guidance.eta)
    loop.connect(vessel.nu, guidance.nu)
    loop.connect(guidance.heading, heading.reference)
    loop.connect(vessel.eta["psi"], heading.measurement)
    loop.connect(vessel.nu["r"], heading.rate)
    loop.outputs(eta=vessel.eta)
    return loop


@pytest.fixture(scope="module")
def job() -> Job:
    """4 s of it, and its matrices there."""
    return matrices_of("loop", make_plan(_loop(), solver="rk4", step=0.02, end=4.0), 4.0)


@pytest.fixture(scope="module")
def expected(job: Job) -> Answer:
    return run_here(job)


@pytest.fixture(scope="module")
def engine_c(job: Job, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same_bits") / "engine.c"
    path.write_text(engine_for([job]), encoding="utf-8")
    return path


def test_the_run_says_something(job: Job, expected: Answer) -> None:
    """States move, waves push, and derivatives are there."""
    assert (expected.status, expected.rows) == (0, 201)
    matrices = 2 * len(job.knowns) * len(job.unknowns)
    assert matrices > 100
    assert np.count_nonzero(expected.numbers[-matrices:]) > 30
    assert len(np.unique(expected.numbers)) > 5000


COMPILED = [judge for judge in judges.judges() if judge.name in ("gcc -O0", "gcc -O2", "clang -O0")]


@pytest.mark.parametrize("judge", COMPILED, ids=[judge.name for judge in COMPILED])
def test_compilers_and_their_levels_give_the_same_bits(
    judge: Judge, job: Job, expected: Answer, engine_c: Path, tmp_path: Path
) -> None:
    if missing := judge.missing():
        pytest.skip(f"needs {missing}")
    (found,) = judge.answers([job], engine_c, tmp_path)
    difference = compare(expected, found)
    assert difference.count == 0, difference
    assert difference.of > 10_000


def test_a_last_bit_is_a_difference(job: Job, expected: Answer) -> None:
    """Of one parameter, which is in a whole run."""
    stored = bytearray(job.stored)
    at = stored.index(np.float64(200.0).tobytes())
    stored[at : at + 8] = np.nextafter(200.0, 201.0).tobytes()
    stored[16:24] = engine.fnv1a_hash(bytes(stored[engine.CHECKED_FROM_BYTE :])).to_bytes(8, "little")
    difference = compare(expected, run_here(replace(job, stored=bytes(stored))))
    assert difference.count > 500
    assert 0.0 < difference.worst < 1e-6


def test_numbers_that_are_none_are_equal_and_zeros_have_signs() -> None:
    def answer(*numbers: float) -> Answer:
        return Answer(0, 1, np.array(numbers))

    assert compare(answer(np.nan, 1.0), answer(-np.nan, 1.0)).count == 0
    assert compare(answer(0.0, 1.0), answer(-0.0, 1.0)).count == 1
    assert compare(answer(np.nan), answer(1.0)).worst == np.inf
    assert compare(answer(1.0), answer(1.0, 2.0)).count == 2
    assert compare(answer(1.0), Answer(3, 1, np.array([1.0]))).count == 1


@dataclass(frozen=True)
class _Other(ThisPython):
    """A judge that lacks something, fails, or finds other numbers."""

    lacks: str = ""
    fails: str = ""
    off: float = 0.0

    def missing(self) -> str:
        return self.lacks

    def answers(self, jobs: object, engine_c: Path, folder: Path) -> list[Answer]:
        if self.fails:
            raise JudgeError(self.fails)
        found = super().answers(jobs, engine_c, folder)  # type: ignore[arg-type]
        found[0].numbers[5] += self.off
        return found


def _said(
    monkeypatch: pytest.MonkeyPatch,
    job: Job,
    capsys: pytest.CaptureFixture[str],
    *those: Judge,
    more: tuple[str, ...] = (),
) -> tuple[int, str]:
    monkeypatch.setattr(command, "cases", lambda: {"a loop": lambda: job})
    monkeypatch.setattr(command, "judges", lambda: [*those])
    status = command.main([*more])
    return status, capsys.readouterr().out


def test_the_command_says_what_differs_and_what_is_not_there(
    monkeypatch: pytest.MonkeyPatch, job: Job, capsys: pytest.CaptureFixture[str]
) -> None:
    good = ThisPython("good", ("good",), 0)
    absent = _Other("absent", ("absent",), 0, lacks="wine64: apt-get install wine64")
    assert _said(monkeypatch, job, capsys, absent)[0] == 2
    status, out = _said(monkeypatch, job, capsys, good, absent)
    assert status == 0
    assert "not run, it needs wine64: apt-get install wine64" in out
    status, out = _said(monkeypatch, job, capsys, good, _Other("off", ("off",), 0, off=1e-3))
    assert status == 1
    assert "a loop: 1 of" in out
    assert "at most by 0.001" in out
    status, out = _said(monkeypatch, job, capsys, _Other("broken", ("broken",), 0, fails="it burst"), more=("--json",))
    assert status == 1
    assert json.loads(out)["judges"]["broken"] == {"failed": "it burst"}


def test_a_judge_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--only", "wyne"])
    assert "there is no judge 'wyne'; there are engine, SSE2," in capsys.readouterr().err


def test_what_a_machine_lacks_is_said_with_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(judges.importlib.util, "find_spec", lambda _: None)
    lacked = {judge.missing() for judge in judges.judges()}
    assert {
        "gcc: apt-get install gcc", "clang: apt-get install clang", "zig: pip install 'keelblocks[platforms]'"
    } <= lacked  # fmt: skip
    emulated = Program("arm64", (), "cc", (), launcher="qemu-aarch64")
    monkeypatch.setattr(shutil, "which", lambda tool: "/bin/cc" if tool == "cc" else None)
    assert emulated.missing() == "qemu-aarch64: apt-get install qemu-user"
