"""Dependencies: what the description says is what the FMU does. Every input is moved, and every output watched.

That what blocks declare is true and exact is shown in `tests/common/test_dependence.py`; here it goes through wires,
nested diagrams, modes and the description.
"""

from __future__ import annotations

import numpy as np
import pytest
from wiring import wired

import fmu
from blocks import Diagram
from blocks.basic import (
    Constant,
    Demux,
    FirstOrderLag,
    Gain,
    Integrator,
    LimitedIntegrator,
    Mux,
    RateLimiter,
    Selector,
    Sign,
    Sine,
    StateSpace,
    Sum,
    Switch,
    UnitDelay,
    ZeroOrderHold,
)
from blocks.dynamics import Vessel6DOF
from blocks.guidance import CourseLine, LineOfSight
from blocks.plan import make_plan
from fmu.description.incidence import Incidence, Known


def dependencies(unknowns):
    """Names of the known variables that each unknown depends on."""
    return {u.variable.name: {known.name for known in u.dependencies} for u in unknowns}


@pytest.mark.parametrize("name", ["plant", "autopilot", "mixed", "fragile"])
def test_outputs_depend_on_no_other_inputs_than_declared(exported, tool, name):
    one = tool(exported(name)).instantiate()
    inputs = [n for n, v in one.variables.items() if v.causality == "input"]
    outputs = one.outputs()
    base = dict(zip(inputs, np.linspace(0.3, 0.9, len(inputs)), strict=True))
    one.set(base)
    one.initialize()
    declared = dependencies(one.description.outputs)
    assert set(declared) == set(outputs)
    for moved in inputs:
        one.set(base)
        before = one.get(*outputs)
        one.set({moved: base[moved] + 0.05})
        for output, old, new in zip(outputs, before, one.get(*outputs), strict=True):
            if new != old:
                assert moved in declared[output], f"{output} depends on {moved}"


@pytest.mark.parametrize("name", ["guided_vessel", "plant", "autopilot", "mixed", "fragile"])
def test_initial_values_depend_on_nothing_else_than_declared(exported, tool, name):
    """Those of outputs, continuous states and derivatives."""
    one = tool(exported(name)).instantiate()
    known = {
        n: float(v.start) for n, v in one.variables.items()
        if v.causality in ("input", "parameter") and v.type == "Real"
    }  # fmt: skip
    known |= {n: 0.5 for n, v in one.variables.items() if v.causality == "input"}
    one.set(known)
    one.slave.setupExperiment(startTime=0.0)
    one.slave.enterInitializationMode()
    declared = dependencies(one.description.initialUnknowns)
    assert set(declared) >= set(one.outputs())
    unknowns = list(declared)
    before = one.get(*unknowns)
    seen = set()
    for moved, value in known.items():
        one.set({moved: value + 0.03125})
        for unknown, old, new in zip(unknowns, before, one.get(*unknowns), strict=True):
            if new != old:
                assert moved in declared[unknown], f"the initial {unknown} depends on {moved}"
                seen.add(moved)
        one.set({moved: value})
    assert seen


def test_dependencies_are_exact(exported, tool):
    plant = tool(exported("plant"))
    found = dependencies(plant.description.outputs)
    assert not any(known.startswith("force") for names in found.values() for known in names)  # η and ν are states
    found = dependencies(plant.description.derivatives)
    assert {n for n in found["der(vessel.nu[1])"] if n.startswith("force")} == {"force[1]"}
    assert found["der(vessel.eta[6])"] == {"vessel.nu[6]"}
    autopilot = tool(exported("autopilot"))
    found = dependencies(autopilot.description.outputs)
    assert found["cross_track_error"] == {"eta[1]", "eta[2]"}
    assert found["force[1]"] == {"nu[1]", "speed.integral"}
    assert found["force[6]"] == {"eta[1]", "eta[2]", "eta[6]", "nu[6]", "heading.integral"}
    assert found["force[2]"] == set()
    fragile = tool(exported("fragile"))
    found = dependencies(fragile.description.outputs)
    both = {"v[1]", "v[2]"}
    assert found == {"y": {"u"}, "total": {"total.x"}, "mixed[1]": both, "mixed[2]": both, "mixed[3]": both}


def test_wires_that_take_elements_narrow_the_dependencies(tmp_path, tool):
    diagram = Diagram("narrow")
    guidance = diagram.add("guidance", CourseLine())
    turn = diagram.add("turn", Sum("+-"))
    diagram.inputs(eta=guidance.eta)
    diagram.connect(diagram.input_port("eta")["psi"], turn.in1)
    diagram.connect(guidance.heading, turn.in2)
    level = diagram.add("level", Gain(2.0))
    diagram.connect(diagram.input_port("eta")["z"], level.u)
    diagram.outputs(level=level.y, turn=turn.y)
    one = tool(fmu.export(diagram, tmp_path / "narrow.fmu"))
    found = dependencies(one.description.outputs)
    assert found == {"level": {"eta[3]"}, "turn": {"eta[1]", "eta[2]", "eta[6]"}}


# --- the structure itself --------------------------------------------------------------------------------------------


def known(inputs=(), states=(), parameters=(), time=False):
    return Known(frozenset(inputs), frozenset(states), frozenset(parameters), time)


class Asked:
    """The structure of a diagram, asked by name."""

    def __init__(self, diagram, **shapes):
        self.flat = make_plan(diagram, input_shapes=shapes).flat
        self.structure = Incidence(self.flat)
        self.leaves = {leaf.name: leaf for leaf in self.flat.leaves}

    def output(self, name, element=0):
        return self.structure.output(self.flat.outputs[name], element)

    def at_start(self, name, element=0):
        return self.structure.initial_output(self.flat.outputs[name], element)

    def derivative(self, leaf, state, element=0):
        return self.structure.derivative(self.leaves[leaf], state, element)


def test_elements_are_followed_through_routing_and_nested_diagrams():
    inner = Diagram("inner")
    inner.add("parts", Demux([2, 1]))
    inner.add("swap", Selector([1, 0]))
    inner.add("whole", Mux([1, 2]))
    inner.connect("parts.out1", "swap.u")
    inner.connect("parts.out2", "whole.in1")
    inner.connect("swap.y", "whole.in2")
    inner.inputs(u="parts.u")
    inner.outputs(y="whole.y")
    outer = Diagram("outer")
    outer.add("inner", inner)
    outer.add("gain", Gain([1.0, 2.0, 3.0]))
    outer.connect("gain.y", "inner.u")
    outer.inputs(u="gain.u")
    outer.outputs(y="inner.y", tail=inner.y[1:3])
    asked = Asked(outer)
    for element, source in enumerate((2, 1, 0)):
        assert asked.output("y", element) == known([("u", source)], parameters=[("gain", "gain")])
    assert asked.output("tail", 0) == asked.output("y", 1)
    assert asked.output("tail", 0) is asked.output("y", 1)  # equal sets are one object


def test_derivatives_depend_on_what_reaches_them_at_once():
    diagram = wired(
        {"lag": FirstOrderLag(2.0), "gain": Gain(3.0), "position": Integrator()},
        ("lag.y", "gain.u"),
        ("gain.y", "position.u"),
    )
    diagram.inputs(u="lag.u")
    diagram.outputs(y="position.y")
    asked = Asked(diagram)
    assert asked.output("y") == known(states=[("position", "x", 0)])
    assert asked.derivative("position", "x") == known(states=[("lag", "x", 0)], parameters=[("gain", "gain")])
    assert asked.derivative("lag", "x") == known([("u", 0)], [("lag", "x", 0)], [("lag", "time_constant")])


def test_at_the_start_states_are_what_their_start_values_are():
    diagram = wired({"lag": FirstOrderLag(2.0), "gain": Gain(3.0)}, ("lag.y", "gain.u"))
    diagram.inputs(u="lag.u")
    diagram.outputs(y="gain.y")
    asked = Asked(diagram)
    start = known(parameters=[("gain", "gain"), ("lag", "initial_x")])
    assert asked.at_start("y") == start
    lag = asked.leaves["lag"]
    assert asked.structure.initial_state(lag, "x", 0) == known(parameters=[("lag", "initial_x")])
    assert asked.structure.initial_derivative(lag, "x", 0) == known(
        [("u", 0)], parameters=[("lag", "initial_x"), ("lag", "time_constant")]
    )


def test_a_start_value_that_the_kernel_computes():
    """The quaternion comes from the Euler angles that are given."""
    asked = Asked(Vessel6DOF(rigid_body_inertia=np.diag([20.0, 20, 20, 3, 4, 5]), attitude="quaternion"))
    (leaf,) = asked.flat.leaves
    for state in ("position", "quaternion"):
        assert asked.structure.initial_state(leaf, state, 1) == known(parameters=[(leaf.name, "initial_eta")])
    assert asked.at_start("eta", 4) == known(parameters=[(leaf.name, "initial_eta")])


def test_modes_settle_at_once_and_count():
    """The output is held in a mode, which the input changes at the same instant."""
    diagram = wired({"sign": Sign(), "switch": Switch(0.5), "zero": Constant(0.0)}, ("sign.y", "switch.control"))
    diagram.inputs(u="sign.u", v="switch.u1")
    diagram.connect("zero.y", "switch.u2")
    diagram.outputs(y="switch.y")
    asked = Asked(diagram)
    choosing = [("switch", "threshold"), ("switch", "criterion"), ("zero", "value")]
    assert asked.output("y") == known([("u", 0), ("v", 0)], parameters=choosing)


def test_modes_that_an_output_does_not_read_do_not_count():
    """A limited integrator stops at once, but its output goes on from where it is."""
    asked = Asked(LimitedIntegrator(-1.0, 1.0))
    name = asked.flat.leaves[0].name
    limits = [(name, "lower"), (name, "upper")]
    assert asked.output("y") == known(states=[(name, "x", 0)], parameters=limits)
    assert asked.derivative(name, "x") == known([("u", 0)], [(name, "x", 0)], limits)


def test_what_goes_round_in_a_ring_of_modes():
    """The number of the waypoint is a mode, so a diagram may make the position that decides it depend on it."""
    diagram = Diagram()
    guidance = LineOfSight(waypoints=[[0, 0, 0], [9, 0, 0]], acceptance_radius=1.0, cruise_speed=1.0)
    diagram.add("guidance", guidance)
    diagram.add("mix", Mux([1, 5]))
    diagram.add("rest", Constant([0.0] * 5))
    diagram.connect("guidance.waypoint", "mix.in1")
    diagram.connect("rest.y", "mix.in2")
    diagram.connect("mix.y", "guidance.eta")
    diagram.inputs(nu="guidance.nu")
    diagram.outputs(waypoint="guidance.waypoint")
    deciding = ("waypoints", "acceptance_radius", "switching", "at_end")
    assert Asked(diagram).output("waypoint") == known(
        parameters=[("rest", "value"), *(("guidance", name) for name in deciding)]
    )


def test_samples_are_held_and_count_as_at_a_hit():
    diagram = wired({"held": ZeroOrderHold(period=0.1), "late": UnitDelay(period=0.1)})
    diagram.inputs(u=["held.u", "late.u"])
    diagram.outputs(held="held.y", late="late.y")
    asked = Asked(diagram)
    assert asked.output("held") == known([("u", 0)])
    assert asked.output("late") == known()
    assert asked.at_start("late") == known(parameters=[("late", "initial_x")])


def test_the_time_counts():
    diagram = wired({"sine": Sine(1.0, 2.0), "limit": RateLimiter(1.0, 1.0)}, ("sine.y", "limit.u"))
    diagram.add("gain", Gain(2.0))
    diagram.inputs(u="gain.u")
    diagram.outputs(y="limit.y", plain="gain.y")
    asked = Asked(diagram)
    assert asked.output("y").time
    assert asked.output("y").inputs == frozenset()
    assert not asked.output("plain").time


def test_zeros_of_a_matrix_that_may_be_set_are_dependences_all_the_same():
    asked = Asked(StateSpace([[0.0, 1.0], [0.0, 0.0]], [[0.0], [1.0]], [[1.0, 0.0]]))
    name = asked.flat.leaves[0].name
    both = [(name, "x", 0), (name, "x", 1)]
    assert asked.output("y") == known(states=both, parameters=[(name, "C")])  # without D there is no feedthrough
    assert asked.derivative(name, "x", 0) == known([("u", 0)], both, [(name, "A"), (name, "B")])


def test_unconnected_inputs_and_structural_parameters_are_constants():
    asked = Asked(Vessel6DOF(rigid_body_inertia=np.diag([20.0, 20, 20, 3, 4, 5])))
    (leaf,) = asked.flat.leaves
    found = asked.structure.derivative(leaf, "nu", 0)
    assert (leaf.name, "attitude") not in found.parameters
    assert (leaf.name, "coriolis") in found.parameters
    alone = wired({"vessel": Vessel6DOF(rigid_body_inertia=np.diag([20.0, 20, 20, 3, 4, 5]))})
    alone.inputs(force="vessel.force")
    assert Asked(alone).derivative("vessel", "nu").inputs == {("force", i) for i in range(6)}


def test_calculated_parameters_follow_from_parameters():
    asked = Asked(Vessel6DOF(rigid_body_inertia=np.diag([20.0, 20, 20, 3, 4, 5])))
    (leaf,) = asked.flat.leaves
    assert asked.structure.calculated(leaf, "mass_matrix") == known(
        parameters=[(leaf.name, "rigid_body_inertia"), (leaf.name, "added_mass")]
    )


def test_a_long_chain_is_no_recursion():
    diagram = Diagram()
    for k in range(1100):
        diagram.add(f"gain{k}", Gain(1.0))
        if k:
            diagram.connect(f"gain{k - 1}.y", f"gain{k}.u")
    diagram.inputs(u="gain0.u")
    diagram.outputs(y="gain1099.y")
    assert len(Asked(diagram).output("y").parameters) == 1100
