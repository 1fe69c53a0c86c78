"""Identification: what was forgotten is found again, with intervals that mean what they say."""

import json
import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Gain, Integrator, Sum
from blocks.dynamics import Vessel3DOF
from blocks.errors import KeelblocksError
from blocks.lab.identification import (
    IdentificationError,
    Identified,
    Log,
    LogError,
    fit_figure,
    identify,
    residual_figure,
)
from blocks.lab.identification.replay import Replay

UNITS = {"X": "N", "N": "N*m", "u": "m/s", "r": "rad/s", "psi": "rad"}
INPUTS = {"force[X]": "X", "force[N]": "N"}
OUTPUTS = {"nu[u]": "u", "nu[r]": "r"}


def trial(seed: int = 0, noise: float = 0.01, end: float = 60.0) -> Log:
    """An Otter that is pushed to and fro and turned, logged at 10 Hz."""
    time = np.arange(0.0, end + 0.05, 0.1)
    force = np.zeros((len(time), 6))
    force[:, 0] = 80.0 + 60.0 * np.sign(np.sin(0.4 * time))
    force[:, 5] = 25.0 * np.sign(np.sin(0.35 * time + 0.3))
    inputs = {"force": (time, force), "current": np.zeros(3), "disturbance": np.zeros(6)}
    run = simulate(Vessel3DOF.from_vehicle("otter"), end, step=0.05, every=2, inputs=inputs)
    nu, eta = run.values("vessel_3dof.nu"), run.values("vessel_3dof.eta")
    random = np.random.default_rng(seed)
    dirt = noise * random.normal(size=(3, len(time)))
    columns = {
        "time": run.time, "X": force[:, 0], "N": force[:, 5], "u": nu[:, 0] + dirt[0], "r": nu[:, 5] + dirt[1],
        "psi": (eta[:, 5] + dirt[2] + np.pi) % (2.0 * np.pi) - np.pi,
    }  # fmt: skip
    return Log.of(columns, UNITS)


def forgetful() -> Vessel3DOF:
    vessel = Vessel3DOF.from_vehicle("otter")
    vessel.set(linear_damping=np.diag([30.0, 137.5, 80.0]), added_mass=np.diag([40.0, 82.5, 27.115]))
    return vessel


def test_what_was_forgotten_is_found_again() -> None:
    log = trial()
    assert np.abs(np.diff(log.values("psi"))).max() < 0.2  # unwrapped
    found = identify(
        forgetful(), log, inputs=INPUTS, outputs=OUTPUTS | {"eta[psi]": "psi"}, hold_out=0.3, confidence=0.999,
        parameters={"linear_damping[X,u]": None, "linear_damping[N,r]": (1.0, "500 N*m*s"), "added_mass[0,0]": None},
    )  # fmt: skip
    truth = {"linear_damping[X,u]": 77.55443, "linear_damping[N,r]": 43.065, "added_mass[0,0]": 5.28152}
    for name, value in truth.items():
        low, high = found.intervals[name]
        assert low < value < high
        assert high - low < 0.4 * value
    assert found.component.linear_damping[0, 0] == found.values["linear_damping[X,u]"]
    assert found.noise["nu[u]"] == pytest.approx(0.01, rel=0.1)
    assert min(found.scores.values()) > 0.9
    assert len(found.tests) == 1
    assert not [warning for warning in found.warnings if "psi" not in warning]
    assert len(fit_figure(found).axes) == 6
    assert len(residual_figure(found).axes) == 6


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """90 % intervals of 40 experiments: 36 expected, and fewer than 30 or all 40 in less than 2 % of cases."""
    inside = 0
    time = np.arange(0.0, 10.0, 0.1)
    truth = 1.0 - np.exp(-time / 1.5)
    lag = Diagram("lag")
    lag.add("lag", FirstOrderLag(0.7))
    lag.inputs(u="lag.u")
    lag.outputs(y="lag.y")
    for seed in range(40):
        noisy = truth + 0.1 * np.random.default_rng(seed).normal(size=len(time))
        log = Log.of({"t": time, "y": noisy}, {"y": "1"})
        found = identify(
            lag, log, inputs={"u": 1.0}, outputs={"y": "y"}, parameters={"lag.time_constant": (0.1, 10.0)},
            confidence=0.9, noise={"y": 0.1},
        )  # fmt: skip
        low, high = found.intervals["lag.time_constant"]
        inside += low < 1.5 < high
    assert 30 <= inside < 40


def plane(inputs: np.ndarray, y: np.ndarray) -> Identified:
    """The slopes of y = a x_1 + b x_2, with 90 % intervals."""
    model = Diagram("plane")
    for k in (1, 2):
        model.add(f"slope{k}", Gain(1.0))
    model.add("sum", Sum("++"))
    model.connect("slope1.y", "sum.in1")
    model.connect("slope2.y", "sum.in2")
    model.inputs(a="slope1.u", b="slope2.u")
    model.outputs(y="sum.y")
    columns = {"t": np.arange(float(len(y))), "a": inputs[:, 0], "b": inputs[:, 1], "y": y}
    return identify(
        model, Log.of(columns, {"a": "1", "b": "1", "y": "1"}), inputs={"a": "a", "b": "b"}, outputs={"y": "y"},
        confidence=0.9, parameters={"slope1.gain": None, "slope2.gain": None},
    )  # fmt: skip


def test_what_data_say_nothing_of_has_an_interval_without_ends() -> None:
    random = np.random.default_rng(0)
    found = plane(np.stack([random.normal(size=9), np.zeros(9)], axis=1), random.normal(size=9))
    assert found.deviations["slope2.gain"] == np.inf
    assert found.intervals["slope2.gain"] == (-np.inf, np.inf)
    assert np.isfinite(found.deviations["slope1.gain"])
    assert "the data say nothing of slope2.gain: outputs do not change with it" in found.warnings


@pytest.mark.parametrize("count", [6, 9, 30])
def test_intervals_of_few_samples_are_those_of_linear_regression(count: int) -> None:
    """Two slopes: n - 2 degrees of freedom, from Student's t and from the spread of what is left over."""
    random = np.random.default_rng(count)
    inputs = random.normal(size=(count, 2))
    y = inputs @ [2.0, -3.0] + 0.3 * random.normal(size=count)
    found = plane(inputs, y)
    slopes, (left,), *_ = np.linalg.lstsq(inputs, y, rcond=None)
    covariance = left / (count - 2) * np.linalg.inv(inputs.T @ inputs)
    half = stats.t(count - 2).ppf(0.95) * np.sqrt(np.diag(covariance))
    assert [*found.values.values()] == pytest.approx(slopes, rel=1e-6)
    assert found.covariance == pytest.approx(covariance, rel=1e-5)
    assert np.array([*found.intervals.values()]) == pytest.approx(np.stack([slopes - half, slopes + half], 1), rel=1e-5)


def test_an_initial_value_that_is_fitted_takes_a_degree_of_freedom() -> None:
    """A straight line, whose slope is a parameter and whose start the initial value of an integrator."""
    time = np.arange(8.0)
    y = 4.0 + 0.5 * time + 0.2 * np.random.default_rng(4).normal(size=8)
    line = Diagram("line")
    line.add("slope", Gain(1.0))
    line.add("sum", Integrator())
    line.connect("slope.y", "sum.u")
    line.inputs(u="slope.u")
    line.outputs(y="sum.y")
    log = Log.of({"t": time, "y": y}, {"y": "1"})
    found = identify(line, log, inputs={"u": 1.0}, outputs={"y": "y"}, parameters={"slope.gain": None})
    wanted = stats.linregress(time, y)
    assert found.values["slope.gain"] == pytest.approx(wanted.slope, rel=1e-6)
    assert found.deviations["slope.gain"] == pytest.approx(wanted.stderr, rel=1e-5)
    low, high = found.intervals["slope.gain"]
    assert high - low == pytest.approx(2.0 * stats.t(6).ppf(0.975) * wanted.stderr, rel=1e-5)


def test_what_data_cannot_tell_apart_is_said() -> None:
    found = identify(
        forgetful(), trial(end=20.0), inputs=INPUTS, outputs={"nu[u]": "u"},
        parameters={"linear_damping[X,u]": None, "mass": None, "added_mass[X,u]": None},
    )  # fmt: skip
    text = "\n".join(found.warnings)
    assert "the data can hardly tell mass and added_mass[X,u] apart: only their sum is known well; fix one" in text
    assert found.values["mass"] + found.values["added_mass[X,u]"] == pytest.approx(60.28, rel=0.1)
    silent = identify(
        forgetful(), trial(end=20.0), inputs=INPUTS, outputs={"nu[u]": "u"},
        parameters={"linear_damping[X,u]": None, "linear_damping[Y,r]": (-10, 10)} | {"added_mass[X,u]": None},
        priors={"added_mass[X,u]": ("5.3 kg", 0.1)},
    )  # fmt: skip
    assert silent.deviations["added_mass[X,u]"] < 0.2


def test_a_prior_pulls() -> None:
    log = trial(noise=0.2, end=10.0)
    tight = {"linear_damping[X,u]": (60.0, 0.01)}
    found = identify(
        forgetful(), log, inputs=INPUTS, outputs=OUTPUTS, parameters={"linear_damping[X,u]": None}, priors=tight
    )
    assert found.values["linear_damping[X,u]"] == pytest.approx(60.0, abs=0.05)


def test_a_run_that_was_saved_is_data(tmp_path) -> None:
    """From NetCDF, with units and elements, and from CSV with other units in the headings."""
    log = trial(noise=0.0, end=5.0)
    run = simulate(
        Vessel3DOF.from_vehicle("otter"), 5.0, step=0.05,
        inputs={"force": [80.0, 0, 0, 0, 0, 0], "current": np.zeros(3), "disturbance": np.zeros(6)},
    )  # fmt: skip
    saved = Log.read(run.save(tmp_path / "run.nc"), units=None)
    assert saved.values("vessel_3dof.nu[u]") == pytest.approx(run.values("vessel_3dof.nu[u]"))
    assert saved.units["vessel_3dof.eta[psi]"] == "rad"
    table = np.column_stack([log.time, log.values("u") * 3600 / 1852, np.degrees(log.values("psi"))])
    np.savetxt(tmp_path / "log.csv", table, delimiter=",", header="t [s],speed (kn),heading [deg]", comments="")
    read = Log.read(tmp_path / "log.csv")
    assert (read.units["speed"], read.units["heading"]) == ("m/s", "rad")
    assert read.values("speed") == pytest.approx(log.values("u"))
    assert read.values("heading") == pytest.approx(log.values("psi"))


def test_messages_of_mcap_are_data(tmp_path) -> None:
    writer_module = pytest.importorskip("mcap.writer")
    with (tmp_path / "log.mcap").open("wb") as stream:
        writer = writer_module.Writer(stream)
        writer.start()
        schema = writer.register_schema(name="Speed", encoding="jsonschema", data=b"{}")
        channel = writer.register_channel(topic="/boat/speed", message_encoding="json", schema_id=schema)
        for k in range(20):
            at = int(1e9 * (5.0 + 0.1 * k))
            content = json.dumps({"value": 0.1 * k, "name": "log"}).encode()
            writer.add_message(channel_id=channel, log_time=at, publish_time=at, data=content)
        writer.finish()
    log = Log.read(tmp_path / "log.mcap", units={"boat.speed.value": "m/s"})
    assert log.values("boat.speed.value") == pytest.approx(log.time)


GOOD = {"time": np.arange(10) * 0.1, "u": np.ones(10)}


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (GOOD, {"units": {}}, "the unit of u is not known; write it into the heading, 'u "),
        (GOOD, {"units": {"u": "furlong/moment"}}, "the unit 'furlong/moment' of u is not known"),
        (GOOD, {"time": "clock"}, "no column 'clock' for the time"),
        ({"u": np.ones(10)}, {}, "no column is called 'time' or 't'"),
        (
            GOOD | {"time": np.r_[0.0:0.5:0.1, 0.4, 0.6:0.95:0.1]}, {},
            r"after sample 4, at 0.4 s, the time is repeated; .* order='sort'",
        ),
        (GOOD | {"time": GOOD["time"][::-1]}, {}, "goes back to 0.8 s; that happens 9 times"),
        (
            GOOD | {"time": np.r_[0.0:0.5:0.1, 5.0:5.5:0.1]}, {},
            "there is a gap of 4.6 s after 0.4 s, where samples are usually 0.1 s",
        ),
        (GOOD | {"u": np.r_[np.ones(9), np.nan]}, {}, "u is missing, or not finite, in 1 of 10 samples"),
        (GOOD | {"u": np.ones(9)}, {}, "time has 10 samples, and u has 9"),
        (GOOD | {"u": [*"123a567890"]}, {}, "u is not a column of numbers: sample 3 is 'a'"),
        (GOOD | {"u": [1, 10**400, *range(8)]}, {}, "u is not a column of numbers: sample 1 is 1000000"),
        (GOOD, {"units": {"u": "m/s", "time": "m"}}, "the time, time, is in m, and a time is wanted"),
        ({"time": [0, 1], "u": [1, 2]}, {}, "has 2 samples; at least 4 are needed"),
        (GOOD, {"gaps": "fil"}, "'fil' is no choice; did you mean 'fill'"),
        (GOOD, {"units": {"v": "m/s"}}, "units: there is no column 'v'"),
    ],
)  # fmt: skip
def test_data_that_are_not_in_order_say_where(columns, options, message) -> None:
    with pytest.raises(LogError, match=message):
        Log.of(columns, **({"units": {"u": "m/s"}} | options))


def test_gaps_make_segments_and_times_are_sorted() -> None:
    time = np.r_[0.0:0.5:0.1, 5.0:5.5:0.1]
    log = Log.of({"time": time[::-1], "u": time[::-1]}, {"u": "m/s"}, order="sort", gaps="split")
    assert log.values("u") == pytest.approx(log.time)
    assert [(part.start, part.stop) for part in log.segments] == [(0, 5), (5, 10)]


SHORT = trial(end=2.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": {"forces": "X"}}, "no input 'forces'; did you mean 'force'"),
        ({"inputs": {"force[Q]": "X"}}, "the input 'force' has no element 'Q'"),
        ({"inputs": {"force": "X"}}, r"the input 'force' has 6 elements; name one: 'force\[X\]'"),
        ({"inputs": {"force[X]": "thrust"}}, "log has no column 'thrust'"),
        ({"inputs": {"force[X]": "u"}}, r"log: u is in m/s, and force\[X\] in N"),
        ({"outputs": {"nu[u]": "psi"}}, r"log: psi is in rad, and nu\[u\] in m/s"),
        ({"outputs": {"nu[z]": "u"}}, "nu has no element 'z'"),
        ({"outputs": {}}, "name what was measured"),
        ({"parameters": {}}, "name the parameters to find"),
        ({"parameters": {"linear_dampin[0,0]": None}}, "no parameter 'linear_dampin'; did you mean 'linear_damping'"),
        ({"parameters": {"mass": (5, 1)}}, "the lower bound of mass must be below the upper one"),
        ({"parameters": {"mass": ("5 m", None)}}, "mass: '5 m' is in m, but kg is wanted"),
        ({"priors": {"yaw_inertia": (1, 1)}}, "a prior of 'yaw_inertia', which is not among the parameters"),
        ({"priors": {"mass": (55.0, 0.0)}}, "standard deviation > 0"),
        ({"hold_out": 1.5}, "hold_out as a number is the last part of the only log"),
        ({"hold_out": SHORT}, "log is held out, and among the data that are fitted"),
        ({"parameters": "mass"}, r"parameters must have names and what belongs to each, .*not 'mass'"),
        ({"step": "1 m"}, "step: '1 m' is in m, but s is wanted"),
        ({"initial": "guess"}, "initial must be 'estimate' or 'measured'"),
        ({"noise": {"nu[r]": 0.1}}, "noise must be a standard deviation > 0 for each output"),
    ],
)
def test_what_cannot_be_fitted_says_why(change, message) -> None:
    call = {"inputs": INPUTS, "outputs": {"nu[u]": "u"}, "parameters": {"mass": None}} | change
    with pytest.raises(KeelblocksError, match=message):
        identify(forgetful(), SHORT, **call)


def test_a_model_that_does_not_get_through_says_so() -> None:
    wild = forgetful()
    wild.set(linear_damping=np.diag([-1e5, 1.0, 1.0]))
    with pytest.raises(IdentificationError, match="the model fails on log with its present parameters: start from"):
        identify(wild, SHORT, inputs=INPUTS, outputs=OUTPUTS, parameters={"mass": None})


def test_times_may_be_dates_or_in_other_units() -> None:
    stamps = [f"2024-05-01T23:59:{58 + k}" if k < 2 else f"2024-05-02T00:00:0{k - 2}.5" for k in range(5)]
    log = Log.of({"t": stamps, "n": [60.0] * 5}, {"n": "rpm"})
    assert log.time == pytest.approx([0.0, 1.0, 2.5, 3.5, 4.5])
    assert log.units["n"] == "rev/s"
    assert log.values("n") == pytest.approx(1.0)
    zones = [f"2026-03-29T{text}:00" for text in ("01:59:58+01", "01:59:59+01", "03:00:00+02", "03:00:01+02")]
    assert Log.of({"t": zones, "n": [60.0] * 4}, {"n": "rpm"}).time == pytest.approx([0.0, 1.0, 2.0, 3.0])
    minutes = Log.of({"t": np.arange(5.0), "u": np.ones(5)}, {"u": "kn", "t": "min"})
    assert minutes.time == pytest.approx(60.0 * np.arange(5))


def test_columns_are_chosen_and_called_by_other_names(tmp_path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("stamp [ms],SOG [kn],mode,course\n" + "".join(f"{100 * k},2,AUTO,\n" for k in range(6)))
    log = Log.read(path, columns={"speed": "SOG"}, time="stamp")
    assert log.time == pytest.approx(0.1 * np.arange(6))
    assert log.values("speed") == pytest.approx(2.0 * 1852.0 / 3600.0)
    assert list(log.columns) == ["speed"]
    with pytest.raises(LogError, match=r"log.csv has no column 'SGO'; did you mean 'SOG'"):
        Log.read(path, columns=["SGO"], time="stamp")
    path.write_text("t [s],u [m/s],u [kn]\n0,1,1\n")
    with pytest.raises(LogError, match="two columns are called 'u'"):
        Log.read(path)
    path.write_text("")
    with pytest.raises(LogError, match=r"log.csv is empty"):
        Log.read(path)
    with pytest.raises(LogError, match=r"there is no file .*lgo.csv; did you mean 'log.csv'"):
        Log.read(tmp_path / "lgo.csv")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffu [m/s],time\n2,0\n3,1\n4,2\n5,3\n",  # as spreadsheets write "CSV UTF-8"
        "u [m/s],time\n2,0,\n3,1,\n4,2,\n5,3,\n",
        "# of today\nu [m/s]; time\n2; 0\n3; 1\n4; 2\n5; 3\n",
        '"u, by log [m/s]"|time\n2|0\n3|1\n4|2\n5|3\n',
        "u(m/s)  time\n 2  0\n 3  1\n 4  2\n 5  3\n",
    ],
)
def test_columns_of_csv_are_cut_where_the_headings_are(tmp_path, text) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text, encoding="utf-8")
    log = Log.read(path)
    assert log.time.tolist() == [0.0, 1.0, 2.0, 3.0]
    (column,) = log.columns
    assert log.values(column).tolist() == [2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time,u [1]\n0,1,2\n1,1,2\n", "log.csv, line 2: 3 values under 2 headings"),
        ("time,u [1]\n# here\n0,1\n1,1,2\n", "log.csv, line 4: 3 values under 2 headings"),
        ("time\n0\n1\n", "log.csv has 2 samples; at least 4"),
        ("time [s]\n0\n1\n", "log.csv has 2 samples; at least 4"),
    ],
)
def test_rows_of_csv_that_are_too_long_are_told_by_line(tmp_path, text, message) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(LogError, match=message):
        Log.read(path)


def test_the_clock_of_a_netcdf_file_may_count_hours(tmp_path) -> None:
    import xarray as xr

    time = xr.Variable("time", np.arange(5.0), {"units": "hours since 2024-01-01"})
    data = xr.Dataset({"u": ("time", np.ones(5), {"units": "m/s"})}, coords={"time": time})
    data.to_netcdf(tmp_path / "log.nc", engine="h5netcdf")
    assert Log.read(tmp_path / "log.nc").time == pytest.approx(3600.0 * np.arange(5))


def test_a_filled_gap_stays_filled_in_a_part() -> None:
    time = np.r_[0.0:2.0:0.1, 5.0:7.0:0.1]
    log = Log.of({"t": time, "u": time}, {"u": "m/s"}, gaps="fill")
    assert len(log.part(1.0, 6.0).segments) == 1


def test_a_step_of_nothing_is_refused() -> None:
    with pytest.raises(IdentificationError, match="step must be > 0 s, not 0"):
        identify(forgetful(), trial(end=2.0), inputs=INPUTS, outputs=OUTPUTS, parameters={"mass": None}, step=0.0)


LATE = Log.of(
    {"t": np.append(SHORT.time, 1e300)} | {name: np.append(some, some[-1]) for name, some in SHORT.columns.items()},
    UNITS, gaps="fill",
)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"step": 1e-320}, r"log: its 2 s, with a sample every 0.1 s, take inf steps .* are run: take a longer step"),
        ({"step": 1e-300}, r"take 2e\+300 steps of 1e-300 s, and at most 1e\+09 are run"),
        ({"data": LATE}, r"its 1e\+300 s, with a sample every 0.1 s, take 1e\+301 steps of 0.1 s, .*: say gaps: split"),
        ({"noise": {"nu[u]": 1e-300}}, r"log: at the start nu\[u\] is 0.\d+ off, .* with a noise of 1e-300"),
        ({"priors": {"mass": (50.0, 1e-300)}}, "the prior of mass, 50 with a standard deviation of 1e-300, cannot be"),
        ({"data": replace(SHORT, columns=SHORT.columns | {"u": SHORT.columns["u"] * 1e305})}, "log: u reaches .*e.30"),
    ],
)
def test_numbers_beyond_all_measure_are_refused(change, message) -> None:
    call = {"data": SHORT, "inputs": INPUTS, "outputs": {"nu[u]": "u"}, "parameters": {"mass": None}} | change
    with pytest.raises(IdentificationError, match=message):
        identify(forgetful(), **call)


def test_of_a_replay_in_small_steps_only_the_samples_are_kept() -> None:
    def peak(step: float) -> int:
        tracemalloc.start()
        Replay(forgetful(), SHORT, SHORT.segments[0], INPUTS, {"nu[u]": "u"}, step, "rk4", {})
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(0.1)
    assert peak(1e-7) < 2 * peak(0.1)  # 2e7 points
    coarse, fine = (
        identify(forgetful(), SHORT, inputs=INPUTS, outputs={"nu[u]": "u"}, parameters={"mass": None}, step=step)
        for step in (0.1, 0.01)
    )
    assert fine.values["mass"] == pytest.approx(coarse.values["mass"], rel=1e-3)


def test_a_bound_out_of_sight_is_none(monkeypatch) -> None:
    """With it in the way the search stays where it begins, which is said if it happens."""
    call = {"inputs": INPUTS, "outputs": {"nu[u]": "u"}, "parameters": {"linear_damping[X,u]": (1e-2, 1e300)}}
    log = trial(end=10.0)
    found = identify(forgetful(), log, **call)
    near = identify(forgetful(), log, **call | {"parameters": {"linear_damping[X,u]": (1e-2, 1e3)}})
    assert found.values["linear_damping[X,u]"] == pytest.approx(near.values["linear_damping[X,u]"], rel=1e-6)
    assert not [one for one in (*found.warnings, *near.warnings) if "search" in one]
    monkeypatch.setattr(sys.modules[Replay.__module__.replace("replay", "unknowns")], "_UNBOUNDED_RATIO", np.inf)
    with np.errstate(all="ignore"):
        stuck = identify(forgetful(), log, **call)
    assert stuck.values["linear_damping[X,u]"] == pytest.approx(30.0)
    assert stuck.warnings[0].startswith("the search for linear_damping[X,u] is not at its end: from 30 the data pull")


def test_elements_are_suggested_by_their_motions() -> None:
    with pytest.raises(KeelblocksError, match=r"linear_damping has no element 'Y,z'; did you mean 'Y,v'"):
        identify(forgetful(), trial(end=2.0), inputs=INPUTS, outputs=OUTPUTS, parameters={"linear_damping[Y,z]": None})


@pytest.mark.parametrize("held_out", [["evasion.csv"], Log.of({"t": np.arange(5.0), "X": np.ones(5)}, {"X": "N"})])
def test_what_is_held_out_is_looked_at_before_the_fit(held_out, monkeypatch) -> None:
    monkeypatch.setattr("blocks.lab.identification.least_squares.Problem.solve", lambda problem: pytest.fail("fitted"))
    with pytest.raises(KeelblocksError, match=r"hold_out must be a Log|log has no column '\w'"):
        identify(
            forgetful(), trial(end=2.0), inputs=INPUTS, outputs=OUTPUTS, parameters={"mass": None}, hold_out=held_out
        )


def test_what_is_held_out_at_the_end_goes_on_with_states_that_nobody_measured() -> None:
    """Sway is not measured, and not 0 in the turn in which the last part begins."""
    log = trial(noise=1e-6, end=20.0)
    found = identify(
        forgetful(), log, inputs=INPUTS, outputs=OUTPUTS, hold_out=0.3,
        parameters={"linear_damping[X,u]": None, "linear_damping[N,r]": None, "added_mass[X,u]": None},
    )  # fmt: skip
    (test,) = found.tests
    assert len(test.time) == 61
    assert test.time[0] == 0.0
    assert min(found.scores.values()) > 0.999


def test_of_many_segments_a_few_are_drawn() -> None:
    log = trial(end=30.0)
    keep = np.arange(len(log.time)) % 30 < 20
    columns = {"time": log.time[keep], **{name: values[keep] for name, values in log.columns.items()}}
    split = Log.of(columns, log.units, gaps="split")
    assert len(split.segments) == 10
    found = identify(
        forgetful(), split, inputs=INPUTS, outputs={"nu[u]": "u"}, parameters={"linear_damping[X,u]": None}
    )
    figure = fit_figure(found, title="Many")
    assert len(figure.axes) == 6
    assert figure.get_suptitle() == "Many (4 more segments are not drawn)"
    assert len(residual_figure(found).axes[0].lines) <= 8
