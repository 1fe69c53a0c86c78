"""What a run records: which quantities, at which points, and that it fits."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Clock, Gain, Integrator, Sine, UnitDelay
from blocks.errors import KeelblocksError, SimulationError


@pytest.fixture
def diagram() -> Diagram:
    made = Diagram()
    for name, block in {
        "clock": Clock(),
        "sine": Sine([1.0, 2.0]),
        "x": Integrator(),
        "delay": UnitDelay(period=0.2),
        "gain": Gain(),
    }.items():
        made.add(name, block)
    made.connect("sine.y", "x.u", "delay.u")
    made.inputs(u="gain.u")
    made.outputs(second="x.y[1]")
    return made


def run(diagram: Diagram, end: float = 1.0, **settings):
    return simulate(diagram, end, **({"step": 0.1, "inputs": {"u": 5.0}} | settings))


def test_all_outputs_and_inputs_are_recorded_by_default(diagram):
    assert set(run(diagram)) == {"u", "clock.y", "sine.y", "x.y", "delay.y", "gain.y"}


@pytest.mark.parametrize(
    ("record", "names"),
    [
        ("x.y", ["x.y"]),
        (["x.y", "clock.y"], ["x.y", "clock.y"]),
        (["second"], ["second"]),
        (["second", "x.y"], ["second", "x.y"]),
        ("*.y", ["clock.y", "sine.y", "x.y", "delay.y", "gain.y"]),
        ("?.y", ["x.y"]),
        (["s*", "clock.y"], ["sine.y", "second", "clock.y"]),
        ("*", ["u", "clock.y", "sine.y", "x.y", "delay.y", "gain.y", "second"]),
        ("u", ["u"]),
        ([], []),
    ],
)
def test_quantities_by_name_and_pattern(diagram, record, names):
    result = run(diagram, record=record)
    assert list(result) == names
    for name in names:
        assert len(result.values(name)) == 11


def test_what_is_recorded_does_not_depend_on_what_else_is(diagram):
    everything = run(diagram, record="*")
    for name in everything:
        assert np.array_equal(run(diagram, record=name).values(name), everything.values(name))
    np.testing.assert_array_equal(everything.values("second"), everything.values("x.y")[:, 1])


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("clock.z", "no output 'clock.z'; did you mean 'clock.y'"),
        (["x.y", "zzz*"], "record: no output 'zzz*'"),
        ("vessel.eta", "no output 'vessel.eta'; valid:"),
    ],
)
def test_names_that_match_nothing(diagram, record, said):
    with pytest.raises(KeelblocksError) as problem:
        run(diagram, record=record)
    assert said in str(problem.value)


@pytest.mark.parametrize("solver", ["rk4", "dopri5", "LSODA"])
def test_every_nth_point_and_the_last(diagram, solver):
    whole = run(diagram, 1.0, solver=solver)
    for every in (1, 2, 3, 4, 7, 100):
        thinned = run(diagram, 1.0, solver=solver, every=every)
        expected = sorted({*range(0, 11, every), 10})
        np.testing.assert_allclose(thinned.time, 0.1 * np.array(expected), atol=1e-12)
        np.testing.assert_allclose(thinned.values("x.y"), whole.values("x.y")[expected], atol=1e-12)


@pytest.mark.parametrize("every", [0, -1, 1.5, "2", True, None])
def test_every_is_a_whole_number(diagram, every):
    with pytest.raises(SimulationError, match=r"every must be a whole number ≥ 1 and < 2\^63, not"):
        run(diagram, every=every)


def test_every_may_be_a_number_of_numpy(diagram):
    assert len(run(diagram, every=np.int64(5))) == 3


@pytest.mark.parametrize("solver", ["euler", "rk4", "dopri5", "Radau"])
def test_the_last_point_is_recorded_even_beside_the_grid(diagram, solver):
    result = run(diagram, 0.73, solver=solver)
    assert result.time[-1] == pytest.approx(0.73, abs=1e-15)
    assert len(result) == 9
    assert result.values("clock.y")[-1] == pytest.approx(0.73, abs=1e-15)


def test_samples_between_points_do_not_add_rows(diagram):
    diagram.replace("delay", UnitDelay(period=0.03))
    np.testing.assert_allclose(run(diagram).time, 0.1 * np.arange(11), atol=1e-15)


@pytest.mark.parametrize("end", [1e18, 1e300])
def test_a_record_that_cannot_fit_is_refused_before_the_run(diagram, end):
    diagram.replace("delay", Gain(1.0))  # no samples, which would be too dense for such an end
    with pytest.raises(
        SimulationError, match=r"recording 6|recording \d+ numbers at .* points needs .* GB; record fewer"
    ):
        run(diagram, end, step=0.001)
