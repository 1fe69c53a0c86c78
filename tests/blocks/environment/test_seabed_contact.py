"""The floor under a hull: hold and slip on a slope, bounces that lose energy, and nothing that pulls."""

from typing import Any

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import Vessel6DOF
from blocks.environment import SeabedContact
from blocks.errors import ParameterError

MASS, WET = 100.0, 200.0
SKIDS = [[x, y, 0.3] for x in (0.5, -0.5) for y in (0.25, -0.25)]
FLOOR: dict[str, Any] = {"points": SKIDS, "depth": 10.0, "stiffness": 2e4, "shear_stiffness": 2e4}


def landed(initial_eta: Any, initial_nu: Any = (0.0,) * 6, end: float = 20.0, **changes: Any) -> Any:
    """A body without added mass and damping that is heavier than water, over a floor."""
    inertia = np.diag([MASS, MASS, MASS, 6.0, 15.0, 15.0])
    diagram = Diagram("rov")
    vessel = diagram.add(
        "vessel",
        Vessel6DOF(rigid_body_inertia=inertia, weight=WET, initial_eta=initial_eta, initial_nu=initial_nu),
    )
    floor = diagram.add("floor", SeabedContact(**(FLOOR | changes)))
    diagram.connect(vessel.eta, floor.eta)
    diagram.connect(vessel.nu, floor.nu)
    diagram.connect(floor.disturbance, vessel.disturbance)
    diagram.connect(diagram.add("nothing", Constant(np.zeros(6))).y, vessel.force)
    return simulate(diagram, end, step=0.002, every=10)


def lies_on(slope: float, deep: float = 0.0) -> list[float]:
    """η of the body with its skids on a floor that rises by the slope per metre to north."""
    tilt = np.arctan(slope)
    return [0.0, 0.0, 10.0 - 0.3 / np.cos(tilt) + deep, 0.0, tilt, 0.0]


@pytest.mark.parametrize("share", [0.5, 0.95])
def test_it_stays_where_friction_holds_it(share: float) -> None:
    """On a slope below atan μ: after settling, not a millimetre in ten seconds."""
    slope = share * 0.4
    run = landed(lies_on(slope), slope=[slope, 0.0], end=30.0)
    eta = run.values("vessel.eta")
    assert np.abs(eta[-1] - eta[len(eta) // 3]).max() < 1e-4
    force = run.values("floor.normal_force")[-1].sum()
    assert force == pytest.approx(WET * np.cos(np.arctan(slope)), rel=1e-3)


def test_it_slides_where_it_does_not() -> None:
    """With g_w = W/m: a = g_w (sin α - μ cos α)."""
    slope = 0.7
    run = landed(lies_on(slope), slope=[slope, 0.0], end=6.0)
    speed = run.values("vessel.nu")[:, 0]
    half = len(speed) // 2
    found = (speed[-1] - speed[half]) / (run.time[-1] - run.time[half])
    angle = np.arctan(slope)
    assert found == pytest.approx(-WET / MASS * (np.sin(angle) - 0.4 * np.cos(angle)), rel=0.01)


def test_sliding_is_braked_by_coulombs_law() -> None:
    """From 1 m/s on the level: v²/(2 μ g_w) until it stops, and there it stays."""
    run = landed(lies_on(0.0, WET / 8e4), [1.0, 0, 0, 0, 0, 0], end=6.0)
    north = run.values("vessel.eta")[:, 0]
    assert north.max() == pytest.approx(1.0 / (2.0 * 0.4 * WET / MASS), rel=0.02)
    assert north[-1] == pytest.approx(north.max(), abs=0.01)
    assert np.abs(run.values("vessel.nu")[-1]).max() < 1e-5


@pytest.mark.parametrize("seed", range(3))
def test_contact_makes_no_energy_and_never_pulls(seed: int) -> None:
    """Dropped anyhow onto a slope: kinetic and potential energy and that of the ground at most what they were."""
    random = np.random.default_rng(seed)
    slope = random.uniform(-0.2, 0.2, 2)
    run = landed([0.0, 0.0, 9.0, *random.uniform(-0.4, 0.4, 3)], random.uniform(-0.5, 0.5, 6), slope=slope, end=25.0)
    nu, eta = run.values("vessel.nu"), run.values("vessel.eta")
    energy = 0.5 * np.sum(nu**2 * [MASS, MASS, MASS, 6.0, 15.0, 15.0], axis=1) - WET * eta[:, 2]
    assert energy.max() <= energy[0] + 1e-6 * WET
    assert run.values("floor.clearance").min() < -1e-3
    assert run.values("floor.normal_force").min() == 0.0
    assert np.abs(nu[-1]).max() < 0.02


def test_an_impact_loses_what_hunt_and_crossley_say() -> None:
    """On one point, without gravity: 1 - e = c v·2/3 for a slow one, to first order."""
    for speed, damping in ((0.02, 1.0), (0.05, 0.5)):
        inertia = np.diag([MASS] * 3 + [10.0] * 3)
        diagram = Diagram("ball")
        vessel = diagram.add(
            "vessel", Vessel6DOF(rigid_body_inertia=inertia, initial_eta=[0, 0, 9.999, 0, 0, 0],
                                 initial_nu=[0, 0, speed, 0, 0, 0]),
        )  # fmt: skip
        floor = diagram.add("floor", SeabedContact(**(FLOOR | {"points": [[0, 0, 0]], "damping": damping})))
        diagram.connect(vessel.eta, floor.eta)
        diagram.connect(vessel.nu, floor.nu)
        diagram.connect(floor.disturbance, vessel.disturbance)
        diagram.connect(diagram.add("nothing", Constant(np.zeros(6))).y, vessel.force)
        back = -simulate(diagram, 2.0, step=0.002).values("vessel.nu")[-1, 2]
        assert 1.0 - back / speed == pytest.approx(2.0 / 3.0 * damping * speed, rel=0.05)


def test_clearance_is_the_water_under_the_keel() -> None:
    block = SeabedContact(points=[[50.0, 0, 8.0], [-50.0, 0, 8.5]], depth=10.0)
    nu = np.zeros(6)
    assert block.evaluate(eta=np.zeros(6), nu=nu).outputs["clearance"] == pytest.approx(1.5)
    assert block.evaluate(eta=np.zeros(6), nu=nu, rise=0.5).outputs["clearance"] == pytest.approx(1.0)
    bow_down = block.evaluate(eta=[0, 0, 0, 0, -0.05, 0], nu=nu)
    assert bow_down.outputs["clearance"] == pytest.approx(10.0 - 50.0 * np.sin(0.05) - 8.0 * np.cos(0.05))
    assert bow_down.outputs["disturbance"][2] < 0.0
    assert bow_down.outputs["disturbance"][4] > 0.0


def test_points_are_rows() -> None:
    with pytest.raises(ParameterError, match=r"points must be an array of n×3, a row per point of the hull"):
        SeabedContact(points=3.0, depth=5.0)
