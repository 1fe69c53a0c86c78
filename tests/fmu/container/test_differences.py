"""What outputs of FMUs follow in a container, and what is other there than in `simulate`: warnings name it."""

from __future__ import annotations

import fmpy
import foreign_fmus
import pytest
from containers import FIXED, H, expected, run
from fmpy.fmi1 import FMICallException
from systems import wire

import fmu
from blocks import Diagram
from blocks.basic import FirstOrderLag, Gain, RateLimiter, Rounding, Sine, Step, UnitDelay
from blocks.errors import SimulationError
from fmu import FmuBlock


def test_what_follows_an_output_that_follows_inputs(tank, tmp_path):
    """At the start both show what the start values of the inputs give, then what the inputs gave at the last step."""
    diagram = Diagram("heater")
    diagram.add("tank", FmuBlock(tank, H, parameters={"initial_inflow": 5e-5}, feedthrough=False))
    followers = {"lag": FirstOrderLag(0.3), "slow": RateLimiter(3e3, 1e3), "held": UnitDelay(period=0.2)}
    more = {"flow": Step(time=0.45, before=2e-4, after=1e-4), "valve": Gain(1e-4)}
    for name, block in (followers | more).items():
        diagram.add(name, block)
    wire(diagram, ("flow.y", "tank.inflow"), ("lag.y", "valve.u"), ("valve.y", "tank.opening"))
    wire(diagram, *(("tank.power", f"{name}.u") for name in followers))
    names = ("tank.power", "lag.y", "slow.y", "held.y", "tank.volume")
    diagram.outputs(**{name.replace(".", "_"): name for name in names})
    path = fmu.export(diagram, tmp_path / "heater.fmu", step=0.05)
    ours = expected(diagram, names)
    assert ours[:3, 0].tolist() == pytest.approx([2093.0, 8372.0, 8372.0])
    assert run(path, [name.replace(".", "_") for name in names]).tobytes() == ours.tobytes()


def test_an_output_that_follows_an_input_of_the_whole_is_named(fmus, tmp_path):
    """That input is set when the first output is read; a block has its start value there."""
    diagram = Diagram("load")
    diagram.add("carrier", FmuBlock(foreign_fmus.build("carrier", fmus), H, feedthrough=False))
    diagram.inputs(u="carrier.u")
    diagram.outputs(y="carrier.y")
    words = r"^carrier\.y: follow inputs of the whole, which in the FMU are set when it begins, .* start values"
    with pytest.warns(fmu.ExportWarning, match=words):
        path = fmu.export(diagram, tmp_path / "load.fmu", step=0.05)
    ours, theirs = expected(diagram, ["carrier.y"], inputs={"u": 3.0}), run(path, ["y"], start_values={"u": 3.0})
    assert (ours[0, 0], theirs[0, 0]) == (0.0, 6.0)
    assert ours[1:].tobytes() == theirs[1:].tobytes()


def test_steps_that_differ_are_named(tank, fmus, tmp_path):
    """All step together; an internal step that does not fit is named, too."""
    diagram = Diagram("rates")
    diagram.add("tank", FmuBlock(tank, 0.08, feedthrough=False))
    diagram.add("mixer", FmuBlock(foreign_fmus.build("mixer", fmus, replace=FIXED), 0.25, feedthrough=False))
    wire(diagram, ("mixer.total", "tank.opening"))
    diagram.outputs(volume="tank.volume")
    with pytest.warns(fmu.ExportWarning) as said:
        path = fmu.export(diagram, tmp_path / "rates.fmu")
    assert fmpy.read_model_description(str(path)).defaultExperiment.stepSize == "0.08"
    together, internal = (str(warning.message) for warning in said)
    assert together.startswith("mixer (0.25 s): in one FMU all step together, here every 0.08 s, so the numbers")
    assert internal.startswith("mixer: 0.08 s is no multiple of 0.05 s, the internal step of ")


def test_what_is_computed_from_inputs_at_the_start_is_named(fmus, tmp_path):
    """An input that comes straight from the whole is there by then."""
    changes = {"<InitialUnknowns>": '<InitialUnknowns><Unknown index="1" dependencies="6 3"/>',
               'variability="continuous" initial="exact"': 'variability="continuous" initial="calculated"',
               '<Real unit="m3" start="0.5"/>': '<Real unit="m3"/>'}  # fmt: skip
    filled = foreign_fmus.build("tank", fmus, name="filled", replace=changes)
    diagram = Diagram("filled")
    diagram.add("tank", FmuBlock(filled, H, feedthrough=False))
    diagram.outputs(volume="tank.volume")
    straight = diagram.copy()
    straight.inputs(opening="tank.opening")
    fmu.export(straight, tmp_path / "straight.fmu")
    diagram.add("source", Sine(0.5, 1.0))
    diagram.connect("source.y", "tank.opening")
    with pytest.warns(fmu.ExportWarning, match=r"^tank: volume follows opening, as .* are 0 then, .* or lead such an"):
        fmu.export(diagram, tmp_path / "filled.fmu")


def test_outputs_that_follow_inputs_at_once_are_named(tank, tmp_path):
    diagram = Diagram("heater")
    diagram.add("tank", FmuBlock(tank, H))
    diagram.add("flow", Sine(1e-4, 2.0))
    wire(diagram, ("flow.y", "tank.inflow"))
    diagram.outputs(power="tank.power", volume="tank.volume")
    with pytest.warns(
        fmu.ExportWarning, match=r"^tank\.power: follow their inputs at once in `simulate`, .* later; with"
    ):
        path = fmu.export(diagram, tmp_path / "heater.fmu", step=0.05)
    at_once = expected(diagram, ["tank.power"])
    assert run(path, ["power"])[1:].tobytes() == at_once[:-1].tobytes()


def test_a_part_that_fails_is_named(fmus, tmp_path):
    diagram = Diagram("burst")
    diagram.add("vessel", FmuBlock(foreign_fmus.build("trouble", fmus), H, parameters={"kind": 9}))
    diagram.outputs(y="vessel.y")
    path = fmu.export(diagram, tmp_path / "burst.fmu")
    said = []
    with pytest.raises(FMICallException, match="fmi2DoStep"):
        fmpy.simulate_fmu(str(path), stop_time=1.0, output_interval=H, logger=lambda *words: said.append(words[-1]))
    assert b"vessel.fmu: the tank bursts at 12.5 bar" in said


@pytest.mark.parametrize("kind", ["discard", "terminate"])
def test_a_step_that_is_discarded_and_a_wish_to_end_are_errors(kind, fmus, tmp_path):
    """The runtime has nothing else for them."""
    diagram = Diagram("ended")
    diagram.add("vessel", FmuBlock(foreign_fmus.build("trouble", fmus), H, parameters={"kind": kind}))
    diagram.outputs(y="vessel.y")
    path = fmu.export(diagram, tmp_path / "ended.fmu")
    with pytest.raises(FMICallException, match=r"fmi2DoStep failed with status 3 \(error\)"):
        fmpy.simulate_fmu(str(path), stop_time=1.0, output_interval=H, logger=lambda *words: None)


def test_what_is_no_whole_number_is_rounded(tank, tmp_path):
    """In this process a run stops there; with a rounding both are the same."""
    direct, rounded = Diagram("pumps"), Diagram("rounded")
    for diagram in (direct, rounded):
        diagram.add("tank", FmuBlock(tank, H, feedthrough=False))
        diagram.add("count", Sine(2.0, 1.0, offset=2.0))
        diagram.outputs(volume="tank.volume")
    rounded.add("whole", Rounding())
    wire(direct, ("count.y", "tank.pumps"))
    wire(rounded, ("count.y", "whole.u"), ("whole.y", "tank.pumps"))
    with pytest.raises(SimulationError, match="pumps takes whole numbers"):
        expected(direct, ["tank.volume"])
    theirs = run(fmu.export(direct, tmp_path / "pumps.fmu", step=0.05), ["volume"])
    assert theirs.tobytes() == expected(rounded, ["tank.volume"]).tobytes()
