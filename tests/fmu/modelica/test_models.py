"""Models of Modelica packages compute what `simulate` computes, in a tool that reads them as the language has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from modelica_tool import ModelicaError, Package, Simulation

from blocks import Diagram, Result, simulate
from blocks.basic import FirstOrderLag
from blocks.plan import make_plan
from blocks.trials.samples import plan_alone
from fmu.modelica.export import export_modelica
from fmu.modelica.library import library_blocks

EXAMPLES = Path(__file__).parents[3] / "examples"
STANDARD_LIBRARY = Path(__file__).with_name("standard_library.mo")
COMMAND = [9.0, -3.0, 2.0, 6.0, 7.0]


def outputs(diagram: Diagram, run: Result) -> dict[str, np.ndarray]:
    """The outputs of a diagram in a run of it."""
    feeds = make_plan(diagram, step=0.01).flat.outputs
    return {name: np.asarray(run[f"{feed.block.name}.{feed.port}"]) for name, feed in feeds.items() if feed.block}


def assert_same(found: dict[str, np.ndarray], wanted: dict[str, np.ndarray], prefix: str = "") -> None:
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[f"{prefix}{name}"], values, err_msg=name)


def run_alone(package: Package, model: str, end: float, step: float, **modified: object) -> dict[str, np.ndarray]:
    simulation = Simulation([package])
    simulation.add(f"{package.name}.{model}", **modified)
    found = simulation.run(end, step)
    simulation.close()
    return found


def test_a_sampled_system_gives_the_numbers_of_a_run_to_the_last_bit(package: Package, mission: Diagram) -> None:
    wanted = outputs(mission, simulate(mission, 10.0, step=0.01, solver="rk4"))
    assert_same(run_alone(package, "System", 10.0, 0.01), wanted)


@pytest.mark.parametrize("options", [("--around", "fmu"), ("--states", "solver")])
def test_by_our_solver_and_as_an_fmu_too(
    options: tuple[str, ...], exported: Callable[..., Path], mission: Diagram, tmp_path: Path
) -> None:
    path = exported(*options, "--only", "plant")
    package = Package(path, tmp_path)
    plant = mission["plant"]
    wanted = outputs(plant, simulate(plant, 2.0, step=0.01, solver="rk4", inputs={"command": COMMAND}))
    assert_same(run_alone(package, "Plant", 2.0, 0.01, command=COMMAND), wanted)


def test_states_that_the_tool_integrates(package: Package, mission: Diagram) -> None:
    """The tool's solver and ours differ by their tolerances, 1e-9 here."""
    plant = mission["plant"]
    settings = {"solver": "dopri5", "step": 0.1, "relative_tolerance": 1e-11, "absolute_tolerance": 1e-12}
    wanted = outputs(plant, simulate(plant, 3.0, inputs={"command": COMMAND}, **settings))
    found = run_alone(package, "Plant", 3.0, 0.1, command=COMMAND)
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-8, atol=1e-8, err_msg=name)


def test_parameters_of_all_kinds(package: Package, mission: Diagram, tmp_path: Path) -> None:
    """Numbers, switches and choices are those of the block, and what follows from them is derived anew."""
    plant = mission["plant"].copy()
    plant["vessel"].coriolis = False
    plant["vessel"].weight = 5000.0
    plant["thrusters"].advance_speed = "pseudo_inverse"
    wanted = outputs(plant, simulate(plant, 1.0, step=0.1, solver="dopri5", relative_tolerance=1e-11,
                                     absolute_tolerance=1e-12, inputs={"command": COMMAND}))  # fmt: skip
    changed = {"vessel_coriolis": 0, "vessel_weight": 5000.0, "thrusters_advance_speed": 2}
    found = run_alone(package, "Plant", 1.0, 0.1, command=COMMAND, **changed)
    usual = run_alone(package, "Plant", 1.0, 0.1, command=COMMAND)
    np.testing.assert_allclose(found["eta"], wanted["eta"], rtol=1e-8, atol=1e-9)
    assert np.abs(found["eta"] - usual["eta"]).max() > 1e-3


@pytest.mark.parametrize(
    ("end", "near", "energy"), [(8.0, 2e-3, 1e-3), pytest.param(160.0, 25e-3, 4e-3, marks=pytest.mark.slow)]
)
def test_plant_and_autopilot_with_blocks_of_the_standard_library(
    end: float, near: float, energy: float, package: Package, mission: Diagram, tmp_path: Path
) -> None:
    """examples/modelica/Mission.mo beside the same diagram: that the autopilot is sampled is the error.

    Waypoints are switched a sample sooner or later, so a turn is up to 21 mm beside the other one, and 1.9 W.h that the
    propellers take differ by 3 mW.h.
    """
    others = [Package(file, tmp_path / file.stem) for file in (EXAMPLES / "modelica/Mission.mo", STANDARD_LIBRARY)]
    simulation = Simulation([*others, package])
    simulation.add("Mission")
    found = simulation.run(end, 0.01, rtol=1e-6)
    simulation.close()
    twin = Diagram("twin")
    plant, autopilot = (twin.add(name, mission[name].copy()) for name in ("plant", "autopilot"))
    shafts = twin.add("shafts", FirstOrderLag(time_constant=0.1))
    for name in ("eta", "nu", "nu_r"):
        twin.connect(plant.port(name), autopilot.input_port(name))
    twin.connect(autopilot.port("command"), shafts.input_port("u"))
    twin.connect(shafts.port("y"), plant.input_port("command"))
    run = simulate(twin, end, step=0.01, solver="rk4")
    np.testing.assert_allclose(found["plant.eta"], run["plant.vessel.eta"], rtol=0.0, atol=near)
    assert np.ptp(np.asarray(run["plant.vessel.eta"])[:, 0]) > 0.3
    used = float(np.sum(run["plant.meter.total_power"])) * 0.01 / 3600.0
    assert found["battery.y"][-1] == pytest.approx(500.0 - used, abs=energy)


def test_the_last_values_of_a_sample_count(package: Package) -> None:
    """Tools solve for inputs, and call what is sampled with some that are not the last ones, in parts and again."""
    names = [f"MinervaLos.Internal.Autopilot.{name}" for name in ("outputs1", "take")]
    rng = np.random.default_rng(1)
    found = []
    for tries in (1, 3):
        simulation = Simulation([package])
        simulation.add("MinervaLos.Autopilot")
        plan, last = simulation.values["plan"], []
        for k in range(40):
            t = 0.01 * k
            wanted = [np.array([0.1 * t, 0.02, 0.3, 0.0, 0.0, 0.2]), np.full(6, 0.1), np.full(6, 0.1)]
            for _ in range(tries - 1):
                package.call(names[1], [plan, t, *(value + rng.normal(0.0, 1.0, 6) for value in wanted)])
                package.call(names[0], [plan, t, *(value + rng.normal(0.0, 1.0, 6) for value in wanted)])
            last += package.call(names[0], [plan, t, *wanted])
            package.call(names[1], [plan, t, *wanted])
        simulation.close()
        found.append(np.array(last))
    np.testing.assert_array_equal(*found)
    assert np.ptp(found[0]) > 0.0


def test_what_a_block_cannot_do_ends_the_simulation_with_its_words(package: Package) -> None:
    with pytest.raises(ModelicaError, match=r"Plant at 0 s: vessel: rigid_body_inertia \+ added_mass is singular"):
        Simulation([package]).add(
            "MinervaLos.Plant", vessel_rigid_body_inertia=np.zeros((6, 6)), vessel_added_mass=np.zeros((6, 6))
        )


def test_a_point_that_the_solver_tried_in_vain_leaves_nothing_behind(package: Package) -> None:
    """Solvers try points that have no derivatives, and go on from where they were."""
    simulation = Simulation([package])
    simulation.add("MinervaLos.Plant")
    rates = "MinervaLos.Internal.Plant.rates"
    plan, speed, nu, energy = simulation.values["plan"], np.full(5, 2.0), np.full(6, 0.1), np.zeros(())
    level, upright = np.zeros(6), np.array([0.0, 0.0, 0.0, 0.0, np.pi / 2.0, 0.0])
    first = package.call(rates, [plan, 0.0, speed, level, nu, energy, COMMAND])
    with pytest.raises(ModelicaError, match="pitch angle"):
        package.call(rates, [plan, 0.1, speed, upright, nu, energy, COMMAND])
    again = package.call(rates, [plan, 0.0, speed, level, nu, energy, COMMAND])
    simulation.close()
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)


def _own(name: str) -> str:
    """What a block is called whose model may have a "_" behind it, such as Clock, which the language has."""
    return name.rpartition(".")[2].rstrip("_")


@pytest.mark.slow
def test_blocks_of_the_library_that_the_tool_integrates(tmp_path: Path) -> None:
    """All in one program; each beside our solver of variable step."""
    path = export_modelica({}, tmp_path, name="All", library=True, states="auto")
    package = Package(path, tmp_path / "host", flags=("-O1",))
    models = {name: c for name, c in package.classes.items() if c.type == "model" and "samplePeriod" not in c.symbols}
    assert len(models) > 80
    for block in library_blocks():
        model = next((name for name in models if _own(name) == block.name), None)
        if model is None:
            continue
        plan, _ = plan_alone(block.block)
        (leaf,) = plan.flat.leaves
        inputs = {name: np.full(place.shape, 0.3) for name, place in plan.inputs.items() if place.count}
        found = run_alone(package, model.partition(".")[2], 0.3, 0.1, **inputs)
        run = simulate(
            block.block.copy(), 0.3, step=0.1, solver="dopri5", relative_tolerance=1e-10, absolute_tolerance=1e-12,
            inputs=inputs or None,
        )  # fmt: skip
        for name in block.block.output_ports:
            values = np.asarray(run[name] if name in run else run[f"{leaf.name}.{name}"])
            written = next(own for own in (name, f"{name}_") if own in found)
            np.testing.assert_allclose(found[written], values, rtol=1e-6, atol=1e-8, err_msg=f"{model}.{name}")


@pytest.mark.slow
def test_every_block_of_the_library(tmp_path: Path) -> None:
    """All in one program; each beside `simulate`, to the last bit."""
    path = export_modelica({}, tmp_path, name="All", library=True, states="solver", step=0.05)
    package = Package(path, tmp_path / "host", flags=("-O1",))
    there = library_blocks()
    assert len(there) > 100
    for block in there:
        model = next(name for name, c in package.classes.items() if c.type == "model" and _own(name) == block.name)
        plan, _ = plan_alone(block.block)
        (leaf,) = plan.flat.leaves
        inputs = {name: np.full(place.shape, 0.3) for name, place in plan.inputs.items() if place.count}
        found = run_alone(package, model.partition(".")[2], 0.5, 0.05, **inputs)
        run = simulate(block.block.copy(), 0.5, step=0.05, solver="rk4", inputs=inputs or None)
        for name in block.block.output_ports:
            values = np.asarray(run[name] if name in run else run[f"{leaf.name}.{name}"])
            written = next(own for own in (name, f"{name}_") if own in found)
            np.testing.assert_array_equal(found[written], values, err_msg=f"{model}.{name}")
