"""The best thrusts within what thrusters can give, and the commands for them."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from blocks import Diagram, simulate
from blocks.basic import Constant, Step
from blocks.errors import ParameterError, WiringError
from blocks.thrust import (
    AzimuthAllocation,
    AzimuthThrusters,
    DifferentialThrust,
    KnownThrustAllocation,
    MeasuredAllocation,
    MeasuredThruster,
    Rudder,
    RudderAllocation,
    Sail,
    ThrustAllocation,
    allocation_for,
    attainable,
)
from blocks.vehicles.vehicle import VehicleError

ROV = MeasuredThruster.from_vehicle("bluerov2_heavy")
AHEAD = [{"at": [0.0, y, 0.0], "along": [1.0, 0.0, 0.0]} for y in (-0.5, 0.5)]


def known(**changes: object) -> KnownThrustAllocation:
    given = {"thrusters": AHEAD, "thrust_limit_forward": 10.0, "thrust_limit_reverse": 6.0}
    return KnownThrustAllocation(**(given | changes))


def test_thrusts_are_the_weighted_least_squares_within_bounds() -> None:
    random = np.random.default_rng(8)
    for _ in range(20):
        matrix, wanted = random.normal(size=(6, 4)), 20.0 * random.normal(size=6)
        priority, ahead, astern = random.uniform(0.1, 3.0, 6), *random.uniform(1.0, 8.0, (2, 4))
        available = random.choice([0.0, 0.5, 1.0], 4)
        block = KnownThrustAllocation(
            allocation_matrix=matrix, thrust_limit_forward=ahead, thrust_limit_reverse=astern, priority=priority
        )
        got = block.evaluate(force=wanted, available=available).outputs
        root = np.sqrt(priority)
        bounds = (-available * astern - 1e-12, available * ahead + 1e-12)
        best = lsq_linear(root[:, None] * matrix, root * wanted, bounds, method="bvls").x
        assert got["thrust"] == pytest.approx(best, abs=1e-5)
        assert got["command"] == pytest.approx(got["thrust"])
        assert got["missing"] == pytest.approx(wanted - matrix @ got["thrust"])


def test_what_matters_more_is_given_first() -> None:
    """Two thrusters side by side cannot give 20 N ahead and 5 N m: with yaw first all of the moment is there."""
    wanted = [20.0, 0.0, 0.0, 0.0, 0.0, 5.0]
    alike = known().evaluate(force=wanted).outputs["missing"]
    yaw_first = known(priority=[1.0, 1.0, 1.0, 1.0, 1.0, 1e4]).evaluate(force=wanted).outputs["missing"]
    assert alike[5] > 0.5
    assert yaw_first[5] == pytest.approx(0.0, abs=1e-2)
    assert yaw_first[0] == pytest.approx(10.0, abs=0.1)  # 10 N at port, and at starboard what leaves the moment


def test_a_failed_thruster_is_made_up_for_by_those_that_can() -> None:
    wanted = np.array([20.0, 5.0, -10.0, 0.5, 0.3, 1.0])
    allocation = allocation_for(ROV)
    for failed in range(8):
        available = np.where(np.arange(8) == failed, 0.0, 1.0)
        asked = allocation.evaluate(force=wanted, available=available).outputs
        assert asked["thrust"][failed] == 0.0
        force = ROV.evaluate(command=asked["command"]).outputs["force"]
        assert force + asked["missing"] == pytest.approx(wanted, abs=1e-6)
        assert asked["missing"] == pytest.approx(np.zeros(6), abs=1e-5)  # seven can still give all six


def test_a_fault_may_come_during_a_run() -> None:
    diagram = Diagram()
    allocation = diagram.add("allocation", known())
    fault = diagram.add("fault", Step(time=2.0, before=[1.0, 1.0], after=[0.0, 1.0]))
    diagram.connect(diagram.add("wanted", Constant([8.0, 0, 0, 0, 0, 0])).y, allocation.force)
    diagram.connect(fault.y, allocation.available)
    run = simulate(diagram, 4.0, step=0.5)
    before, after = run.values("allocation.thrust")[[0, -1]]
    assert before == pytest.approx([4.0, 4.0])
    assert after == pytest.approx([0.0, 8.0 / 1.25])  # the least of (f - 8)^2 + (f/2)^2


def test_the_table_is_inverted_in_moving_water_too() -> None:
    random = np.random.default_rng(2)
    for interpolation in ("pchip", "linear"):
        thrusters = ROV.copy()
        thrusters.set(inflow_coefficient=0.15, interpolation=interpolation)
        allocation = allocation_for(thrusters)
        for _ in range(5):
            nu_r = random.uniform(-0.3, 0.3, 6)
            wanted = random.uniform(0.6, 1.0, 6) * [45.0, 30.0, -40.0, 2.0, -1.5, 2.0]
            asked = allocation.evaluate(force=wanted, nu_r=nu_r).outputs
            given = thrusters.evaluate(command=asked["command"], nu_r=nu_r).outputs
            counted = np.abs(asked["thrust"]) > 4.0  # well above the floor of the inversion
            assert given["thrust"][counted] == pytest.approx(asked["thrust"][counted], rel=1e-9)
            assert counted.sum() > 3


def test_the_middle_of_a_dead_band_is_taken() -> None:
    block = MeasuredAllocation(
        thrusters=AHEAD, commands=[1100, 1460, 1540, 1900], thrusts=[-40, 0, 0, 50], speeds=[-50, 0, 0, 55]
    )
    assert block.evaluate(force=np.zeros(6)).outputs["command"] == pytest.approx([1500.0, 1500.0])
    assert block.evaluate(force=[1e3, 0, 0, 0, 0, 0]).outputs["command"] == pytest.approx([1900.0, 1900.0])


@pytest.mark.parametrize("cant", [0.0, np.pi / 2])
def test_a_rudder_gives_the_moment_as_far_as_it_can(cant: float) -> None:
    given = {"position": [-1.0, 0.0, 0.1], "area": 0.02, "angle_limit": 0.6}
    block = RudderAllocation(cant=cant, **given)
    wanted = np.array([0.0, 0.0, 0.0, 0.0, -3.0, 3.0])
    fast, slow = ([u, 0.0, 0.0, 0.0, 0.0, 0.0] for u in (1.5, 0.3))
    got = block.evaluate(force=wanted, nu_r=fast).outputs
    assert got["moment"] == pytest.approx(3.0)
    assert 0.0 < abs(got["command"]) < 0.3
    assert abs(block.evaluate(force=wanted, nu_r=slow).outputs["command"]) == pytest.approx(0.6)
    at_rest = block.evaluate(force=1e-3 * wanted, nu_r=np.zeros(6)).outputs
    assert at_rest["moment"] == 0.0
    assert abs(at_rest["command"]) < 0.6
    astern = block.evaluate(force=wanted, nu_r=[-1.5, 0.0, 0.0, 0.0, 0.0, 0.0]).outputs
    assert astern["moment"] == pytest.approx(3.0)
    assert astern["command"] * got["command"] < 0.0


def test_a_rudder_behind_a_propeller_works_at_rest() -> None:
    rudder = Rudder(position=[-1.0, 0, 0], area=0.02, angle_limit=0.6, propeller_diameter=0.2)
    allocation = allocation_for(rudder)
    wanted = [0.0, 0.0, 0.0, 0.0, 0.0, 2.0]
    angle = allocation.evaluate(force=wanted, nu_r=np.zeros(6), thrust=60.0).outputs["command"]
    assert rudder.evaluate(command=angle, nu_r=np.zeros(6), thrust=60.0).outputs["force"][5] == pytest.approx(2.0)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(
        ParameterError, match=r"there is an allocation to .*thrust.MeasuredThruster.*none to thrust.Sail"
    ):
        allocation_for(Sail(**Sail.examples[0]))
    with pytest.raises(ParameterError, match=r"priority must not be 0 for all components"):
        known(priority=np.zeros(6))
    with pytest.raises(ParameterError, match=r"takes at most 24 thrusters, not 26"):
        known(thrusters=13 * AHEAD)
    with pytest.raises(ParameterError, match=r"priority must be within a factor of 1e\+08"):
        known(priority=[1.0, 0.0, 0.0, 0.0, 0.0, 1e9])
    with pytest.raises(ParameterError, match=r"thrusts must have 0 N within them, not 10 N to 50 N"):
        MeasuredAllocation(thrusters=AHEAD, commands=[1, 2, 3], thrusts=[10, 20, 50], speeds=[1, 2, 3])
    with pytest.raises(ParameterError, match=r"a block with its numbers.*not the class Sail"):
        allocation_for(Sail)  # type: ignore[arg-type]
    with pytest.raises(VehicleError, match=r"no section for thrust.ThrustAllocation.*thrust.MeasuredAllocation can be"):
        ThrustAllocation.from_vehicle("bluerov2_heavy")


def test_allocations_within_limits_know_of_faults() -> None:
    for cls in (ThrustAllocation, AzimuthAllocation):
        with pytest.raises(WiringError, match="available exists with limits='bounded' only"):
            cls(**cls.examples[0]).input_port("available")
        with pytest.raises(WiringError, match="available exists with limits='bounded' only"):
            cls(**cls.examples[0]).evaluate(force=np.zeros(6), available=1.0)
    propellers = ThrustAllocation.from_vehicle("minerva", limits="bounded")
    three = propellers.evaluate(force=[300.0, 0, 0, 0, 0, 0], available=[1, 1, 1, 1, 0]).outputs
    assert three["thrust"][4] == three["command"][4] == 0.0
    assert three["thrust"][3] > 100.0
    turning = AzimuthAllocation(
        thrusters=[{"at": [-2.0, -1.0, 0.0]}, {"at": [-2.0, 1.0, 0.0]}], thrust_coefficient=[[1.0, 0, 0]] * 2,
        speed_limit_forward=50.0, speed_limit_reverse=50.0, limits="bounded",
    )  # fmt: skip
    one = turning.evaluate(force=[30.0, 0, 0, 0, 0, 0], available=[1.0, 0.0]).outputs
    assert one["thrust"][1] == 0.0
    assert one["thrust"][0] == pytest.approx(24.0, rel=0.3)


def test_what_is_attainable() -> None:
    surge = attainable(ROV, np.eye(6))
    assert surge[0, 0] == pytest.approx(4 * 30.62 * np.sqrt(0.5))  # four at 45 deg
    assert surge[2, 2] == pytest.approx(4 * 30.62)
    assert surge[3, 3] == pytest.approx(4 * 30.62 * 0.218)  # roll by the upright ones; those at 45 deg make sway of it
    crippled = attainable(ROV, np.eye(6), available=np.arange(8) != 0)
    assert crippled[0, 0] == pytest.approx(0.5 * surge[0, 0])  # its opposite cannot be made up for
    boat = DifferentialThrust.from_vehicle("otter")
    assert attainable(boat, [0, 0, 0, 0, 0, 1.0])[5] == pytest.approx(0.79 * 66.708)
    for wrong, words in (
        ({"available": np.nan}, "available must be finite"),
        ({"nu_r": "fast"}, "nu_r must be numbers"),
    ):
        with pytest.raises(ParameterError, match=words):
            attainable(boat, [1, 0, 0, 0, 0, 0], **wrong)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"directions must be numbers.*not 'ahead'"):
        attainable(boat, "ahead")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"stand still in the hull.*not AzimuthThrusters"):
        attainable(AzimuthThrusters(**AzimuthThrusters.examples[0]), [1, 0, 0, 0, 0, 0])
