""" "auto", what it weighs, and what is refused in which words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from same_bits import assert_same
from study_subjects import doubling, lag, noisy_study

from blocks import Fleet, Simulator, Swarm, simulate
from blocks.basic import Sine
from blocks.cli.commands import cli
from blocks.compiled import choice, opening, times
from blocks.compiled.choice import Choosing
from blocks.compiled.structure import Structure
from blocks.errors import SimulationError
from blocks.plan import make_plan
from cython_kernels import engine as native

SHORT: dict[str, Any] = {"step": 0.01, "inputs": {"u": 1.0}}


def test_a_short_run_is_not_compiled(empty_cache: Path) -> None:
    run = simulate(lag(), 1.0, compiled="auto", **SHORT)
    assert run.compiled.startswith("by the engine: ")
    assert not empty_cache.exists()


def test_a_long_run_changes_over_on_the_way(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if compiling took next to no time: the run begins with the engine, and has its numbers to the end."""
    monkeypatch.setattr(choice, "LEAST", 0.0)
    monkeypatch.setattr(times, "estimate", lambda structure, together=False: 0.0)
    run = simulate(lag(), 40.0, compiled="auto", **SHORT)
    assert re.fullmatch(r"compiled: in [\d.]+ s, for what the engine takes about [\d.e-]+ s", run.compiled)
    assert_same(simulate(lag(), 40.0, **SHORT), run)
    assert "kept from an earlier run" in simulate(lag(), 40.0, compiled="auto", **SHORT).compiled


def test_it_is_not_compiled_where_that_takes_longer_than_it_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(times, "estimate", lambda structure, together=False: 100.0)
    monkeypatch.setattr(opening, "kept", lambda structure: None)
    chosen = Choosing(make_plan(Sine(1.0, 2.0)), "auto")
    chosen.weigh(40.0)
    chosen.weigh(1.0)  # what is left grows less: the first is told
    assert chosen.code is None
    told = "by the engine: it takes about 40 s, and compiling takes about 100 s, to save 6 s"
    assert str(chosen.decided("")) == told


def test_a_checked_build_stays_with_the_engine_unless_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which guards calls of kernels there."""
    monkeypatch.setattr(native, "CHECKED_BUILD", True)
    told = simulate(lag(), 1.0, compiled="auto", **SHORT).compiled
    assert told == "by the engine: a checked build guards calls of kernels, which compiled code does not"
    assert simulate(lag(), 1.0, compiled=True, **SHORT).compiled.startswith("compiled: ")


def test_what_compiling_takes_is_kept_as_measured(empty_cache: Path) -> None:
    plan = Structure(make_plan(lag(), input_shapes={"u": ()}).stored)
    before = times.estimate(plan)
    times.note(plan, 7.0)
    assert times.estimate(plan) == pytest.approx(7.0)
    assert before != pytest.approx(7.0)
    assert times.estimate(plan, together=True) == pytest.approx(1.5 * 7.0)  # until one was measured
    times.note(plan, 9.0, together=True)
    assert times.estimate(plan, together=True) == pytest.approx(9.0)
    assert times.estimate(plan) == pytest.approx(7.0)
    too_much = (b"[1e999]", b"[1" + b"0" * 400 + b"]", b"[" * 9999)
    for damaged in (b"", b"[1,", b'{"a": 1}', b'["x"]', b"[[1]]", b"3", *too_much):
        (empty_cache / "seconds.json").write_bytes(damaged)
        assert times.estimate(plan) == before


def test_steps_from_outside_have_no_end_to_be_weighed(empty_cache: Path) -> None:
    with Simulator(lag(), **SHORT, compiled="auto") as simulator:
        assert simulator.compiled == "by the engine: it was not compiled before"
    with Fleet(lag(), 2, **SHORT, compiled="auto") as fleet:
        assert fleet.compiled == "by the engine: it was not compiled before"


def test_a_swarm_and_a_study_are_weighed_as_a_whole(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    monkeypatch.setattr(Choosing, "weigh", lambda self, seconds: asked.append(seconds))
    Swarm(lag(), 10, inputs={"u": 1.0}).run(5.0, step=0.01, threads=1, compiled="auto")
    Swarm(lag(), 1000, inputs={"u": 1.0}).run(5.0, step=0.01, threads=1, record=[], compiled="auto")
    noisy_study(24).run("serial", compiled="auto")
    noisy_study(2400).run("serial", compiled="auto")
    assert asked[1] > 10 * asked[0] > 0.0
    assert asked[3] > 10 * asked[2] > 0.0


@pytest.mark.parametrize("value", ["yes", 1, None, "Auto", 0.0, np.array([1, 2])])
def test_other_words_are_refused(value: Any) -> None:
    calls = (
        lambda: simulate(lag(), 1.0, compiled=value, **SHORT),
        lambda: Simulator(lag(), compiled=value, **SHORT),
        lambda: Fleet(lag(), 2, compiled=value, **SHORT),
        lambda: noisy_study().run("serial", compiled=value),
    )
    for call in calls:
        with pytest.raises(SimulationError, match=r"compiled is False, True or 'auto', not "):
            call()


def test_blocks_in_python_and_solvers_of_scipy_are_refused_and_auto_goes_on() -> None:
    python = r"cannot be compiled with 'double', which runs in Python: leave `compiled` out, or write it as a formula"
    with pytest.raises(SimulationError, match=python):
        simulate(doubling(), 0.1, compiled=True)
    assert re.search(python, simulate(doubling(), 0.1, compiled="auto").compiled)
    scipy = r"cannot be compiled for LSODA, which is stepped from Python: leave `compiled` out, or take euler"
    with pytest.raises(SimulationError, match=scipy):
        simulate(lag(), 0.1, solver="LSODA", compiled=True, **SHORT)
    run = simulate(lag(), 0.1, solver="LSODA", compiled="auto", **SHORT)
    assert re.search(scipy, run.compiled)
    with pytest.raises(SimulationError, match=python):
        Simulator(doubling(), compiled=True)


def test_the_command_line_says_what_was_chosen(tmp_path: Path) -> None:
    (tmp_path / "sine.yaml").write_text(
        "keelblocks: 1\nname: sine\ndiagram:\n  blocks:\n    s:\n      type: basic.Sine\n"
        "      parameters: {amplitude: 1.0, frequency: 2.0}\nrun: {end: 1, step: 0.1}\n"
    )

    def run(*options: str) -> Any:
        return CliRunner().invoke(cli, ["run", "sine.yaml", "--no-figures", *options])

    assert re.search(r"^compiled: ", run("--compiled").output, re.M)
    assert re.search(r"^by the engine: |^compiled: ", run("--compiled-if-faster").output, re.M)
    assert "compiled" not in run().output
    assert json.loads(run("--compiled", "--json").output)["compiled"].startswith("compiled: ")
    both = run("--compiled", "--compiled-if-faster")
    assert both.exit_code == 2
    assert "exclude each other" in both.output


@pytest.mark.slow
def test_a_study_on_the_command_line(tmp_path: Path) -> None:
    file = Path(__file__).parents[3] / "examples" / "studies" / "minerva_currents.yaml"

    def run(output: str, *options: str) -> str:
        done = CliRunner().invoke(cli, ["study", "run", str(file), "--end", "30 s", "--output", output, *options])
        assert done.exit_code == 0, done.output
        return done.output

    assert "compiled" not in run("engine.csv")
    assert re.search(r"^compiled: ", run("compiled.csv", "--compiled"), re.M)
    assert re.search(r"^compiled: kept from an earlier run", run("auto.csv", "--compiled-if-faster"), re.M)
    assert Path("engine.csv").read_bytes() == Path("compiled.csv").read_bytes() == Path("auto.csv").read_bytes()
