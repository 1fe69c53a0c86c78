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
REST: dict[str, Any] = {"eta": np.zeros(6), "nu": np.zeros(6)}
KINDS: dict[str, dict[str, Any]] = {
    "floor": {},
    "free": {"depth": 300.0, "lines": [[150.0, 40.0, 50.0, 20.0, 0.0, 1.0]], "length": 180.0},
    "taut": {"depth": 50.0, "lines": [[250.0, 0.0, 50.0, 20.0, 0.0, 1.0]], "length": 234.9},
    "heap": {"lines": [[200.0, 0.0, 50.0, 20.0, 0.0, 1.0]]},
    "floats": {"weight": -200.0, "depth": 300.0},
    "hung": {"lines": [[220.0, 0.0, 40.0, 20.0, 0.0, 1.0]]},
    "held": {"seabed_friction": 0.7},
    "soft": {"seabed_stiffness": 3e4},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_starts_at_rest_with_the_pull_of_the_catenary(kind: str) -> None:
    given = ONE | KINDS[kind]
    exact = Mooring(**{name: given[name] for name in given if name in Mooring.parameters}).evaluate(eta=np.zeros(6))
    found = MooringDynamics(**given, segments=60).evaluate(**REST)
    tension = exact.outputs["tension"]
    assert found.outputs["tension"] == pytest.approx(tension, rel=0.025)
    force, wanted = (one.outputs["disturbance"][:3] for one in (found, exact))
    assert force == pytest.approx(wanted, abs=0.025 * tension[0])
    assert np.abs(found.derivatives["node_velocity"]).max() < 1e-6


@pytest.mark.parametrize("segments", [2, 5, 20, 300])
@pytest.mark.parametrize("kind", KINDS)
def test_it_starts_at_rest_whatever_the_number_of_segments(kind: str, segments: int) -> None:
    """Net forces are far below the weight of a segment: accelerations far below g."""
    found = MooringDynamics(**(ONE | KINDS[kind] | {"segments": segments})).evaluate(**REST)
    assert np.abs(found.derivatives["node_velocity"]).max() < 1e-4


@pytest.mark.parametrize("stiffness", [1e5, 1e7, 1e11])
@pytest.mark.parametrize("weight", [1.0, -1.0, 1e3])
def test_ropes_and_wires_start_at_rest(weight: float, stiffness: float) -> None:
    """From soft ones to those that hardly stretch: forces are known to 16 digits of EA l/l, whatever the tension."""
    given = ONE | {"depth": 300.0, "weight": weight, "axial_stiffness": stiffness}
    block = MooringDynamics(**given, segments=50)
    mass = 1.0 / np.abs(115.5 * 5.0)
    greatest = np.abs(block.evaluate(**REST).derivatives["node_velocity"]).max()
    assert greatest < 1e-6 * abs(weight) * 5.0 * mass + 1e-11 * stiffness * mass


@pytest.mark.parametrize("kind", ["floor", "heap", "hung", "held", "soft"])
def test_a_line_on_the_floor_stays_at_rest_while_its_ends_do(kind: str) -> None:
    """The floor is elastic: nodes lie as deep in it as holds them, from the first instant on."""
    block = MooringDynamics(**(ONE | KINDS[kind]))
    run = simulate(block, 2.0, step=0.002, inputs=REST, record=["tension", "suspended", "nodes"], every=5)
    for name in ("tension", "suspended", "nodes"):
        values = run.values(name)
        assert values == pytest.approx(np.broadcast_to(values[0], values.shape), rel=1e-6)
    assert run.values("suspended")[0, 0] < 130.0
    deepest = run.values("nodes")[0].reshape(-1, 3)[:, 2].max() - 50.0
    wet = 9.81 * (115.5 - 1025.0 * np.pi / 4.0 * 0.1368**2)
    assert deepest == pytest.approx(wet / (float(np.ravel(block.seabed_stiffness)[0]) * 0.1368), rel=0.3)


def test_what_lies_does_not_hang() -> None:
    """Nodes that lie are in the floor or touch it by a hair; the rest hangs, as of the catenary."""
    given = ONE | {"segments": 40}
    exact = Mooring(**ONE).evaluate(eta=np.zeros(6)).outputs["suspended"][0]
    block = MooringDynamics(**given)
    found = block.evaluate(**REST).outputs
    assert found["suspended"][0] == pytest.approx(exact, abs=250.0 / 40)
    lifted = found["nodes"].reshape(1, -1, 3).copy()
    lifted[0, lifted[0, :, 2] > 50.0, 2] = 50.0 - 0.001
    again = block.evaluate(states={"node": lifted, "node_velocity": np.zeros_like(lifted)}, **REST).outputs
    assert again["suspended"][0] == pytest.approx(found["suspended"][0], abs=0.1)


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
    with pytest.raises(SimulationError, match="stretched to 100 times its length, as it is if the step is longer"):
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
