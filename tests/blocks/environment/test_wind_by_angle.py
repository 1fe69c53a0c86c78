"""Wind loads over the angle of attack: published coefficients, symmetry, tables, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from blocks.environment import (
    BlendermannWindLoad,
    FujiwaraWindLoad,
    IsherwoodWindLoad,
    TabulatedWindLoad,
    UniformWind,
    WindLoad,
)
from blocks.environment.blendermann_wind_load import SHIP_TYPES
from blocks.environment.wind_by_angle import WindLoadByAngle
from blocks.errors import ParameterError

Array = NDArray[np.float64]

SHIP: dict[str, Any] = {"frontal_area": 300.0, "lateral_area": 900.0, "length": 100.0}
MERCHANT = SHIP | {
    "breadth": 20.0, "superstructure_area": 100.0, "perimeter": 130.0, "centroid_from_bow": 48.0, "masts": 2
}  # fmt: skip
PASSENGER = SHIP | {
    "breadth": 20.0, "superstructure_area": 350.0, "bridge_height": 18.0, "centroid_height": 5.0,
    "centroid_forward": 2.0,
}  # fmt: skip
RESEARCH = {
    "ship_type": "research", "frontal_area": 160.7, "lateral_area": 434.8, "length": 55.0, "centroid_height": 5.1,
    "centroid_forward": 1.48,
}  # fmt: skip
ALL = [BlendermannWindLoad(**RESEARCH), IsherwoodWindLoad(**MERCHANT), FujiwaraWindLoad(**PASSENGER)]
MIRROR = np.array([1.0, -1.0, -1.0, -1.0])


def of(block: WindLoadByAngle) -> str:
    return type(block).__name__


def load(
    block: WindLoadByAngle | WindLoad, wind: ArrayLike, attitude: ArrayLike = (0, 0, 0), nu: ArrayLike = 0.0
) -> Array:
    velocity = np.broadcast_to(nu, 6)
    found: Array = block.evaluate(wind=wind, eta=[3.0, -2.0, 1.0, *np.asarray(attitude)], nu=velocity).outputs[
        "disturbance"
    ]
    return found


# --- published coefficients ------------------------------------------------------------------------------------------


def test_isherwood_at_the_angles_of_his_tables() -> None:
    """The example of MSS's exWindForce.m by hand, from the printed rows: signs as for wind from port there."""
    ship = IsherwoodWindLoad(
        frontal_area=300, lateral_area=900, length=100, breadth=30, superstructure_area=100, perimeter=100,
        centroid_from_bow=50, masts=2,
    )  # fmt: skip
    side, front, slender = 2 * 900 / 100**2, 2 * 300 / 30**2, 100 / 30
    surge = {
        0: -(2.152 - 5.00 * side + 0.243 * front - 0.164 * slender),
        60: -(0.913 - 4.68 * side - 0.104 * slender + 0.482 + 0.052 * 2),
        160: -(-2.148 + 2.56 * side + 0.081 * slender + 1.27 * 0.5 - 0.027 * 2),
        180: -(-2.529 + 3.76 * side - 0.174 * front + 0.128 * slender + 1.55 * 0.5),
    }
    sway = {
        40: 0.329 + 1.82 * side + 0.043 * slender - 0.59 * 0.5,
        90: 0.889 + 0.138 * front - 0.66 * 0.5,
        130: 1.014 + 0.191 * front - 0.280 - 0.69 * 0.5 + 0.44 / 9,
    }
    yaw = {
        40: 0.2017 + 0.457 * side + 0.0067 * slender - 0.472 * 0.5,
        90: 0.2627 - 0.508 * 0.5,
        130: -0.0189 - 0.0488 * front + 0.0101 * slender + 0.1128 - 0.420 * 0.5,
    }
    for row, published, sign in ((0, surge, 1.0), (1, sway, -1.0), (3, yaw, -1.0)):
        found = ship.coefficients(np.radians(list(published)))[row]
        assert found == pytest.approx(sign * np.array(list(published.values())), abs=1e-12)
    assert not ship.coefficients([0.4, 2.0])[2].any()


def test_blendermann_by_the_printed_formula() -> None:
    """The research vessel, type 13, of MSS's exWindForce.m: C_t 0.85, C_l 0.55 and 0.65, δ 0.6, κ 1.4."""
    ship = BlendermannWindLoad(**RESEARCH)
    for gamma in np.radians([0.0, 25.0, 60.0, 90.0, 110.0, 150.0, 180.0]):
        along = 0.55 if gamma <= np.pi / 2 else 0.65
        part = 1.0 - 0.3 * (1.0 - along * 160.7 / 434.8 / 0.85) * np.sin(2.0 * gamma) ** 2
        surge, sway = -along * np.cos(gamma) / part, -0.85 * np.sin(gamma) / part
        roll = 1.4 * (5.1 / (434.8 / 55.0)) * sway
        yaw = (1.48 / 55.0 - 0.18 * (gamma - np.pi / 2)) * sway
        assert ship.coefficients([gamma])[:, 0] == pytest.approx([surge, sway, roll, yaw], abs=1e-12)


def test_blendermann_types_are_his_table() -> None:
    """C_l from ahead and astern, C_t, and κ with a centroid at the mean height, for a few of the seventeen."""
    printed = {
        "car-carrier": (0.95, 0.55, 0.60, 1.2),
        "drilling": (1.00, 0.85, 0.925, 1.7),
        "fishing": (0.95, 0.70, 0.70, 1.1),
        "tanker-loaded": (0.70, 0.90, 0.55, 3.1),
        "tender": (0.85, 0.55, 0.55, 1.1),
    }
    assert len(SHIP_TYPES) == 17
    for name, (across, ahead, astern, rolling) in printed.items():
        ship = BlendermannWindLoad(ship_type=name, centroid_height=9.0, **SHIP)  # 9 m: A_L/L
        surge, sway, roll, _ = ship.coefficients([0.0, np.pi / 2, np.pi])
        assert surge[[0, 2]] == pytest.approx([-ahead, astern], rel=1e-12)
        assert (-sway[1], -roll[1]) == pytest.approx((across, across * rolling), rel=1e-12)


def test_fujiwara_by_hand() -> None:
    """Wind from ahead and astern, where only C_LF counts, and on the beam, where C_CF does."""
    surge, sway, roll, yaw = FujiwaraWindLoad(**PASSENGER).coefficients([0.0, np.pi / 2, np.pi])
    fore = 0.922 - 0.507 * 900 / 2000 - 1.162 * 0.02
    aft = -0.018 + 5.091 * 0.2 - 10.367 * 0.05 + 3.011 * 0.035 + 0.341 * 0.75
    assert surge == pytest.approx([-fore, 0.0, aft], abs=1e-12)
    across = 0.404 + 0.368 * 300 / 360 + 0.902 * 0.18
    assert sway == pytest.approx([0.0, -across, 0.0], abs=1e-12)
    assert roll[1] == pytest.approx(-across * 5.0 / 9.0)
    assert yaw[1] == pytest.approx(-across * 0.927 * 0.02)


def test_three_methods_agree_on_one_ship() -> None:
    """Made from different wind tunnels: on a cargo ship within a quarter across, and two fifths of the yaw moment."""
    found = np.array([
        BlendermannWindLoad(ship_type="cargo-loaded", centroid_height=5.0, centroid_forward=2.0, **SHIP)
        .coefficients(np.radians([30.0, 60.0, 90.0, 120.0, 150.0])),
        ALL[1].coefficients(np.radians([30.0, 60.0, 90.0, 120.0, 150.0])),
        ALL[2].coefficients(np.radians([30.0, 60.0, 90.0, 120.0, 150.0])),
    ])  # fmt: skip
    middle = np.median(found, axis=0)
    assert np.abs(found[:, 1] / middle[1] - 1.0).max() < 0.3
    assert np.abs(found[:, 3, [0, 1, 3, 4]] / middle[3, [0, 1, 3, 4]] - 1.0).max() < 0.4


def test_how_much_of_the_yaw_moment_is_that_of_the_centroid() -> None:
    """Copies of Fujiwara's yaw moment have 0.927 C/L and 0.297 C/L. In a wind on the beam ∂(C_N/C_Y)/∂(C/L) is 1 with
    Blendermann, and with Isherwood 0.65, nearer to the first."""

    def lever(block: WindLoadByAngle) -> float:
        _, sway, _, yaw = block.coefficients([np.pi / 2])
        return float(yaw[0] / sway[0])

    def slope(ahead: WindLoadByAngle, astern: WindLoadByAngle) -> float:
        return (lever(ahead) - lever(astern)) / 0.04

    isherwood = slope(*(IsherwoodWindLoad(**(MERCHANT | {"centroid_from_bow": c})) for c in (48.0, 52.0)))
    fujiwara = slope(*(FujiwaraWindLoad(**(PASSENGER | {"centroid_forward": c})) for c in (2.0, -2.0)))
    blendermann = slope(*(BlendermannWindLoad(**(RESEARCH | {"centroid_forward": c})) for c in (1.1, -1.1)))
    assert blendermann == pytest.approx(1.0)
    assert fujiwara == pytest.approx(0.927)
    assert 0.612 < isherwood < 0.7


def test_sines_leave_half_of_the_yaw_moment_of_a_ship_with_her_house_aft() -> None:
    """The best c_n of a WindLoad, C_N = -c_n sin 2γ, for a tanker whose area's centroid lies a tenth of L aft."""
    gamma = np.linspace(0.0, np.pi, 181)
    tanker = BlendermannWindLoad(ship_type="tanker-in-ballast", centroid_height=6, centroid_forward=-10, **SHIP)
    yaw = tanker.coefficients(gamma)[3]
    best = -np.sin(2 * gamma) * (yaw @ -np.sin(2 * gamma)) / (np.sin(2 * gamma) @ np.sin(2 * gamma))
    assert np.abs(yaw - best).max() > 0.5 * np.abs(yaw).max()


# --- symmetry, continuity, and where moments act ---------------------------------------------------------------------


@pytest.mark.parametrize("block", ALL, ids=of)
def test_wind_from_port_gives_the_mirror_image(block: WindLoadByAngle) -> None:
    """For all angles, also beyond half a turn, where MSS's isherwood72.m and blendermann94.m have other signs."""
    gamma = np.linspace(0.0, np.pi, 25)
    starboard = block.coefficients(gamma)
    assert block.coefficients(-gamma) == pytest.approx(MIRROR[:, None] * starboard, abs=1e-12)
    assert block.coefficients(2.0 * np.pi - gamma) == pytest.approx(MIRROR[:, None] * starboard, abs=1e-12)
    assert np.all(starboard[1, 1:-1] < 0.0)  # it pushes to port
    assert starboard[3, 6] < 0.0 < starboard[3, 18]  # away from a wind ahead of the beam, into one abaft of it


@pytest.mark.parametrize("block", [*ALL, TabulatedWindLoad(**TabulatedWindLoad.examples[0])], ids=of)
def test_loads_do_not_jump(block: WindLoadByAngle) -> None:
    around = block.coefficients(np.linspace(-np.pi, np.pi, 1441))
    assert np.abs(np.diff(around)).max() < 0.02 * np.ptp(around)


@pytest.mark.parametrize("block", ALL, ids=of)
def test_moments_move_with_midship(block: WindLoadByAngle) -> None:
    x, y, z = 4.0, 1.5, -2.0
    wind = [-6.0, -9.0, 0.0]
    before = load(block, wind)
    moved = load(type(block)(**(block.values | {"midship": [x, y, z]})), wind)
    X, Y = before[:2]
    assert moved == pytest.approx(before + np.array([0, 0, 0, -z * Y, z * X, x * Y - y * X]), rel=1e-12)


def test_the_load_is_that_of_the_apparent_wind_and_follows_the_heading() -> None:
    block = ALL[0]
    q = 0.5 * 1.225 * 12.0**2
    scale = np.array([160.7, 434.8, 434.8**2 / 55.0, 434.8 * 55.0])
    for heading, gamma in ((0.0, 0.6), (1.1, 2.2), (-2.0, -0.9)):
        wind = UniformWind(12.0, heading + gamma).evaluate().outputs["wind"]
        expected = q * scale * block.coefficients([gamma])[:, 0]
        assert load(block, wind, (0, 0, heading))[[0, 1, 3, 5]] == pytest.approx(expected, rel=1e-12)
    assert load(block, [4.0, -5.0, 0.0], nu=[3.0, 1.0, 0, 0, 0, 0]) == pytest.approx(load(block, [1.0, -6.0, 0.0]))
    still = type(block)(**(block.values | {"reference": "true"}))
    assert load(still, [1.0, -6.0, 0.0], nu=[3.0, 1.0, 0, 0, 0, 0]) == pytest.approx(load(block, [1.0, -6.0, 0.0]))
    for every in ALL:
        assert not load(every, [0.0, 0.0, 0.0]).any()


# --- tables ----------------------------------------------------------------------------------------------------------


def tabulated(block: WindLoadByAngle, angles: ArrayLike) -> TabulatedWindLoad:
    surge, sway, roll, yaw = block.coefficients(angles)
    given = {name: block.values[name] for name in ("frontal_area", "lateral_area", "length")}
    return TabulatedWindLoad(**given, angles=angles, surge=surge, sway=sway, roll=roll, yaw=yaw)


def test_a_table_meets_its_points_and_comes_near_in_between_as_they_grow_dense() -> None:
    """Half the distance, a third of the error or less."""
    block, gamma = ALL[2], np.linspace(-np.pi, np.pi, 721)
    errors = []
    for count in (10, 19, 37):
        half = tabulated(block, np.linspace(0.0, np.pi, count))
        assert half.coefficients(half.angles) == pytest.approx(block.coefficients(half.angles), abs=1e-12)
        errors.append(np.abs(half.coefficients(gamma) - block.coefficients(gamma)).max(axis=1))
    assert np.all(errors[2][1:] < errors[1][1:] / 3.0)
    assert np.all(errors[2] < 0.01)  # that of surge at its corner on the beam, where regressions meet


def test_half_a_turn_and_a_turn_are_the_same_table() -> None:
    half = np.linspace(0.0, np.pi, 13)
    whole = np.linspace(-np.pi, np.pi, 25)
    gamma = np.linspace(-4.0, 7.0, 97)
    expected = tabulated(ALL[0], half).coefficients(gamma)
    for angles in (whole, whole[:-1], whole[:-1] + 6.0 * np.pi / 12.0):
        assert tabulated(ALL[0], angles).coefficients(gamma) == pytest.approx(expected, abs=1e-12)


def test_a_table_of_sines_is_the_load_by_sines() -> None:
    gamma = np.linspace(0.0, np.pi, 37)
    table = TabulatedWindLoad(
        **SHIP, angles=gamma, surge=-0.7 * np.cos(gamma), sway=-0.85 * np.sin(gamma), yaw=-0.1 * np.sin(2 * gamma)
    )
    simple = WindLoad(**SHIP, yaw_coefficient=0.1)
    for wind in ([-6.0, -9.0, 0.0], [3.0, -7.0, 0.0], [5.0, 4.0, 0.0]):
        expected = load(simple, wind)
        assert load(table, wind) == pytest.approx(expected, abs=2e-3 * np.abs(expected).max())


def test_a_ship_with_no_symmetry_has_a_table_all_around() -> None:
    turn = np.radians([-150.0, -90.0, -30.0, 30.0, 90.0, 150.0])
    table = TabulatedWindLoad(
        **SHIP, angles=turn, surge=[0.5, 0.0, -0.6, -0.5, 0.1, 0.6], sway=[0.5, 1.0, 0.4, -0.4, -0.8, -0.3]
    )
    port, starboard = table.coefficients([-np.pi / 2, np.pi / 2])[1]
    assert (port, starboard) == pytest.approx((1.0, -0.8))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"angles": [0.0, 2.0, 1.0, np.pi]}, r"angles must increase .* \[1\] is 2 and \[2\] is 1"),
        ({"angles": [0.0, 1.0, 2.0, 2.9]}, r"angles do not close: between 166\.158 and 360 deg is a gap of 193"),
        ({"angles": [0.0, 60.0, 120.0, 180.0]}, r"not go from 0 to 10313\.2 deg; plain numbers are in radians"),
        ({"sway": [-0.2, -0.6, -0.5, 0.0]}, r"sway\[0\] is -0\.2 at an angle of 0 deg, where wind pushes a ship whose"),
        ({"yaw": [0.0, 0.1, 0.1]}, r"must have the same number"),
        (
            {"angles": [-np.pi, -1.0, 1.0, np.pi], "surge": [0.5, -0.6, -0.6, 0.9], "sway": [0.0, 0.5, -0.5, 0.0]},
            r"angles do not close: -180 and 180 deg are the same angle, but surge is 0\.5 at one and 0\.9 at the other",
        ),
        ({"lateral_area": 0.0}, r"lateral_area must be > 0 m\^2, not 0"),
        ({"frontal_area": -2.0}, r"frontal_area must be > 0 m\^2, not -2"),
    ],
)
def test_tables_that_are_no_tables_are_refused(changes: dict[str, Any], message: str) -> None:
    table = SHIP | {
        "angles": [0.0, 1.0, 2.0, np.pi], "surge": [-0.7, -0.4, 0.4, 0.6], "sway": [0.0, -0.7, -0.7, 0.0]
    }  # fmt: skip
    with pytest.raises(ParameterError, match=message):
        TabulatedWindLoad(**(table | changes))


def test_ships_that_cannot_be_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=r"superstructure_area is part of the lateral_area: 1000 must not exceed 9"
    ):
        IsherwoodWindLoad(**(MERCHANT | {"superstructure_area": 1000.0}))
    with pytest.raises(ParameterError, match=r"superstructure_area is part of the lateral_area"):
        FujiwaraWindLoad(**(PASSENGER | {"superstructure_area": 1000.0}))
    with pytest.raises(ParameterError, match=r"centroid_from_bow must be < length, 100 m, not 120: it is the distance"):
        IsherwoodWindLoad(**(MERCHANT | {"centroid_from_bow": 120.0}))
    with pytest.raises(ParameterError, match=r"ship_type must be one of .*, not 'tanker'; did you mean"):
        BlendermannWindLoad(**(RESEARCH | {"ship_type": "tanker"}))


def test_a_wind_that_draws_a_ship_is_improbable() -> None:
    """Signs of a source that counts to port; and a barge, which no regression was made from."""
    wrong = TabulatedWindLoad(
        **SHIP, angles=[0.0, 1.0, 2.0, np.pi], surge=[-0.7, -0.4, 0.4, 0.6], sway=[0.0, 0.7, 0.7, 0.0]
    )
    first, second = (str(p.text) for p in wrong.improbable())
    assert "in a wind from starboard C_Y is 0.777, which draws the ship towards the wind; tables that count" in first
    assert "in a wind from port C_Y is -0.777" in second
    barge = IsherwoodWindLoad(**(MERCHANT | {"frontal_area": 30.0, "lateral_area": 2500.0}))
    assert any("in a wind from ahead C_X is" in str(p.text) for p in barge.improbable())
    for block in ALL:
        assert not list(block.improbable())


def test_a_centroid_and_a_perimeter_that_cannot_be_are_refused() -> None:
    for block in (BlendermannWindLoad(**RESEARCH), FujiwaraWindLoad(**PASSENGER)):
        half = 0.5 * block.length
        with pytest.raises(
            ParameterError, match=rf"centroid_forward must be within ±length/2, {half:g} m, not -{half:g}"
        ):
            block.centroid_forward = -half
    with pytest.raises(ParameterError, match=r"perimeter must be ≥ length, .* m, not 13 m"):
        IsherwoodWindLoad(**(MERCHANT | {"perimeter": 13.0}))


def test_exchanged_areas_are_told() -> None:
    exchanged = {"frontal_area": RESEARCH["lateral_area"], "lateral_area": RESEARCH["frontal_area"]}
    (told,) = BlendermannWindLoad(**(RESEARCH | exchanged)).improbable()
    assert "more than the lateral_area" in told.message
