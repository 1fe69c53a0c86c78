"""Logs as they come: units in names and below headings, coarse stamps, other axes, bags."""

from pathlib import Path

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.dynamics import Vessel3DOF
from blocks.lab.identification import Log, LogError, Velocity
from blocks.live.logs import save_mcap


def written(folder: Path, text: str) -> Path:
    path = folder / "log.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "t,psi_deg,u [kn]\n0,90,1\n1,91,2\n2,92,2\n3,93,2\n",
        "t;psi_deg;u (kn)\n0;90;1\n1;91;2\n2;92;2\n3;93;2\n",
        "t,psi_deg,u\ns,deg,kn\n0,90,1\n1,91,2\n2,92,2\n3,93,2\n",
        "t psi_deg u\n[s] [deg] [kn]\n0 90 1\n1 91 2\n2 92 2\n3 93 2\n",
    ],
    ids=["in names", "in brackets", "in a line below", "with blanks"],
)
def test_units_are_found_where_csv_has_them(text: str, tmp_path: Path) -> None:
    log = Log.read(written(tmp_path, text))
    assert log.units == {"psi_deg": "rad", "u": "m/s"}
    assert log.values("psi_deg")[0] == pytest.approx(0.5 * np.pi)
    assert log.values("u")[1] == pytest.approx(2.0 * 1852.0 / 3600.0)


def test_a_unit_that_is_given_goes_before_that_of_the_name(tmp_path: Path) -> None:
    log = Log.read(written(tmp_path, "t,psi_deg\n0,0\n1,1\n2,2\n3,3\n"), units={"psi_deg": "rad"})
    assert log.values("psi_deg")[3] == 3.0


COARSE = np.floor(np.arange(60) / 10.0)


def test_a_rate_takes_the_place_of_coarse_stamps() -> None:
    log = Log.of({"t": COARSE, "u": np.arange(60.0)}, {"u": "m/s"}, rate="10 Hz")
    assert log.time == pytest.approx(np.arange(60) / 10.0)
    assert log.notes == ("time from the rate, 10 Hz; stamps are 1 s apart and repeat in 54 of 60 samples",)
    assert str(log).endswith(log.notes[0])
    assert Log.of({"u": np.arange(60.0)}, {"u": "m/s"}, rate=10.0).time[-1] == pytest.approx(5.9)
    holes = Log.of({"t": np.where(COARSE == 2.0, np.nan, COARSE), "u": np.arange(60.0)}, {"u": "m/s"}, rate=10.0)
    assert holes.notes == ("time from the rate, 10 Hz; stamps are missing in 10 of 60 samples",)


@pytest.mark.parametrize(
    ("stamps", "rate", "message"),
    [
        (COARSE, None, r"the time is repeated.*Stamps look too coarse .*rate='10 Hz' by their number"),
        (
            COARSE,
            "5 Hz",
            r"60 samples at 5 Hz take 12 s, and their stamps go over 6 s; that would be 10 Hz on the whole",
        ),
        (COARSE + 4.0 * (COARSE > 2), 10, r"between 2 s and 7 s samples are missing; that would be 6 Hz"),
        (COARSE[::-1], 10, "after sample 9, at 5 s, the time goes back to 4 s"),
        (COARSE, "10 s", "rate: '10 s' is in s, but Hz is wanted"),
        (COARSE, 0, "rate must be > 0 Hz, not 0"),
    ],
)
def test_stamps_and_rates_that_do_not_agree_are_told(stamps: np.ndarray, rate: object, message: str) -> None:
    with pytest.raises(LogError, match=message):
        Log.of({"t": stamps, "u": np.arange(60.0)}, {"u": "m/s"}, rate=rate)


def turning() -> dict[str, np.ndarray]:
    """An Otter that turns: its velocity in several forms, and what it is in body axes."""
    force = [60.0, 0, 0, 0, 0, 15.0]
    inputs = {"force": force, "current": [0.2, 0.1, 0.0], "disturbance": np.zeros(6)}
    run = simulate(Vessel3DOF.from_vehicle("otter"), 20.0, step=0.1, every=5, inputs=inputs)
    nu, psi = run.values("vessel_3dof.nu"), run.values("vessel_3dof.eta")[:, 5]
    north = nu[:, 0] * np.cos(psi) - nu[:, 1] * np.sin(psi)
    east = nu[:, 0] * np.sin(psi) + nu[:, 1] * np.cos(psi)
    return {
        "t": run.time, "psi": psi, "u": nu[:, 0], "v": nu[:, 1], "r": nu[:, 5], "vn": north, "ve": east,
        "sog": np.hypot(north, east), "cog": np.arctan2(east, north), "theta": 0.5 * np.pi - psi, "rudder": -psi,
        "slip": north - 0.7, "tank": np.full(len(psi), 0.7),
        "ua": nu[:, 0] - 0.3 * nu[:, 5], "va": nu[:, 1] + 1.2 * nu[:, 5],
    }  # fmt: skip


@pytest.mark.parametrize(
    "velocity",
    [
        {"frame": "earth", "of": ("vn", "ve"), "heading": "psi"},
        {"frame": "enu", "of": ("ve", "vn"), "heading": "theta"},
        {"frame": "course", "of": ("sog", "cog"), "heading": "psi"},
        {"frame": "carriage", "of": ("slip", "ve"), "heading": "psi", "carriage": "tank"},
        {"frame": "body", "of": ("ua", "va"), "at": ("1.2 m", 0.3), "yaw_rate": "r"},
    ],
    ids=lambda one: one["frame"],
)
def test_velocities_are_turned_into_body_axes(velocity: dict) -> None:
    made = turning()
    units = {
        **dict.fromkeys(made, "m/s"),
        **dict.fromkeys(("psi", "theta", "cog", "rudder"), "rad"),
        "r": "rad/s",
        "t": "s",
    }
    known = {name: values for name, values in made.items() if name not in ("u", "v")}
    log = Log.of(known, {name: units[name] for name in known}, velocity=velocity, reverse=["rudder"])
    assert log.values("u") == pytest.approx(made["u"], abs=1e-12)
    assert log.values("v") == pytest.approx(made["v"], abs=1e-12)
    assert log.values("rudder") == pytest.approx(np.unwrap(made["psi"]))
    if velocity["frame"] == "enu":
        assert log.values("theta") == pytest.approx(np.unwrap(made["psi"]))


@pytest.mark.parametrize(
    ("velocity", "message"),
    [
        ({"frame": "erth", "of": ("vn", "ve")}, "velocity: 'erth' is no frame; did you mean 'earth'"),
        ({"frame": "earth", "of": ("vn", "ve")}, "say which column is the heading, by which 'earth' is turned"),
        ({"frame": "earth", "of": ("vn", "vee"), "heading": "psi"}, "log has no column 'vee'; did you mean 've'"),
        ({"frame": "earth", "of": ("vn", "psi"), "heading": "psi"}, "psi is in rad"),
        ({"frame": "earth", "heading": "psi"}, "of is missing"),
        ({"frame": "body", "of": ("vn", "ve"), "at": (1, 2)}, "'yaw_rate' go together"),
        ({"frame": "earth", "of": ("vn", "ve"), "haeding": "psi"}, "unknown key 'haeding'; did you mean 'heading'"),
    ],
)
def test_velocities_that_cannot_be_turned_say_why(velocity: dict, message: str) -> None:
    zero = np.zeros(5)
    with pytest.raises(LogError, match=message):
        Log.of({"t": np.arange(5.0), "vn": zero, "ve": zero, "psi": zero}, {"vn": "m/s", "ve": "m/s", "psi": "deg"},
               velocity=velocity)  # fmt: skip
    assert Velocity("body", ("a", "b")).columns == ["a", "b"]


def test_topics_of_a_bag_are_columns_in_our_axes(tmp_path: Path) -> None:
    boat = Diagram("boat")
    vessel = boat.add("vessel", Vessel3DOF.from_vehicle("otter"))
    boat.inputs(force=vessel.force)
    time = np.arange(0.0, 20.0, 1.0)
    force = np.zeros((len(time), 6))
    force[:, 0], force[:, 5] = 60.0, 10.0 * np.sign(np.sin(time))
    run = simulate(boat, 19.0, step=0.1, inputs={"force": (time, force, "hold")})
    topics = {"/odom": {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu", "rate": "5 Hz"}}
    path = save_mcap(run, tmp_path / "run.mcap", topics=topics, signals=["force_series.y"])
    columns = {"u": "/odom nu[u]", "r": "/odom nu[r]", "psi": "/odom eta[psi]", "N": "/force_series/y data[5]"}
    log = Log.read(path, columns=columns, units={"N": "N*m"}, time="/odom")
    assert log.units == {"u": "m/s", "r": "rad/s", "psi": "rad", "N": "N*m"}
    rows = np.searchsorted(run.time, log.time - 1e-6)
    assert log.interval == pytest.approx(0.2)
    assert log.values("r") == pytest.approx(run.values("vessel.nu[r]")[rows], abs=1e-12)
    assert log.values("N") == pytest.approx(run.values("force_series.y")[rows, 5])
    for wanted, message in (
        ({"u": "/odm nu[u]"}, "u: .* has no messages on the topic '/odm'; did you mean '/odom'"),
        ({"u": "/odom nu"}, "has 6 elements; name one"),
        ({"u": "/odom nu[u]", "r": "yaw"}, "is a bag: say which topic gives r"),
    ):
        with pytest.raises(LogError, match=message):
            Log.read(path, columns=wanted)


GERMAN = "t [s];u [m/s];r [°/s]\n0,0;1,5;-0,5\n0,1;1,5;0\n0,2;1,5;0,5\n0,3;1,5;1,0\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN.replace("[s];u [m/s];r [°/s]\n", ";u;r\ns;m/s;deg/s\n"), "utf-8"),
        (GERMAN.replace("\n", ";\n"), "utf-8"),
        ("\n".join(",".join(f'"{cell}"' for cell in line.split(";")) for line in GERMAN.split("\n")[:-1]), "utf-8"),
    ],
)
def test_csv_is_read_as_spreadsheets_write_it(text: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(text.encode(encoding))
    log = Log.read(path)
    assert log.time == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert log.values("u") == pytest.approx(np.full(4, 1.5))
    assert np.degrees(log.values("r")) == pytest.approx([-0.5, 0.0, 0.5, 1.0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t [s],u [m/s]\n0,0,1,5\n", "line 2: 4 values under 2 headings; where decimals have a comma.*semicolons"),
        ("Logger 2\nBoat,Otter,x\nt [s],u [m/s],v [m/s]\n", "the first line must name the columns, and lines before"),
        ("t [s],u [m/s],u [m/s]\n0,1,2\n", r"two columns are called 'u \[m/s\]'"),
        ("t [s],u [m/s],\n0,1,2\n", "column 3 has values and no heading"),
        ("t,u [m/s]\n12:00:01,1\n", "a time is a number, or a date as ISO 8601 has it"),
        ("t,u [m/s]\n1714560000000,1\n1714560000100,1\n", r"no number of seconds: say its unit, units=\{'t': 'ms'\}"),
        ("t,u [m/s]\n0,1\n1,-9999\n2,1\n3,2\n", "u is -9999 in 1 of 4 samples, and within ±2 in the others; that is a"),
        ("t,u [m/s],v [m/s]\n0,1,\n1,1,\n2,1,1\n3,2,\n", "v is missing.*3 of 4.*a lower rate than the others"),
    ],
)
def test_csv_that_is_not_what_it_seems_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text)
    with pytest.raises(LogError, match=message):
        Log.read(path)


def test_samples_without_a_value_are_left_out_where_gaps_are_allowed() -> None:
    u = np.arange(60.0)
    u[[3, 20]] = np.nan, np.inf
    u[40:50] = np.nan
    data, units = {"t": np.arange(60.0), "u": u}, {"u": "m/s"}
    with pytest.raises(LogError, match=r"u is missing.*in 12 of 60 samples, first at 3 s: gaps='fill' leaves"):
        Log.of(data, units)
    filled, split = (Log.of(data, units, gaps=gaps) for gaps in ("fill", "split"))
    assert "12 of 60 samples left out, in which u is missing" in str(filled)
    assert np.isfinite(filled.values("u")).all()
    assert [len(filled.segments), len(split.segments)] == [1, 2]


@pytest.mark.parametrize(
    ("thrust", "mark"),
    [
        (np.where(np.arange(40) < 20, 0.0, 999.0), None),
        (np.where(np.arange(40) % 8 < 4, 0.5, -99.0), None),
        (np.where(np.arange(40) == 7, -999.0, 0.0), "-999 in 1 of 40 samples, and within ±0"),
        (np.where(np.arange(40) < 20, np.arange(40.0), 9999.0), "9999 in 20 of 40 samples, and within ±19"),
    ],
    ids=["on and off", "ahead and astern", "one among equals", "many among others"],
)
def test_marks_of_missing_values_are_told_from_what_is_switched(thrust: np.ndarray, mark: str | None) -> None:
    def read() -> Log:
        return Log.of({"t": np.arange(40.0), "thrust": thrust}, {"thrust": "N"})

    if mark is None:
        assert np.array_equal(read().values("thrust"), thrust)
    else:
        with pytest.raises(LogError, match=rf"thrust is {mark} in the others; that is a mark for a missing value"):
            read()
