"""A swarm computes what its vehicles would compute alone, whatever the number of threads."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from blocks import Diagram, KeelblocksError, Swarm, simulate
from blocks.basic import Compare, Constant, Delay, FirstOrderLag, Function, Integrator, MatrixGain, Sum
from blocks.dynamics import Vessel3DOF
from blocks.environment import UniformCurrent
from blocks.result import ResultError
from blocks.swarm_result import STATISTICS

COUNT = 7


def boat() -> Diagram:
    """A vessel in a current, with its force from outside."""
    diagram = Diagram("boat")
    vessel = diagram.add("vessel", Vessel3DOF.diagonal(m=(20, 30, 5), d=(8, 20, 4)))
    current = diagram.add("current", UniformCurrent(speed=0.2))
    diagram.connect(current.current, vessel.current)
    diagram.inputs(force=vessel.input_port("force"))
    return diagram


def numbers() -> dict[str, np.ndarray]:
    """Another start and current for each vehicle."""
    eta = np.zeros((COUNT, 6))
    eta[:, 0], eta[:, 5] = np.arange(COUNT), np.linspace(0.0, 3.0, COUNT)
    return {"vessel.initial_eta": eta, "current.direction": np.linspace(-1.0, 2.0, COUNT)}


def follower() -> Diagram:
    """dx/dt = leader - x."""
    diagram = Diagram("follower")
    error = diagram.add("error", Sum("+-"))
    place = diagram.add("place", Integrator())
    diagram.connect(error.y, place.u)
    diagram.connect(place.y, error.input_port("in2"))
    diagram.inputs(leader=error.input_port("in1"))
    return diagram


def refused(call, *args, **options) -> str:
    with pytest.raises(KeelblocksError) as caught:
        call(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize("solver", ["euler", "rk4", "dopri5"])
@pytest.mark.parametrize("threads", [1, 3])
def test_every_vehicle_runs_as_it_would_alone(solver, threads):
    force = np.outer(np.arange(COUNT), [1.0, 0.5, 0.0, 0.0, 0.0, 0.2])
    swarm = Swarm(boat(), COUNT, parameters=numbers(), inputs={"force": force})
    result = swarm.run(5.0, solver=solver, step=0.05, every=2, threads=threads)
    for i in (0, 3, COUNT - 1):
        alone = boat()
        for name, values in numbers().items():
            block, _, parameter = name.rpartition(".")
            alone[block].set(**{parameter: values[i]})
        single = simulate(alone, 5.0, solver=solver, step=0.05, every=2, inputs={"force": force[i]})
        np.testing.assert_array_equal(result.time, single.time)
        for name in ("vessel.eta", "vessel.nu", "force"):
            np.testing.assert_array_equal(result.values(name)[i], single.values(name))
    assert result.status == ["end"] * COUNT


def test_a_chain_of_followers_is_the_coupled_system():
    """x_i' = x_{i-1} - x_i by Euler's method: what neighbours did in the step before is what Euler's method takes."""
    start = np.arange(COUNT, dtype=float)
    swarm = Swarm(
        follower(),
        COUNT,
        parameters={"place.initial_x": start},
        inputs={"leader": 10.0},
        neighbours={"leader": ("place.y", np.arange(-1, COUNT - 1))},
    )
    h, steps = 0.05, 60
    runs = [swarm.run(h * steps, solver="euler", step=h, threads=n).values("place.y") for n in (1, 2, 5)]
    x = start.copy()
    for k in range(steps + 1):
        np.testing.assert_allclose(runs[0][:, k], x, rtol=1e-13)
        x += h * (np.concatenate([[10.0], x[:-1]]) - x)
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[2])


def test_several_neighbours_stand_one_after_the_other():
    """Each goes to the weighted mean of two others: x_i' = a x_j + b x_k - x_i."""
    diagram = Diagram("mean")
    mean = diagram.add("mean", MatrixGain([[0.25, 0.75]]))
    lag = diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect(mean.y, lag.u)
    diagram.inputs(seen=mean.input_port("u"))
    whose = np.array([[1, 2], [0, 2], [0, 1]])
    start = np.array([0.0, 1.0, 5.0])
    swarm = Swarm(diagram, 3, parameters={"lag.initial_x": start}, neighbours={"seen": ("lag.y", whose)})
    result = swarm.run(2.0, solver="euler", step=0.1).values("lag.y")
    x = start.copy()
    for k in range(21):
        np.testing.assert_allclose(result[:, k], x, rtol=1e-13)
        x += 0.1 * (x[whose] @ [0.25, 0.75] - x)


def test_summaries_are_those_of_the_record():
    swarm = Swarm(boat(), COUNT, parameters=numbers(), inputs={"force": [3.0, 1.0, 0, 0, 0, 0.5]})
    result = swarm.run(4.0, step=0.05, summarise=["vessel.eta", "vessel.nu"])
    for name in ("vessel.eta", "vessel.nu"):
        record = result.values(name)
        expected = {
            "mean": record.mean(axis=1), "rms": np.sqrt((record**2).mean(axis=1)),
            "standard_deviation": record.std(axis=1), "significant": 2 * record.std(axis=1),
            "least": record.min(axis=1), "greatest": record.max(axis=1),
        }  # fmt: skip
        assert set(expected) == set(STATISTICS)
        for which, values in expected.items():
            np.testing.assert_allclose(result.statistic(name, which), values, rtol=1e-12, atol=1e-12)
            np.testing.assert_array_equal(result.summary[name].sel(statistic=which), result.statistic(name, which))
    thinned = swarm.run(4.0, step=0.05, record=[], summarise="vessel.eta")
    assert not thinned.dataset.data_vars
    np.testing.assert_array_equal(thinned.statistic("vessel.eta", "rms"), result.statistic("vessel.eta", "rms"))


def test_one_that_fails_leaves_the_others_alone():
    diagram = Diagram("growth")
    place = diagram.add("place", Integrator())
    root = diagram.add("root", Function("exp"))
    diagram.connect(place.y, root.u)
    diagram.connect(root.y, place.u)
    start = np.array([-5.0, 3.0, -6.0])
    result = Swarm(diagram, 3, parameters={"place.initial_x": start}).run(1.0, step=0.01)
    assert result.status == ["end", "failed", "end"]
    assert list(result.messages) == [1]
    assert "is not a finite number at t = 0.0" in result.messages[1]
    # x = -ln(exp(-x0) - t), which ends at t = exp(-x0)
    np.testing.assert_allclose(result.values("place.y")[0, -1], -np.log(np.exp(5.0) - 1.0), rtol=1e-9)
    assert np.isnan(result.values("place.y")[1, -1])
    assert result.end_times[1] < 0.2
    assert result.end_times[0] == 1.0
    assert "1 failed" in repr(result)


def test_each_stops_at_its_own_time():
    diagram = Diagram("stops")
    place = diagram.add("place", Integrator())
    rate = diagram.add("rate", Constant(1.0))
    limit = diagram.add("limit", Constant(2.0))
    there = diagram.add("there", Compare(">="))
    diagram.connect(rate.y, place.u)
    diagram.connect(place.y, there.input_port("u1"))
    diagram.connect(limit.y, there.input_port("u2"))
    result = Swarm(diagram, 3, parameters={"rate.value": [1.0, 4.0, 0.1]}).run(5.0, step=0.25, stop="there.y")
    assert result.status == ["stopped", "stopped", "end"]
    np.testing.assert_array_equal(result.end_times, [2.0, 0.5, 5.0])


def test_a_swarm_is_saved_with_its_summaries(tmp_path):
    swarm = Swarm(boat(), COUNT, parameters=numbers(), inputs={"force": 0.0})
    result = swarm.run(1.0, step=0.1, record=["vessel.eta"], summarise=["vessel.nu"])
    path = result.save(tmp_path / "swarm.nc")
    with xr.open_dataset(path, engine="h5netcdf") as saved:
        assert saved["vessel.eta"].dims[:2] == ("vehicle", "time")
        np.testing.assert_array_equal(saved["vessel.eta"], result.values("vessel.eta"))
        assert list(saved["status"].values) == ["end"] * COUNT
    with xr.open_dataset(path, engine="h5netcdf", group="summary") as saved:
        assert list(saved["statistic"].values) == list(STATISTICS)
    with pytest.raises(ResultError, match=r"must be \.nc"):
        result.save(tmp_path / "swarm.csv")
    with pytest.raises(ResultError, match=r"'vessel\.etta' was not recorded; did you mean 'vessel\.eta'"):
        result.values("vessel.etta")
    with pytest.raises(ResultError, match="no statistic 'variance'"):
        result.statistic("vessel.nu", "variance")


def test_progress_is_reported_and_its_failure_loses_nothing():
    seen: list[tuple[float, float]] = []
    Swarm(boat(), 2, inputs={"force": 0.0}).run(1.0, progress=lambda t, end: seen.append((t, end)))
    assert seen[-1] == (1.0, 1.0)

    def broken(t: float, end: float) -> None:
        raise ZeroDivisionError("no")

    assert "the progress function failed: ZeroDivisionError" in refused(
        Swarm(boat(), 2, inputs={"force": 0.0}).run, 1.0, progress=broken
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"parameters": {"vessel.initial_etta": np.zeros((2, 6))}},
            "no parameter 'vessel.initial_etta' to vary; did you",
        ),
        ({"parameters": {"current.speed": [0.1, -0.1]}}, "vehicle 1: current.speed must be ≥ 0 m/s, not -0.1"),
        (
            {"parameters": {"vessel.initial_eta": np.zeros((2, 3))}},
            "vehicle 0: vessel.initial_eta must be an array of 6",
        ),
        ({"inputs": {"force": np.zeros(3)}}, "input 'force' takes finite numbers, 6 for all or for each of 2 vehicles"),
        ({"inputs": {"force": np.nan}}, "takes finite numbers"),
        ({"inputs": {"forse": 0.0}}, "no input 'forse'; did you mean 'force'?"),
        ({"inputs": {}}, "the input 'force' needs a value"),
        ({"neighbours": {"force": ("vessel.eta", [0, 2])}}, "are numbers from 0 to 1, or -1 for nobody, not 2"),
        (
            {"neighbours": {"force": ("vessel.eta", [0])}},
            "must be a whole number, or a row of them, for each of 2 vehicles",
        ),
        (
            {"neighbours": {"force": ("vessel.eta", [[0, 1], [1, 0]])}},
            "takes 6 numbers, but 2 times 'vessel.eta' are 12",
        ),
        ({"neighbours": {"force": ("vessel.pose", [0, 1])}}, "neighbours: no output 'vessel.pose'"),
    ],
)
def test_what_does_not_fit_is_said(options, message):
    given = {"inputs": {"force": 0.0}} | options
    assert message in refused(Swarm(boat(), 2, **given).run, 1.0)


def test_what_cannot_be_run_is_said():
    swarm = Swarm(boat(), 2, inputs={"force": 0.0})
    assert "not LSODA" in refused(swarm.run, 1.0, solver="LSODA")
    assert "threads must be a whole number ≥ 1, not 0" in refused(swarm.run, 1.0, threads=0)
    assert "every must be a whole number" in refused(swarm.run, 1.0, every=0)
    assert "a whole number of vehicles ≥ 1, not 0" in refused(Swarm, boat(), 0)
    assert "needs a value for each of the 3 vehicles, not 2" in refused(
        Swarm, boat(), 3, parameters={"current.speed": [1.0, 2.0]}
    )
    assert "go in equal steps" in refused(
        Swarm(boat(), 2, neighbours={"force": ("vessel.damping_force", [1, 0])}).run, 1.0, solver="dopri5"
    )


def test_what_decides_the_plan_cannot_vary():
    diagram = Diagram("delayed")
    source = diagram.add("source", Constant(1.0))
    delay = diagram.add("delay", Delay(3, period=0.1))
    diagram.connect(source.y, delay.u)
    message = refused(Swarm(diagram, 2, parameters={"delay.samples": [3, 4]}).run, 1.0)
    assert "delay.samples decides what Delay computes and cannot differ within one plan" in message
