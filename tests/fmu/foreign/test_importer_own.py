"""FMUs that this library exported, imported again: they are what they were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import fmu
from blocks import Block, Diagram, RunStopped, simulate
from blocks.basic import FirstOrderLag, Sine, Sum, UnitDelay, ZeroOrderHold
from blocks.errors import ParameterError
from blocks.guidance import LineOfSight
from fmu import FmuBlock

H = 0.02
VERSIONS = ("2.0", "3.0")


def fed(block: Block, source: Block) -> Diagram:
    """A block behind a source that is held from communication point to communication point."""
    diagram = Diagram()
    diagram.add("source", source)
    diagram.add("held", ZeroOrderHold(period=H))
    diagram.add("block", block)
    diagram.connect("source.y", "held.u")
    diagram.connect("held.y", "block.u")
    return diagram


@pytest.mark.parametrize("fmi", VERSIONS)
def test_an_exported_block_that_is_imported_again_is_what_it_was(tmp_path: Path, fmi: str) -> None:
    lag = fmu.export(FirstOrderLag(0.4), tmp_path / "lag.fmu", step=H, fmi=fmi)
    one = simulate(fed(FirstOrderLag(0.4), Sine(1.0, 3.0)), 2.0, step=H)
    other = simulate(fed(FmuBlock(lag), Sine(1.0, 3.0)), 2.0, step=H)
    assert np.abs(one.values("block.y") - other.values("block.y")).max() <= 1e-12
    assert np.abs(one.values("block.y")).max() > 0.3


def test_tab_shows_ports_and_parameters_of_the_fmu(tmp_path: Path) -> None:
    block = FmuBlock(fmu.export(FirstOrderLag(0.4), tmp_path / "lag.fmu", step=H))
    own = {"copy", "evaluate", "name", "path", "set"}
    assert {*dir(block)} == {*block.input_ports, *block.output_ports, *block.all_parameters(), *own}
    assert {"u", "y", "time_constant", "communication_step"} <= {*dir(block)}
    with pytest.raises(ParameterError, match=r"no parameter 'time_constnat' on .*; did you mean 'time_constant'"):
        block.time_constnat = 0.3


def test_an_exported_closed_loop_of_sampled_blocks(exported: Callable[[str], Path], models: SimpleNamespace) -> None:
    """Plant and autopilot as FMUs, held between communication points, against the same with held native blocks."""
    native = models.guided_vessel()
    for name in ("eta", "nu", "force"):
        native.add(f"held_{name}", ZeroOrderHold(period=H))
    for source, held, sink in (
        ("plant.eta", "eta", "autopilot.eta"),
        ("plant.nu", "nu", "autopilot.nu"),
        ("autopilot.force", "force", "plant.force"),
    ):
        native.disconnect(sink)
        native.connect(source, f"held_{held}.u")
        native.connect(f"held_{held}.y", sink)
    imported = Diagram()
    plant = imported.add("plant", FmuBlock(exported("plant"), H))
    autopilot = imported.add("autopilot", FmuBlock(exported("autopilot"), H))
    imported.connect(plant.eta, autopilot.eta)
    imported.connect(plant.nu, autopilot.nu)
    imported.connect(autopilot.force, plant.force)
    one = simulate(native, 10.0, step=H, record="*.eta")
    other = simulate(imported, 10.0, step=H, record="*.eta")
    expected = one.values("plant.vessel.eta")
    scale = np.abs(expected).max(axis=0) + 1.0
    assert (np.abs(other.values("plant.eta") - expected) / scale).max() <= 1e-12
    assert np.abs(expected[-1] - expected[0]).max() > 5.0


@pytest.mark.parametrize("fmi", VERSIONS)
def test_samples_modes_and_noise(models: SimpleNamespace, tmp_path: Path, fmi: str) -> None:
    path = fmu.export(models.mixed(), tmp_path / "mixed.fmu", step=H, fmi=fmi)
    names = list(models.mixed().output_ports)
    one = simulate(models.mixed(), 3.0, step=H, inputs={"push": 0.5}, record=names)
    other = simulate(FmuBlock(path), 3.0, step=H, inputs={"push": 0.5})
    for name in names:
        assert other.values(f"mixed.{name}").ravel() == pytest.approx(one.values(name).ravel(), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("fmi", VERSIONS)
def test_model_exchange_agrees_within_the_tolerance(models: SimpleNamespace, tmp_path: Path, fmi: str) -> None:
    """Where only the integrators differ: RK4 here, CVode there."""
    path = fmu.export(models.mixed(), tmp_path / "mixed.fmu", step=H, fmi=fmi)
    names = list(models.mixed().output_ports)
    one = simulate(models.mixed(), 3.0, step=H / 4, inputs={"push": 0.5}, record=names, every=4)
    other = simulate(FmuBlock(path, H, interface="me", tolerance=1e-10), 3.0, step=H, inputs={"push": 0.5})
    for name in names:
        assert other.values(f"mixed.{name}").ravel() == pytest.approx(one.values(name).ravel(), abs=1e-7)


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("interface", ["cs", "me"])
def test_a_continued_run_is_the_same_to_the_last_bit(
    models: SimpleNamespace, tmp_path: Path, fmi: str, interface: str
) -> None:
    path = fmu.export(models.mixed(), tmp_path / "mixed.fmu", step=H, fmi=fmi)
    file = tmp_path / "run.checkpoint"

    def diagram() -> Diagram:
        made = Diagram()
        made.add("push", Sine(1.0, 3.0))
        made.add("mixed", FmuBlock(path, H, interface=interface))
        made.connect("push.y", "mixed.push")
        return made

    whole = simulate(diagram(), 1.0, step=H)
    simulate(diagram(), 0.51, step=H, checkpoint=file)
    again = simulate(diagram(), 1.0, step=H, resume=file)
    for name in whole:
        assert again.values(name).tobytes() == whole.values(name).tobytes(), name


def test_a_size_that_may_change_is_a_parameter(tmp_path: Path) -> None:
    """Waypoints of an FMI 3 FMU: their number is a structural parameter."""
    legs = [[0.0, 0.0, 0.0], [20.0, 0.0, 2.0], [20.0, 30.0, 4.0]]
    settings = {"acceptance_radius": 2.0, "cruise_speed": 0.8}
    path = fmu.export(LineOfSight(waypoints=legs, **settings), tmp_path / "los.fmu", step=H, fmi="3.0")
    eta = [3.0, 2.0, 1.0, 0.0, 0.0, 0.1]
    for chosen in (legs, [[0.0, 0.0, 0.0], [7.0, -9.0, 3.0]]):
        native = LineOfSight(waypoints=chosen, **settings).evaluate(eta=eta, nu=np.zeros(6)).outputs
        block = FmuBlock(path, parameters={"n": len(chosen), "waypoints": chosen})
        assert block.evaluate(eta=eta, nu=np.zeros(6)).outputs == pytest.approx(native, rel=1e-12)


def test_an_fmu_that_ends_a_run_of_ours(tmp_path: Path) -> None:
    """An exported diagram with a stop condition discards the step after it."""
    diagram = Diagram("counter")
    diagram.add("lag", FirstOrderLag(0.5))
    diagram.add("late", UnitDelay(period=0.1))
    diagram.add("sum", Sum("++"))
    diagram.connect("lag.y", "late.u", "sum.in1")
    diagram.connect("late.y", "sum.in2")
    diagram.inputs(u="lag.u")
    diagram.outputs(y="sum.y")
    path = fmu.export(diagram, tmp_path / "counter.fmu", step=0.1, stop="y")
    with pytest.raises(RunStopped, match="it asks for the end of the simulation"):
        simulate(FmuBlock(path), 5.0, step=0.1, inputs={"u": 1.0})
