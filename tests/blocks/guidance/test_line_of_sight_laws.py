"""The line-of-sight laws, each by its equation, in a current, along a whole path, and one in the place of another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks import Diagram, Result, simulate
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel3DOF
from blocks.environment import UniformCurrent
from blocks.errors import ParameterError
from blocks.guidance import AdaptiveLineOfSight, IntegralLineOfSight, LineOfSight, LineOfSight3D
from blocks.guidance.line_of_sight_law import LineOfSightLaw
from blocks.study import Study

STRAIGHT = [[0.0, 0.0, 0.0], [5e3, 0.0, 0.0]]
LOOKAHEAD = 8.0
SPEED = 1.0

LAWS: dict[str, tuple[type[LineOfSightLaw], dict[str, Any]]] = {
    "lookahead": (LineOfSight, {}),
    "enclosure": (LineOfSight, {"steering": "enclosure", "enclosure_radius": 12.0}),
    "PI": (LineOfSight, {"steering": "proportional_integral", "kp": 1 / LOOKAHEAD, "ki": 0.003}),
    "ILOS": (IntegralLineOfSight, {"integral_gain": 0.2}),
    "ALOS": (AdaptiveLineOfSight, {"adaptation_gain": 0.003}),
    "3-D": (LineOfSight3D, {}),
    "3-D ALOS": (LineOfSight3D, {"adaptive": True, "adaptation_gain": 0.003, "vertical_adaptation_gain": 0.003}),
}
MEMORY = {
    "PI": "cross_track_integral",
    "ILOS": "cross_track_integral",
    "ALOS": "sideslip_estimate",
    "3-D ALOS": "sideslip_estimate",
}


def law(name: str, waypoints: object = STRAIGHT, **changes: Any) -> LineOfSightLaw:
    cls, settings = LAWS[name]
    given = {"waypoints": waypoints, "acceptance_radius": 1.0, "cruise_speed": SPEED, "lookahead": LOOKAHEAD}
    return cls(**(given | settings | changes))


# --- equations --------------------------------------------------------------------------------------------------------


def angle_and_rate(name: str, e: float, memory: float) -> tuple[float, float]:
    """How far off the leg each law steers, and the rate of its memory: plain NumPy, with the values of LAWS."""
    D = LOOKAHEAD
    if name == "enclosure":
        ahead = np.sqrt(max(12.0**2 - e**2, 0.0))  # the point where the circle meets the leg, or the nearest
        return -np.angle(ahead + 1j * e), 0.0
    if name == "PI":
        return -np.arctan(e / D + 0.003 * memory), e
    if name == "ILOS":
        total = e + 0.2 * memory
        return -np.arctan(total / D), D * e / (D**2 + total**2)
    if name.endswith("ALOS"):
        return -memory - np.arctan(e / D), 0.003 * D * e / np.sqrt(D**2 + e**2)
    return -np.arctan(e / D), 0.0


@pytest.mark.parametrize("name", LAWS)
def test_every_law_is_its_equation(name: str) -> None:
    random = np.random.default_rng(3)
    for course in [*random.uniform(-np.pi, np.pi, 4), 3.1, -3.1]:
        begin, length = random.uniform(-50.0, 50.0, 2), random.uniform(20.0, 60.0)
        along, aside = np.array([np.cos(course), np.sin(course)]), np.array([-np.sin(course), np.cos(course)])
        block = law(name, [[*begin, 0.0], [*(begin + length * along), 0.0]], sideslip_compensation=True)
        e, psi = random.choice([3.0, 20.0]) * random.normal(), random.uniform(-6.0, 6.0)
        x, y = begin + random.uniform(0.0, length) * along + e * aside
        memory = random.normal() * (0.3 if name.endswith("ALOS") else 10.0)
        u, v = random.uniform(0.5, 1.0), random.uniform(-0.3, 0.3)
        got = block.evaluate(
            states={MEMORY[name]: memory} if name in MEMORY else {},
            eta=[x, y, 0.0, 0.0, 0.0, psi],
            nu=[u, v, 0.0, 0.0, 0.0, 0.0],
        )
        turn, rate = angle_and_rate(name, e, memory)
        heading = course + turn - np.arctan(v / u)
        assert got.outputs["cross_track_error"] == pytest.approx(e, abs=1e-11)
        assert -np.pi <= got.outputs["heading"] < np.pi
        assert np.exp(1j * got.outputs["heading"]) == pytest.approx(np.exp(1j * heading), abs=1e-11)
        wrapped = abs((heading - psi + np.pi) % (2.0 * np.pi) - np.pi)
        assert got.outputs["speed"] == pytest.approx(SPEED * max(0.0, 1.0 - wrapped / (np.pi / 2)), abs=1e-11)
        if name in MEMORY:
            assert got.derivatives[MEMORY[name]] == pytest.approx(rate, rel=1e-10)
            assert {MEMORY[name]} <= set(block.states) & set(block.output_ports)
        else:
            assert not set(MEMORY.values()) & set(block.output_ports)
            assert not got.derivatives


@pytest.mark.parametrize("error", [-20.0, -8.0, -0.3, 0.0, 4.0, 7.999, 8.0, 30.0])
def test_enclosure_aims_where_the_circle_meets_the_leg(error: float) -> None:
    """The point aimed at lies on the leg, and on the circle unless that is too small: then it is the nearest."""
    block = law("enclosure", [[0.0, 0.0, 0.0], [100.0, 0.0, 0.0]], enclosure_radius=8.0)
    heading = block.evaluate(eta=[30.0, error, 0.0, 0.0, 0.0, 0.0], nu=np.zeros(6)).outputs["heading"]
    if abs(error) >= 8.0:
        assert heading == pytest.approx(-np.sign(error) * np.pi / 2, abs=1e-12)
    else:
        assert 8.0 * np.sin(heading) == pytest.approx(-error, abs=1e-12)
        assert np.cos(heading) > 0.0


@pytest.mark.parametrize(("name", "gain"), [("PI", "ki"), ("ILOS", "integral_gain"), ("ALOS", "adaptation_gain")])
def test_a_law_whose_gain_is_zero_is_plain_line_of_sight(name: str, gain: str) -> None:
    for error in (-5.0, 2.0):
        eta = [3.0, error, 0.0, 0.0, 0.0, 0.4]
        without = law(name, **{gain: 0.0}).evaluate(eta=eta, nu=np.zeros(6)).outputs
        plain = law("lookahead").evaluate(eta=eta, nu=np.zeros(6)).outputs
        assert {output: without[output] for output in plain} == pytest.approx(plain, abs=1e-15)


def test_how_fast_errors_of_the_memory_fade() -> None:
    """Eigenvalues of dy_e/dt = U sin(ψ_d - α) and the memory, near the leg, against those that the docs give.

    Critical damping is κ = U/4, γ = k_i = U/(4 Δ²); here it is twice that, so that they are complex.
    """
    gain = SPEED / (2.0 * LOOKAHEAD**2)
    settings = {"PI": {"ki": gain}, "ILOS": {"integral_gain": gain * LOOKAHEAD**2}, "ALOS": {"adaptation_gain": gain}}
    frequency, damping = np.sqrt(SPEED * gain), np.sqrt(SPEED / gain) / (2.0 * LOOKAHEAD)
    assert damping == pytest.approx(np.sqrt(0.5))
    small = 1e-6
    for name, given in settings.items():
        block, columns = law(name, **given), []
        for error, memory in ((small, 0.0), (0.0, small)):
            got = block.evaluate(states={MEMORY[name]: memory}, eta=[0, error, 0, 0, 0, 0], nu=np.zeros(6))
            columns.append([SPEED * np.sin(got.outputs["heading"]), got.derivatives[MEMORY[name]]])
        roots = np.linalg.eigvals(np.array(columns).T / small)
        expected = frequency * (-damping + 1j * np.sqrt(1.0 - damping**2))
        assert sorted(roots, key=np.imag)[1] == pytest.approx(expected, rel=1e-6)


# --- in a current -----------------------------------------------------------------------------------------------------


def loop(guidance: LineOfSightLaw, current: float = 0.3, **vessel: Any) -> Diagram:
    """A small vessel that swims with 1 m/s, in water that flows east."""
    diagram = Diagram("loop")
    diagram.add("guidance", guidance)
    heading = diagram.add("heading", PID(kp=4.0, ki=0.2, kd=1.0, derivative="rate", angle=True, lower=-1.8, upper=1.8))
    speed = diagram.add("speed", PID(kp=40.0, ki=20.0, derivative="none", lower=-23.0, upper=23.0))
    wrench = diagram.add("wrench", ComposeWrench())
    water = diagram.add("water", UniformCurrent(current, "90 deg"))
    boat = diagram.add("boat", Vessel3DOF.diagonal(m=(9.75, 10.364, 1.158), d=(16.296, 10.193, 4.63), **vessel))
    diagram.connect(boat.eta, guidance.eta)
    diagram.connect(boat.nu, guidance.nu)
    diagram.connect(guidance.heading, heading.reference)
    diagram.connect(guidance.speed, speed.reference)
    diagram.connect(boat.eta["psi"], heading.measurement)
    diagram.connect(boat.nu["r"], heading.rate)
    diagram.connect(boat.nu["u"], speed.measurement)
    diagram.connect(speed.output, wrench.X)
    diagram.connect(heading.output, wrench.N)
    diagram.connect(wrench.force, boat.force)
    diagram.connect(water.current, boat.current)
    return diagram


def settled(guidance: LineOfSightLaw, end: float = 500.0, **given: Any) -> tuple[NDArray[np.float64], float]:
    """Cross-track error over time, and the drift angle at the end, when the vessel moves along its leg."""
    wanted = ["guidance.cross_track_error", "boat.nu"]
    run = simulate(loop(guidance, **given), end, step=0.1, record=wanted, every=10)
    u, v, *_ = run.values("boat.nu")[-1]
    return run.values("guidance.cross_track_error"), float(np.arctan2(v, u))


def test_in_a_current_plain_line_of_sight_settles_beside_its_leg() -> None:
    """Δ tan β by the tangent of its law, R_e sin β by the circle."""
    for name, offset in (("lookahead", lambda beta: LOOKAHEAD * np.tan(beta)), ("enclosure", lambda b: 12 * np.sin(b))):
        error, beta = settled(law(name))
        assert beta > 0.2
        assert error[-1] == pytest.approx(offset(beta), rel=0.01)


@pytest.mark.parametrize("name", MEMORY)
def test_a_law_with_a_memory_settles_on_its_leg(name: str) -> None:
    error, beta = settled(law(name))
    assert beta > 0.2
    assert error.max() > 0.5  # the current did push
    assert np.abs(error[-60:]).max() < 0.02


def test_what_a_law_has_learnt_is_the_drift() -> None:
    """By its output: β̂ = β, κ y_int = Δ tan β, k_i ∫y_e dt = tan β."""
    drift = {
        "PI": lambda memory: np.arctan(0.003 * memory),
        "ILOS": lambda memory: np.arctan(0.2 * memory / LOOKAHEAD),
        "ALOS": lambda memory: memory,
        "3-D ALOS": lambda memory: memory,
    }
    for name, angle in drift.items():
        run = simulate(loop(law(name)), 500.0, step=0.1, record=[f"guidance.{MEMORY[name]}", "boat.nu"], every=100)
        u, v, *_ = run.values("boat.nu")[-1]
        assert angle(run.values(f"guidance.{MEMORY[name]}")[-1]) == pytest.approx(np.arctan2(v, u), abs=2e-3), name


def test_too_small_an_integral_gain_changes_nothing() -> None:
    """κ = 0.001 m/s takes Δ/κ = 8000 s to matter."""
    plain, _ = settled(law("lookahead"), end=200.0)
    little, _ = settled(law("ILOS", integral_gain=0.001), end=200.0)
    assert plain[-1] > 2.0
    assert np.abs(little - plain).max() < 0.05 * plain[-1]


def test_a_memory_goes_no_further_than_its_limit() -> None:
    """With less than the drift allowed, the rest of it is left as an offset: each law's own."""
    limit = 0.1
    rest = {
        "PI": lambda beta: LOOKAHEAD * (np.tan(beta) - np.tan(limit)),
        "ILOS": lambda beta: LOOKAHEAD * (np.tan(beta) - np.tan(limit)),
        "ALOS": lambda beta: LOOKAHEAD * np.tan(beta - limit),
    }
    for name, offset in rest.items():
        error, beta = settled(law(name, sideslip_limit=limit))
        assert error[-1] == pytest.approx(offset(beta), rel=0.01), name


def test_a_limit_keeps_a_memory_from_winding_up_far_from_the_leg() -> None:
    """How far each law overshoots a leg 60 m away, without a limit and with one of 20°: the table of the docs."""
    gain = 0.8 * SPEED / (4.0 * LOOKAHEAD**2)
    gains = {"PI": {"ki": gain}, "ILOS": {"integral_gain": gain * LOOKAHEAD**2}, "ALOS": {"adaptation_gain": gain}}
    expected = {"PI": (37.2, 0.9), "ILOS": (1.4, 0.9), "ALOS": (11.4, 0.8)}
    away = [[0.0, -60.0, 0.0], [600.0, -60.0, 0.0]]
    for name, given in gains.items():
        limited = [law(name, away, **given), law(name, away, **given, sideslip_limit="20 deg")]
        overshoot = [-settled(block, end=200.0, current=0.2)[0].min() for block in limited]
        assert overshoot == pytest.approx(expected[name], abs=0.1), name


@pytest.mark.parametrize(
    ("name", "full"), [("PI", np.tan(0.1) / 0.003), ("ILOS", 8 * np.tan(0.1) / 0.2), ("ALOS", 0.1)]
)
def test_a_memory_at_its_limit_may_come_back(name: str, full: float) -> None:
    """The rate fades out over the last hundredth on the way out, and is what it was on the way back."""
    free, limited = law(name), law(name, sideslip_limit=0.1)

    def rate(block: LineOfSightLaw, memory: float, error: float) -> float:
        got = block.evaluate(states={MEMORY[name]: memory}, eta=[0, error, 0, 0, 0, 0], nu=np.zeros(6))
        return float(got.derivatives[MEMORY[name]])

    for part, left in ((0.98, 1.0), (0.995, (1 - 0.995**2) / (1 - 0.99**2)), (1.0, 0.0), (1.5, 0.0)):
        for side in (1.0, -1.0):
            out, back = (rate(free, side * part * full, side * e) for e in (2.0, -2.0))
            assert rate(limited, side * part * full, side * 2.0) == pytest.approx(left * out, rel=1e-6, abs=1e-12)
            assert rate(limited, side * part * full, side * -2.0) == back


# --- along a path -----------------------------------------------------------------------------------------------------

SQUARE = [[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [20.0, 20.0, 0.0], [0.0, 20.0, 0.0]]


def order(run: Result) -> list[int]:
    waypoint = run.values("guidance.waypoint")
    return [int(waypoint[0]), *(int(w) for w in waypoint[1:][np.diff(waypoint) != 0])]


@pytest.mark.parametrize("switching", ["circle", "along_track"])
@pytest.mark.parametrize("name", LAWS)
def test_every_law_follows_the_schedule(name: str, switching: str) -> None:
    """Round the square and to rest at the end; and on from there, where it is a loop."""
    given = {"acceptance_radius": 2.0, "switching": switching, "lookahead": 4.0, "enclosure_radius": 6.0, "kp": 0.25}
    given = {key: value for key, value in given.items() if key in LAWS[name][0].all_parameters()}
    wanted = ["guidance.waypoint", "guidance.finished", "guidance.speed", "guidance.heading", "boat.eta"]
    once = simulate(loop(law(name, SQUARE, **given), current=0.1), 120.0, step=0.1, record=wanted)
    assert order(once) == [2, 3, 4]
    after = once.values("guidance.finished") == 1.0
    assert np.count_nonzero(np.diff(after)) == 1
    assert np.all(once.values("guidance.speed")[after] == 0.0)
    assert np.ptp(once.values("guidance.heading")[after]) == 0.0
    north, east = once.values("boat.eta")[after][0][:2]
    reached = np.hypot(north, east - 20.0) if switching == "circle" else north
    assert 1.8 < reached <= 2.0  # within a step of the rim
    endless = simulate(loop(law(name, SQUARE, at_end="loop", **given), current=0.1), 120.0, step=0.1, record=wanted)
    assert order(endless)[:6] == [2, 3, 4, 1, 2, 3]
    assert not np.any(endless.values("guidance.finished"))


@pytest.mark.parametrize("name", MEMORY)
def test_nothing_is_learnt_where_there_is_no_leg_to_follow(name: str) -> None:
    """On a dive and at the end the memory stays what it is, from leg to leg too."""
    dive = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0]]
    for states in ({"phase": 1.0, "active_waypoint": 2.0}, {"phase": 2.0, "active_waypoint": 3.0}):
        got = law(name, dive).evaluate(states=states, eta=[3.0, 4.0, 0.0, 0.0, 0.0, 0.0], nu=np.zeros(6))
        assert not np.any(list(got.derivatives.values()))
        assert got.outputs["speed"] == 0.0


# --- exchange ---------------------------------------------------------------------------------------------------------


def test_laws_are_exchanged_as_a_factor_of_a_study() -> None:
    chosen = {name: law(name) for name in ("lookahead", "enclosure", "PI", "ILOS", "ALOS", "3-D ALOS")}
    metrics = {"error": "final(guidance.cross_track_error)"}
    study = Study(loop(law("lookahead")), {"guidance": chosen}, metrics, end=400, step=0.1)
    errors = dict(zip(chosen, study.run().values("error"), strict=True))
    assert errors["lookahead"] > 2.0
    assert errors["enclosure"] > 2.0
    assert all(abs(errors[name]) < 0.02 for name in ("PI", "ILOS", "ALOS", "3-D ALOS"))


BAD = [
    ("ILOS", {"integral_gain": -0.1}, r"IntegralLineOfSight\.integral_gain must be ≥ 0 m/s, not -0\.1"),
    (
        "ALOS",
        {"adaptation_gain": "0.1 m/s"},
        r"AdaptiveLineOfSight\.adaptation_gain: '0\.1 m/s' is in m.*, but 1/.* is",
    ),
    (
        "ALOS",
        {"sideslip_limit": 20.0},
        r"\.sideslip_limit must be > 0 and ≤ 1\.5708 rad, not 20; in degrees it is '20 d",
    ),
    ("PI", {"kp": 0.0}, r"LineOfSight\.kp must be > 0 1/m, not 0"),
    ("3-D", {"vertical_lookahead": 0.0}, r"LineOfSight3D\.vertical_lookahead must be > 0 m, not 0"),
    ("3-D", {"waypoints": [[0, 0, 0]]}, r"LineOfSight3D\.waypoints: a path needs at least two waypoints"),
]


@pytest.mark.parametrize(("name", "changes", "message"), BAD)
def test_bad_parameters_are_named(name: str, changes: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        law(name, **changes)
