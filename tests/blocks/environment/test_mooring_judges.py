"""Mooring lines beside MoorPy (catenaries) and MoorDyn (lumped masses), which others wrote."""

import numpy as np
import pytest

from benchmarks.line_of_moordyn import CHAIN, apart, pull_of_block, pull_of_moordyn
from blocks.environment import Mooring

WET = 9.81 * (115.5 - 1025.0 * np.pi / 4.0 * 0.1368**2)
CHAIN_OF_MOORPY = {"name": "chain", "d_vol": 0.1368, "m": 115.5, "EA": 4.94e8, "w": WET, "material": "chain"}
LINES = [
    [ahead * 185.0, side * 165.0, 50.0, ahead * 30.0, side * 10.0, 1.0] for ahead in (1.0, -1.0) for side in (1.0, -1.0)
]


def test_tensions_are_those_of_moorpy_from_slack_to_taut() -> None:
    """0.5 % is what is asked for; both solve the same equations, MoorPy to its tolerance of 1e-6 L or so."""
    catenary = pytest.importorskip("moorpy.Catenary", reason="the judge of catenaries: pip install moorpy").catenary
    length, weight, stiffness = 250.0, 985.0, 4.94e8
    compared = 0
    for floor, friction in ((True, 0.0), (True, 1.0), (False, 0.0)):
        for z in (10.0, 49.0, 120.0):
            for chord in np.linspace(0.93, 1.002, 25) * length:
                x = float(np.sqrt(chord**2 - z**2))
                found = Mooring(
                    lines=[[x, 0, z, 0, 0, 0]], length=length, axial_stiffness=stiffness, weight=weight,
                    seabed_friction=friction, **({"depth": z} if floor else {}),
                ).evaluate(eta=np.zeros(6)).outputs  # fmt: skip
                low_h, low_v, high_h, high_v, _ = catenary(
                    x, z, length, stiffness, weight, CB=friction if floor else -1e6, Tol=1e-8 * length
                )
                assert found["tension"][0] == pytest.approx(np.hypot(high_h, high_v), rel=1e-4)
                assert found["anchor_tension"][0] == pytest.approx(
                    np.hypot(low_h, low_v), rel=1e-4, abs=1e-4 * np.hypot(high_h, high_v)
                )
                compared += 1
    assert compared == 225


def test_the_load_of_a_plan_of_lines_is_that_of_moorpy() -> None:
    moorpy = pytest.importorskip("moorpy", reason="the judge of catenaries: pip install moorpy")
    system = moorpy.System(depth=50.0, rho=1025.0, g=9.81)
    system.addBody(1, np.zeros(6))
    system.lineTypes["chain"] = CHAIN_OF_MOORPY
    for i, one in enumerate(LINES):  # north, west, up there
        anchor, fairlead = np.array(one[:3]) * [1, -1, -1], np.array(one[3:]) * [1, -1, -1]
        system.addPoint(1, anchor)
        system.addPoint(-1, fairlead)
        system.bodyList[0].attachPoint(2 * i + 2, fairlead)
        system.addLine(250.0, "chain", pointA=2 * i + 1, pointB=2 * i + 2)
    system.initialize()
    mooring = Mooring(lines=LINES, length=250.0, depth=50.0, **CHAIN)
    for offset in ([0, 0, 0], [8.0, -3.0, 0.4], [-12.0, 0, 0], [0, 15.0, -0.5]):
        system.bodyList[0].setPosition(np.array([*np.array(offset) * [1, -1, -1], 0, 0, 0], dtype=float))
        for one in system.lineList:
            one.staticSolve()
        found = mooring.evaluate(eta=[*offset, 0, 0, 0]).outputs
        wanted = system.bodyList[0].getForces(lines_only=True) * np.array([1, -1, -1, 1, -1, -1])
        scale = found["tension"].max()
        np.testing.assert_allclose(found["disturbance"][:3], wanted[:3], atol=1e-3 * scale)
        np.testing.assert_allclose(found["disturbance"][3:], wanted[3:], atol=1e-3 * scale * 30.0)


KINDS: dict[str, tuple[dict[str, float], float]] = {
    "free": ({"depth": 300.0, "length": 240.0}, 5e-4),
    "on a soft floor": ({"seabed_stiffness": 3e5, "seabed_damping": 1e3}, 5e-3),
}
"""What it is, and by how much of the pull it may differ."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_driven_line_pulls_as_in_moordyn(kind: str) -> None:
    """20 segments each, the fairlead 2.5 m to and fro in 10 s, for 20 s.

    Seen: 0.03 and 0.29 %. The floor is soft and hardly damped, since that of MoorDyn pulls on nodes that leave it: see
    `python -m benchmarks.mooring_laws`.
    """
    pytest.importorskip("moordyn", reason="the judge of lumped masses: pip install moordyn")
    changes, limit = KINDS[kind]
    given = {"length": 250.0, "depth": 50.0} | changes
    wanted, found = (pull(0.002, 10_000, **given) for pull in (pull_of_moordyn, pull_of_block))
    size = np.linalg.norm(wanted, axis=1)
    assert np.linalg.norm(found[0] - wanted[0]) < 1e-4 * size[0]  # both at rest
    assert size.max() > 1.5 * size.min()
    assert apart(found, wanted) < limit
