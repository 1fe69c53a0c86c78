"""Control surfaces by their derivatives."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.errors import ParameterError
from blocks.thrust import ControlSurfaces, Foil

RUDDER = [0.0, 8.0, 0.0, 0.1, 0.0, -6.0]
PLANES = [0.0, 0.0, -9.0, 0.0, -6.5, 0.0]


def pair(**more: object) -> ControlSurfaces:
    return ControlSurfaces(effect=[RUDDER, PLANES], angle_limit=[0.5, 0.4], **more)


def test_the_wrench_is_the_polynomial_of_the_source() -> None:
    coupling = [[0.0, 0.5, 0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 4.0, 0.0, 2.0, 0.0]]
    block = pair(surge_coupling=coupling, drag=[3.0, 2.5])
    u, v, w, q, r, rudder, planes = 1.7, -0.2, 0.3, 0.1, -0.4, 0.2, -0.3
    found = block.evaluate(command=[rudder, planes], nu_r=[u, v, w, 0.6, q, r]).outputs["force"]
    expected = u * u * (rudder * np.array(RUDDER) + planes * np.array(PLANES))
    expected[0] += u * (rudder * (0.5 * v - r) + planes * (4.0 * w + 2.0 * q))
    expected[0] -= u * u * (3.0 * rudder**2 + 2.5 * planes**2)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_astern_the_flow_is_turned_round() -> None:
    ahead, astern = (
        pair(drag=[3.0, 2.5]).evaluate(command=[0.2, -0.3], nu_r=[u, 0, 0, 0, 0, 0]).outputs["force"] for u in (2, -2)
    )
    np.testing.assert_allclose(astern, -ahead, rtol=1e-14)
    assert ahead[0] < 0.0


def test_at_small_angles_it_is_the_foil_with_these_derivatives() -> None:
    foil = Foil(position=[-0.6, 0.0, 0.0], area=0.0133, lift_coefficient=0.7, drag_coefficient=0.6)
    lift = 0.5 * 1025.0 * 0.0133 * 2.0 * 0.7  # the slope of C_l is 2 k_l
    surface = ControlSurfaces(effect=[[0.0, -lift, 0.0, 0.0, 0.0, 0.6 * lift]], angle_limit=0.5)
    flow = [1.5, 0.0, 0.0, 0.0, 0.0, 0.0]
    angle = 1e-4
    by_foil = foil.evaluate(command=angle, nu_r=flow).outputs["force"]
    by_derivatives = surface.evaluate(command=[angle], nu_r=flow).outputs["force"]
    np.testing.assert_allclose(by_derivatives[[1, 5]], by_foil[[1, 5]], rtol=1e-7)


def test_the_gear_follows_within_its_rate_and_limit() -> None:
    block = pair(response="rate_limited", time_constant=0.1, rate_limit=[0.5, 0.25])
    diagram = Diagram()
    diagram.add("gear", block)
    for name, value, port in (("wanted", [1.0, -1.0], block.command), ("flow", [1.0, 0, 0, 0, 0, 0], block.nu_r)):
        constant = diagram.add(name, Constant(value))
        diagram.connect(constant.y, port)
    run = simulate(diagram, 4.0, step=0.01)
    angle = run.values("gear.angle")
    assert np.abs(np.diff(angle, axis=0)).max(axis=0) == pytest.approx([0.005, 0.0025], rel=1e-9)
    assert angle[-1] == pytest.approx([0.5, -0.4], abs=1e-5)


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(ParameterError, match=r"effect must be an array of n×6, one row per surface, not the single"):
        ControlSurfaces(effect=3.0, angle_limit=0.5)
    with pytest.raises(ParameterError, match=r"initial_angle\[1\] must be within ±0.4 rad, the limit of the angle"):
        pair(response="first_order", initial_angle=[0.0, 0.45])
    with pytest.raises(ParameterError, match=r"drag has 3 entries, angle_limit has 2"):
        pair(drag=[1.0, 2.0, 3.0])
