"""What a run says of the time that it took."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from blocks import simulate
from blocks.basic import Sine
from blocks.compiled.choice import Choice, Choosing
from blocks.run import engine_run
from cython_kernels import engine as native


def test_a_changeover_on_the_way_is_no_part_of_the_time_that_the_run_took(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def look_at_the_clock() -> float:
        now[0] += 0.001
        return now[0]

    def weigh(self: Choosing, seconds: float) -> None:
        now[0] += 1000.0  # as if it compiled for so long
        self.choice = Choice(False, "weighed")

    monkeypatch.setattr(native, "CHECKED_BUILD", False)  # on which "auto" stays with the engine
    monkeypatch.setattr(engine_run, "clock", SimpleNamespace(perf_counter=look_at_the_clock))
    monkeypatch.setattr(Choosing, "weigh", weigh)
    run = simulate(Sine(1.0, 2.0), 40.0, step=0.01, compiled="auto")
    assert now[0] > 1000.0
    assert run.compiled == "by the engine: weighed"
    assert 0.0 < run.attributes["wall_seconds"] < 1.0
