"""LSODA, BDF and Radau in studies: measured as by the engine, the same wherever they run."""

from __future__ import annotations

import numpy as np
import pytest
from study_subjects import blow_up, lag, noise, response, swing

from blocks import simulate
from blocks.study import Metric, Study

WORDS = ("mean", "rms", "standard_deviation", "least", "greatest", "final")


@pytest.mark.parametrize("solver", ["LSODA", "BDF", "Radau"])
def test_members_are_those_of_the_equation_and_of_simulate(solver: str) -> None:
    metrics = {word: f"{word}(lag.y)" for word in WORDS} | {"points": Metric(len, "lag.y"), "t": "end_time"}
    study = Study(
        lag(), {"lag.time_constant": [0.5, 1.0]}, metrics, end=1.05, step=0.1, every=3, inputs={"u": 1.0}, solver=solver
    )
    outcome = study.run("serial")
    for number, constant in enumerate((0.5, 1.0)):
        assert outcome.values("final")[number] == pytest.approx(response(1.05, constant=constant), rel=1e-4)
        diagram = lag()
        diagram["lag"].set(time_constant=constant)
        run = simulate(diagram, 1.05, step=0.1, inputs={"u": 1.0}, solver=solver, record="lag.y")
        y = run.values("lag.y")[:-1]  # the end is not on the grid, and not in the statistics
        expected = [y.mean(), np.sqrt(np.mean(y**2)), y.std(), y.min(), y.max()]
        np.testing.assert_allclose([outcome.values(word)[number] for word in WORDS[:-1]], expected, rtol=1e-12)
        assert outcome.values("final")[number] == run.values("lag.y")[-1]
    assert list(outcome.values("points")) == [5.0, 5.0]  # 0, 0.3, 0.6, 0.9 s and the end
    assert list(outcome.values("t")) == [1.05, 1.05]


def test_threads_have_the_same_bits_and_failures_have_their_reasons(caplog: pytest.LogCaptureFixture) -> None:
    study = Study(
        noise(), {"lag.time_constant": [0.2, 1.0]}, {"rms": "rms(lag.y)", "swing": Metric(swing, "lag.y")},
        end=0.5, replicates=2, seeds="noise.seed", solver="LSODA",
    )  # fmt: skip
    assert study.run("threads", workers=3, batch=1).table.equals(study.run("serial").table)
    assert "LSODA is stepped in Python, hundreds of times slower than rk4; threads take turns" in caplog.text
    outcome = Study(blow_up(), {"x.initial_x": [0.1, 2.0]}, {"x": "final(x.y)"}, end=1.0, solver="LSODA").run("serial")
    assert outcome.status == ["end", "failed"]
    assert "t = 0.49" in outcome.reasons[1]
    np.testing.assert_allclose(outcome.values("x"), [1.0 / 9.0, np.nan], rtol=1e-4)
