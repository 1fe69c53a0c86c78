"""Lines of lumped masses: they start at rest, converge to the catenary, and neither make nor lose energy unasked."""

from typing import Any

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.environment import Mooring, MooringDynamics
from blocks.errors import SimulationError

CHAIN: dict[str, Any] = {"mass_per_length": 115.5, "diameter": 0.1368, "axial_stiffness": 4.94e8}
ONE: dict[str, Any] = {"lines": [[250.0, 0.0, 50.0, 20.0, 0.0, 1.0]], "length": 250.0, "depth": 50.0, **CHAIN}
REST = {"eta": np.zeros(6), "nu": np.zeros(6)}
KINDS = {
    "floor": {},
    "free": {"depth": 300.0, "lines": [[150.0, 40.0, 50.0, 20.0, 0.0, 1.0]], "length": 180.0},
    "taut": {"depth": 50.0, "lines": [[250.0, 0.0, 50.0, 20.0, 0.0, 1.0]], "length": 234.9},
    "heap": {"lines": [[200.0, 0.0, 50.0, 20.0, 0.0, 1.0]]},
    "floats": {"weight": -200.0, "depth": 300.0},
    "hung": {"lines": [[220.0, 0.0, 40.0, 20.0, 0.0, 1.0]]},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_starts_at_rest_with_the_pull_of_the_catenary(kind: str) -> None:
    given = ONE | KINDS[kind]
    exact = Mooring(**given).evaluate(eta=np.zeros(6)).outputs
    found = MooringDynamics(**given, segments=60).evaluate(**REST)
    assert found.outputs["tension"] == pytest.approx(exact["tension"], rel=0.02)
    force, wanted = (one["disturbance"][:3] for one in (found.outputs, exact))
    assert force == pytest.approx(wanted, abs=0.02 * exact["tension"][0])
    if kind in ("free", "taut", "floats"):
        assert np.abs(found.derivatives["node_velocity"]).max() < 1e-6


@pytest.mark.parametrize("kind", ["free", "floor"])
def test_its_pull_converges_to_that_of_the_catenary_with_the_square_of_the_segments(kind: str) -> None:
    given = ONE | KINDS[kind]
    exact = Mooring(**given).evaluate(eta=np.zeros(6)).outputs["tension"][0]
    counts = np.array([10, 20, 40, 80, 160])
    errors = [
        abs(MooringDynamics(**given, segments=int(n)).evaluate(**REST).outputs["tension"][0] / exact - 1.0)
        for n in counts
    ]
    order = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert order > 1.7
    assert errors[-1] < 2e-4


def test_power_in_is_power_out() -> None:
    """Kinetic, elastic and potential energy change by the work of the ends and what drag and damping take, no more."""
    random = np.random.default_rng(4)
    n = 8
    given = ONE | {"depth": 1e6} | {"segments": n, "tangential_added_mass": 0.3}
    part, wet = 250.0 / n, 9.81 * (115.5 - 1025.0 * np.pi / 4.0 * 0.1368**2)
    volume = 1025.0 * np.pi / 4.0 * 0.1368**2 * part
    for damping in ({"damping_ratio": 0.0, "normal_drag": 0.0, "tangential_drag": 0.0}, {}):
        block = MooringDynamics(**given, **damping)
        node = block.evaluate(**REST).outputs["nodes"].reshape(-1, 3) + random.uniform(-4.0, 4.0, (n - 1, 3))
        velocity = random.uniform(-2.0, 2.0, (n - 1, 3))
        found = block.evaluate(states={"node": node[None], "node_velocity": velocity[None]}, **REST)
        acceleration = found.derivatives["node_velocity"].reshape(-1, 3)
        places = np.vstack([[250.0, 0.0, 50.0], node, [20.0, 0.0, 1.0]])
        q = places[2:] - places[:-2]
        q /= np.linalg.norm(q, axis=1)[:, None]
        along = np.sum(q * acceleration, axis=1)[:, None] * q
        inertia = 115.5 * part * acceleration + volume * (acceleration - along) + 0.3 * volume * along
        difference, rates = np.diff(places, axis=0), np.diff(np.vstack([[0, 0, 0], velocity, [0, 0, 0]]), axis=0)
        size = np.linalg.norm(difference, axis=1)
        pull = np.maximum(4.94e8 * (size / part - 1.0), 0.0)
        stored = np.sum(pull * np.sum(difference * rates, axis=1) / size) - wet * part * velocity[:, 2].sum()
        power = np.sum(inertia * velocity) + stored
        scale = np.abs(pull).max() * 2.0
        assert abs(power) < 1e-9 * scale if damping else power < -1e-4 * scale


def test_a_line_that_is_let_go_comes_to_rest_where_the_catenary_is() -> None:
    """Started for another place of the vessel, it sinks and settles on the floor."""
    given = ONE | {"segments": 16, "seabed_friction": 0.0}
    block = MooringDynamics(**given, initial_eta=[-1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    run = simulate(block, 60.0, step=0.005, inputs=REST, record=["tension", "suspended", "nodes"], every=200)
    exact = Mooring(**(ONE | {"seabed_friction": 0.0})).evaluate(eta=np.zeros(6)).outputs
    assert run.values("tension")[0, 0] != pytest.approx(exact["tension"][0], rel=0.1)
    assert run.values("tension")[-1, 0] == pytest.approx(exact["tension"][0], rel=0.02)
    lying = run.values("nodes")[-1].reshape(-1, 3)[:4, 2]
    wet = 9.81 * (115.5 - 1025.0 * np.pi / 4.0 * 0.1368**2)
    assert lying - 50.0 == pytest.approx(np.full(4, wet / (3e6 * 0.1368)), rel=0.05)


def test_a_current_drags_a_line_along() -> None:
    """From rest each node feels the drag of its part, less what it has along the line."""
    still, streaming = (
        MooringDynamics(**(ONE | KINDS["free"])).evaluate(**REST, current=[0.0, v, 0.0]).derivatives["node_velocity"]
        for v in (0.0, 1.0)
    )
    assert np.all((streaming - still).reshape(-1, 3)[:, 1] > 0.0)


def test_too_long_a_step_is_told() -> None:
    block = MooringDynamics(**ONE)
    assert 0.005 < block.greatest_step < 0.02
    with pytest.raises(SimulationError, match="stretched to 100 times its length, as it is if the step is too long"):
        simulate(block, 30.0, step=0.2, inputs={"eta": np.array([-3.0, 0, 0, 0, 0, 0]), "nu": np.zeros(6)})


def test_fidelity_is_a_swap() -> None:
    """Wired once, with all ports, either block takes the place of the other."""
    diagram = Diagram("moored")
    sources = {"eta": 6, "nu": 6, "current": 3, "anchor_eta": 6, "anchor_nu": 6}
    mooring = diagram.add("mooring", Mooring(**ONE))
    for name, size in sources.items():
        diagram.connect(diagram.add(f"no_{name}", Constant(np.zeros(size))).y, mooring.input_port(name))
    diagram.outputs(tension=mooring.tension, load=mooring.disturbance)
    still = simulate(diagram, 0.1, step=0.005).values("mooring.tension")
    diagram.replace("mooring", MooringDynamics(**ONE))
    lumped = simulate(diagram, 0.1, step=0.005).values("mooring.tension")
    diagram.replace("mooring", Mooring(**ONE))
    again = simulate(diagram, 0.1, step=0.005).values("mooring.tension")
    assert lumped == pytest.approx(still, rel=0.02)
    assert not np.array_equal(lumped, still)
    np.testing.assert_array_equal(again, still)
