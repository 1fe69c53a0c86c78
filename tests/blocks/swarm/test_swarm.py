"""A swarm computes what its vehicles would compute alone, whatever the number of threads."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest
import xarray as xr
from study_subjects import noisy_study

from blocks import (
    Diagram,
    Input,
    KeelblocksError,
    Output,
    Parameter,
    PythonBlock,
    RunInterrupted,
    State,
    Swarm,
    simulate,
)
from blocks.basic import (
    Compare,
    Constant,
    Delay,
    Function,
    GaussianNoise,
    Integrator,
)
from blocks.dynamics import DiagonalVessel3DOF, Vessel3DOF
from blocks.environment import UniformCurrent
from blocks.run.result import Result, ResultError
from blocks.signal import Number
from blocks.swarm.result import STATISTICS

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
        (
            {"inputs": {"force": np.zeros(3)}},
            "input 'force' takes 6 for all, or for each of 2 vehicles along the first axis, not an array of 3",
        ),
        ({"inputs": {"force": np.nan}}, "input 'force' must be finite numbers, not nan"),
        ({"inputs": {"force": ([0, 1], [[0] * 6, [1] * 6])}}, "changes over time is a TimeSeries in the diagram"),
        ({"inputs": [1.0]}, 'inputs of a swarm are a mapping of names, such as {"force": a value for all'),
        ({"parameters": ["current.speed"]}, "parameters of a swarm are a mapping of names"),
        ({"parameters": {"current.speed": ["1 kn", "1 kg"]}}, "vehicle 1: current.speed: '1 kg' is in kg, but m/s is"),
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
        ({"neighbours": {"force": "vessel.eta"}}, "neighbours of 'force' are a pair of an output and whose it is"),
        ({"neighbours": [("force", "vessel.eta", [0, 1])]}, "neighbours of a swarm are a mapping of names"),
        ({"neighbours": {"force": ("vessel.damping_force", [[0], [0, 1]])}}, "rows are equally long, -1 fills up"),
        (
            {"neighbours": {"force": ("vessel.eta", [1, 0])}},
            "'vessel.eta' (Pose, 6, m, rad, ned) cannot be input 'force'",
        ),
        (
            {"neighbours": {"force": ("vessel.eta[yaw]", [1, 0])}},
            "neighbours: vessel.eta has no element 'yaw'; valid: phi",
        ),
        (
            {"inputs": {}, "neighbours": {"force": ("vessel.damping_force", [-1, 0])}},
            "vehicle 0 has nobody for 'force', which then needs a value: Swarm(…, inputs={'force': …})",
        ),
    ],
)
def test_what_does_not_fit_is_said(options, message):
    given = {"inputs": {"force": 0.0}} | options
    assert message in refused(lambda: Swarm(boat(), 2, **given).run(1.0))


def test_what_cannot_be_run_is_said():
    swarm = Swarm(boat(), 2, inputs={"force": 0.0})
    assert "not LSODA" in refused(swarm.run, 1.0, solver="LSODA")
    assert "no solver '['rk4']'" in refused(swarm.run, 1.0, solver=["rk4"])
    assert "no output 'vessel.etta'; did you mean 'vessel.eta'" in refused(swarm.run, 1.0, record="vessel.etta")
    assert "no output 'vessel.etta'; did you mean 'vessel.eta'" in refused(
        swarm.run, 1.0, record=[], summarise="vessel.etta"
    )
    assert "threads must be a whole number ≥ 1, not 0" in refused(swarm.run, 1.0, threads=0)
    assert "every must be a whole number" in refused(swarm.run, 1.0, every=0)
    assert "a whole number of vehicles ≥ 1, not 0" in refused(Swarm, boat(), 0)
    assert "needs a value for each of the 3 vehicles, not 2" in refused(
        Swarm, boat(), 3, parameters={"current.speed": [1.0, 2.0]}
    )
    assert "go in equal steps" in refused(
        Swarm(boat(), 2, neighbours={"force": ("vessel.damping_force", [1, 0])}).run, 1.0, solver="dopri5"
    )
    assert "a swarm is made of a Diagram or a Block, not 'boat'" in refused(Swarm, "boat", 2)
    assert "needs 4.16e+05 GB; record fewer outputs, fewer points with every=…, or summarise" in refused(
        Swarm(boat(), 1000, inputs={"force": 0.0}).run, 1e7
    )


def test_what_decides_the_plan_cannot_vary():
    diagram = Diagram("delayed")
    source = diagram.add("source", Constant(1.0))
    delay = diagram.add("delay", Delay(3, period=0.1))
    diagram.connect(source.y, delay.u)
    message = refused(Swarm(diagram, 2, parameters={"delay.samples": [3, 4]}).run, 1.0)
    assert "delay.samples decides what Delay computes and cannot differ within one plan" in message


def test_a_swarm_of_one_and_of_a_single_block():
    single = DiagonalVessel3DOF(inertia=(20.0, 30.0, 5.0), linear_damping=(8.0, 20.0, 4.0))
    result = Swarm(single, 1, inputs={"force": [1.0, 0, 0, 0, 0, 0]}).run(1.0)
    alone = simulate(single, 1.0, inputs={"force": [1.0, 0, 0, 0, 0, 0]})
    np.testing.assert_array_equal(result.values("diagonal_vessel_3dof.nu")[0], alone.values("diagonal_vessel_3dof.nu"))


class Scaled(PythonBlock):
    """y = gain x, dx/dt = u - x; fails above a limit."""

    u = Input(Number, "in")
    y = Output(Number, "out")
    x = State(Number, "lagged")
    gain = Parameter(1.0, doc="of y")

    def outputs(self, t, states, inputs):
        if states["x"] > 4.0:
            raise ArithmeticError("too high")
        return {"y": self.gain * states["x"]}

    def derivatives(self, t, states, inputs):
        return {"x": inputs["u"] - states["x"]}


def python_lag() -> Diagram:
    diagram = Diagram("lag")
    diagram.inputs(u=diagram.add("lag", Scaled()).input_port("u"))
    return diagram


def test_blocks_written_in_python_have_the_parameters_of_their_vehicle():
    gains, sent = np.array([1.0, -2.0, 0.5, 3.0]), np.array([1.0, 2.0, 9.0, 4.0])
    swarm = Swarm(python_lag(), 4, parameters={"lag.gain": gains}, inputs={"u": sent})
    runs = [swarm.run(1.0, step=0.05, threads=n) for n in (1, 3)]
    assert runs[0].status == ["end", "end", "failed", "end"]
    assert "ArithmeticError in outputs: too high" in runs[0].messages[2]
    expected = gains * sent * (1.0 - np.exp(-1.0))
    np.testing.assert_allclose(runs[0].values("lag.y")[[0, 1, 3], -1], expected[[0, 1, 3]], rtol=1e-6)
    np.testing.assert_array_equal(runs[0].values("lag.y"), runs[1].values("lag.y"))


@pytest.mark.parametrize("python", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_heard_and_what_there_is_is_kept(python, threads):
    diagram = python_lag() if python else boat()
    swarm = Swarm(diagram, 3, inputs={"u" if python else "force": 0.5})
    interrupting = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))

    def begin(t: float, end: float) -> None:
        if interrupting.ident is None:
            interrupting.start()

    with pytest.raises(RunInterrupted, match="interrupted at t = ") as caught:
        swarm.run(1e9, record=[], summarise="lag.y" if python else "vessel.nu", threads=threads, progress=begin)
    interrupting.join()
    result = caught.value.result
    assert result.status == ["interrupted"] * 3
    assert np.all(result.end_times > 0.0)
    assert np.all(np.isfinite(result.summary.to_array()))


def test_the_end_is_recorded_though_it_is_not_on_the_grid():
    swarm = Swarm(boat(), COUNT, parameters=numbers(), inputs={"force": 1.0})
    result = swarm.run(1.005, step=0.02, every=7)
    alone = boat()
    alone["vessel"].set(initial_eta=numbers()["vessel.initial_eta"][2])
    alone["current"].set(direction=numbers()["current.direction"][2])
    single = simulate(alone, 1.005, step=0.02, every=7, inputs={"force": 1.0})
    np.testing.assert_array_equal(result.time, single.time)
    assert result.time[-1] == 1.005
    np.testing.assert_array_equal(result.values("vessel.eta")[2], single.values("vessel.eta"))
    np.testing.assert_array_equal(result["vessel.eta[psi]"], result.values("vessel.eta")[:, :, 5])
    assert result["vessel.eta[psi]"].dims == ("vehicle", "time")
    own = result.vehicle(2)
    assert own.status == "end"
    np.testing.assert_array_equal(own.values("vessel.eta"), single.values("vessel.eta"))
    with pytest.raises(ResultError, match=f"there are vehicles 0 to {COUNT - 1}, not {COUNT}"):
        result.vehicle(COUNT)


def test_a_vehicle_that_cannot_start_leaves_the_others_alone():
    diagram = Diagram("root")
    root = diagram.add("root", Function("sqrt"))
    place = diagram.add("place", Integrator())
    diagram.connect(diagram.add("value", Constant(0.0)).y, root.u)
    diagram.connect(root.y, place.u)
    result = Swarm(diagram, 2, parameters={"value.value": [-1.0, 4.0]}).run(1.0, summarise="place.y")
    assert result.status == ["failed", "end"]
    assert "root: output y is not a finite number at t = 0 s" in result.messages[0]
    np.testing.assert_allclose(result.statistic("place.y", "greatest"), [0.0, 2.0])
    assert len(result.vehicle(0)) <= 1


def test_noise_is_alike_until_seeds_differ():
    diagram = Diagram("noise")
    diagram.add("noise", GaussianNoise(period=0.1))
    alike = Swarm(diagram, 3).run(1.0).values("noise.y")
    assert np.all(alike == alike[0])
    other = Swarm(diagram, 3, parameters={"noise.seed": [1, 2, 3]}).run(1.0).values("noise.y")
    assert np.all(other[0, 0] != other[1:, 0])


def test_a_saved_swarm_and_a_saved_study_are_results(tmp_path):
    swarm = Swarm(boat(), 3, inputs={"force": 0.0}).run(1.0, step=0.1)
    assert Result.load_dataset(swarm.save(tmp_path / "swarm.nc")).sizes["vehicle"] == 3
    outcome = noisy_study().run("serial")
    study = outcome.save(tmp_path / "study.nc")
    with pytest.raises(ResultError, match=r"is the result of a swarm or a study: Result\.load_dataset reads it"):
        Result.load(study)
    loaded = Result.load_dataset(study)
    np.testing.assert_array_equal(loaded["rms"], outcome.values("rms"))
    assert list(loaded["reason"].values.ravel()) == [""] * 24
