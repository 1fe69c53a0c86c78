"""What every block of the library must keep to. A new block is tested by existing, with the `examples` of its class."""

from __future__ import annotations

import inspect
import subprocess
import sys
import textwrap
import zlib
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pytest

from blocks import Block, Diagram, simulate
from blocks.basic import Constant, LimitedIntegrator, Selector, Sine, UnitDelay
from blocks.dynamics import ComplexVessel6DOF
from blocks.environment import BretschneiderSea, CurrentField, WaveForceRAO, WindField
from blocks.model.block import REGISTERED
from blocks.plan import Plan, make_plan
from blocks.plan.kernel import check_kernel, kernel_functions
from blocks.run.probe import Evaluation, evaluate
from blocks.scenario import Scenario
from blocks.scenario.writing import example_text
from blocks.units import same


def generator(block: Block, salt: int = 0) -> np.random.Generator:
    """Random numbers that are the same in every run, and others for every block."""
    return np.random.default_rng(zlib.crc32(f"{type(block).type_name()} {salt}".encode()))


Shapes = dict[str, dict[str, tuple[int, ...]]]
_SHAPES: WeakKeyDictionary[Block, Shapes] = WeakKeyDictionary()


def shapes(block: Block) -> Shapes:
    """Shapes of the inputs and states; a size that nothing decides is 1, or 3 where elements are picked."""
    if block not in _SHAPES:
        _SHAPES[block] = _shapes(block)
    return _SHAPES[block]


def _shapes(block: Block) -> Shapes:
    alone = block.copy()
    plan = make_plan(alone, input_shapes={"u": (3,)} if isinstance(block, Selector) else None)
    (leaf,) = plan.flat.leaves
    return {
        "inputs": {name: place.shape for name, place in plan.inputs.items()},
        "states": {name: plan.flat.shape(leaf, state.signal) for name, state in leaf.states.items()},
        "sizes": plan.flat.sizes[leaf],  # type: ignore[dict-item]
    }


def some_inputs(block: Block, salt: int = 0) -> dict[str, Any]:
    """Inputs in a range where every block has a value."""
    random = generator(block, salt)
    return {name: random.uniform(0.3, 1.2, shape) for name, shape in shapes(block)["inputs"].items()}


def some_states(block: Block, salt: int = 0) -> dict[str, Any]:
    """Continuous states near where they begin, and discrete ones as they are after the first instant."""
    random = generator(block, salt + 1000)
    start = evaluate(block, 0.0, {}, some_inputs(block, salt))
    states: dict[str, Any] = dict(start.updated)
    for name, state in block.states.items():
        if not state.discrete:
            states[name] = random.uniform(0.1, 0.4, shapes(block)["states"][name])
            if name == "quaternion":
                states[name] /= np.linalg.norm(states[name])
    return states


def plainly(block: Block, t: float, states: dict[str, Any], inputs: dict[str, Any]) -> Evaluation:
    """An evaluation with modes as they are given."""
    return evaluate(block, t, states, inputs)


def equal(one: Any, other: Any) -> bool:
    """To the last bit; an infinity or a not-a-number would count as equal to itself."""
    return np.asarray(one, dtype=float).tobytes() == np.asarray(other, dtype=float).tobytes()


def connect_source(diagram: Diagram, name: str, source: Block, block: Block, port: str) -> None:
    """Feed an input by the only output of a source; a matrix by a sea, the one thing that gives any."""
    shape = shapes(block)["inputs"][port]
    if len(shape) == 2:
        source = BretschneiderSea(0.5, 3.0, frequencies=shape[1], directions=1, depth=2.0)
    (output,) = diagram.add(name, source).output_ports
    diagram.connect(source.port(output), block.input_port(port))


def driven(block: Block, name: str = "block") -> Diagram:
    """The block with a sine on every input, positive and of incommensurable frequencies."""
    diagram = Diagram()
    diagram.add(name, block)
    for k, (port, shape) in enumerate(shapes(block)["inputs"].items()):
        amplitude = np.full(shape[:1], 0.4) if shape else 0.4
        connect_source(diagram, f"source_{port}", Sine(amplitude, 1.7 + 0.613 * k, offset=0.85), block, port)
    return diagram


# --- declarations ----------------------------------------------------------------------------------------------------


def test_declaration_and_kernel_agree(sample):
    block = sample()
    check_kernel(block)
    has = kernel_functions(block)
    sizes = shapes(block)["sizes"]
    discrete = any(s.discrete for s in block.states.values())
    assert discrete == has["update"], "update changes discrete states, and nothing else does while a run goes on"
    assert (block.work_size(sizes) > 0) == has["setup"], "derived constants are written by setup"
    if block.crossing_count(sizes):
        assert has["crossings"], "crossing functions are declared, and the kernel has none"


def test_every_port_and_parameter_is_described(sample):
    block = sample()
    described = {
        **block.input_ports,
        **block.output_ports,
        **block.states,
        **type(block).parameters,
    }
    silent = [name for name, item in described.items() if not item.doc.strip()]
    assert silent == [], f"{sample.name} says nothing about {silent}"
    for name, parameter in type(block).parameters.items():
        units = parameter.unit if isinstance(parameter.unit, tuple) else (parameter.unit,)
        assert all(same(unit, unit) for unit in units), name
        sizes = [size for size in parameter.shape if isinstance(size, str)]
        assert all(map(str.isidentifier, sizes)), f"{name} has the size {sizes}: is that its text?"


def test_the_class_is_documented(sample):
    """What it computes, what it raises, and, beyond the elementary, who says so."""
    cls = type(sample())
    text = inspect.cleandoc(cls.__doc__ or "")
    assert len(text.splitlines()[0]) > 10
    if cls.validate is not Block.validate:
        assert "Raises ParameterError" in text, f"{sample.name} checks its parameters, but does not say what it raises"
    if cls.family != "basic":
        assert "Source" in text or "Definition" in text, f"{sample.name} does not say where it comes from"


def test_a_new_block_without_a_sample_is_asked_for_one(make_sample, monkeypatch):
    class Novel(Constant, abstract=True):
        value = Constant.parameters["value"].__class__(doc="a value that has no default")

    monkeypatch.setitem(REGISTERED, "basic.Novel", Novel)
    told = r"basic.Novel has no defaults for value: give the class an example of .*, examples = \(\{'value': …\},\)"
    with pytest.raises(pytest.fail.Exception, match=told):
        make_sample("basic.Novel")


LONG = {ComplexVessel6DOF, CurrentField, WaveForceRAO, WindField}
"""Blocks whose examples are tables of a hundred numbers and more, which nobody wants to read."""


def test_an_example_can_be_pasted_into_a_scenario(library_blocks):
    texts = {cls: example_text(cls) for cls in library_blocks}
    assert {cls for cls, text in texts.items() if cls.examples and not text} == LONG
    pasted = "".join(textwrap.indent(text, "    ") for text in texts.values())
    diagram = Scenario.from_text(f"keelblocks: 1\nname: all\ndiagram:\n  blocks:\n{pasted}").diagram
    for block in diagram.blocks().values():
        meant = type(block)(**type(block).examples[0]).values
        assert {n: np.array_equal(v, meant[n]) for n, v in block.values.items()} == dict.fromkeys(meant, True)


def test_a_copy_has_the_same_plan(sample):
    block = sample()
    assert driven(block.copy()).plan().stored == driven(sample()).plan().stored


def test_yaml_round_trip(sample):
    """What is written and read again has the same plan to the last bit."""
    diagram = driven(sample())
    text = Scenario(diagram, "round_trip", settings={"end": 1.0}).to_yaml()
    again = Scenario.from_text(text)
    assert again.diagram.plan().stored == diagram.plan().stored
    assert again.to_yaml() == text


# --- purity ----------------------------------------------------------------------------------------------------------


def test_equal_arguments_give_equal_bits(sample):
    for salt in range(3):
        one, other = (
            plainly(block, 0.7, some_states(block, salt), some_inputs(block, salt)) for block in (sample(), sample())
        )
        for first, second in (
            (one.outputs, other.outputs),
            (one.derivatives, other.derivatives),
            (one.updated, other.updated),
        ):
            assert list(first) == list(second)
            assert all(equal(first[name], second[name]) for name in first)
        assert equal(one.crossings, other.crossings)
        assert all(np.all(np.isfinite(value)) for value in one.outputs.values())


def test_outputs_depend_on_no_input_but_those_declared(sample):
    """Every input is changed in turn; what follows at once has to be declared as direct feedthrough."""
    block = sample()
    for salt in range(3):
        states, inputs = some_states(block, salt), some_inputs(block, salt)
        before = plainly(block, 0.3, states, inputs).outputs
        for name in inputs:
            changed = inputs | {name: np.asarray(inputs[name]) + 0.31 + 0.17 * generator(block, salt).random()}
            after = plainly(block, 0.3, states, changed).outputs
            for output in before:
                if not equal(before[output], after[output]):
                    assert name in block.feedthrough(output), f"{output} depends on {name}"


def test_feedthrough_names_inputs_that_are_there(sample):
    block = sample()
    for output in block.output_ports:
        assert set(block.feedthrough(output)) <= set(block.input_ports)


def test_outputs_depend_on_the_time_only_if_that_is_declared(sample):
    block = sample()
    states, inputs = some_states(block), some_inputs(block)
    if block.uses_time:
        return
    reference = plainly(block, 0.0, states, inputs)
    for t in (0.1, 0.7, 3.3, 1000.0):
        later = plainly(block, t, states, inputs)
        for name, value in reference.outputs.items():
            assert equal(value, later.outputs[name]), f"{name} changes with time: {sample.name} must declare uses_time"


ABSURD = """
import itertools
from numpy import array
from blocks import library
from blocks.errors import KeelblocksError
from blocks.run.probe import evaluate
samples = {samples!r}
for name, chosen in samples:
    block = library()[name](**chosen)
    inputs = {{"u": [0.0] * 3}} if name == "basic.Selector" else {{}}
    for state, value in itertools.product(block.states, (1e300, -1e300, 1e9, -1e9, 2.5e9, -1.0, 0.5)):
        try:
            evaluate(block, 0.0, {{state: value}}, inputs)
        except KeelblocksError:
            pass
"""


def test_states_that_cannot_be_bring_no_process_down(all_samples):
    """A mode or counter that somebody sets to nonsense gives nonsense, and no access outside of an array."""
    with np.printoptions(threshold=sys.maxsize):
        script = ABSURD.format(samples=[(sample.name, sample.parameters) for sample in all_samples])
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"ended with {ran.returncode}: {ran.stderr[-2000:]}"


def test_outputs_that_are_states_are_those_states(sample):
    block = sample()
    states = some_states(block)
    outputs = plainly(block, 0.3, states, some_inputs(block)).outputs
    for name in block.output_ports:
        state = block.state_of(name)
        if state:
            assert equal(np.ravel(outputs[name]), np.ravel(states[state]))


# --- modes -----------------------------------------------------------------------------------------------------------


def discrete_part(plan: Plan) -> slice:
    return slice(plan.regions.z, plan.regions.hits)


def test_an_update_repeated_at_one_instant_changes_nothing(sample):
    """Modes settle: with the same time, inputs and states a second update finds nothing left to do."""
    block = sample()
    if block.sampled or not kernel_functions(block)["update"]:
        return
    for salt in range(4):
        plan = driven(sample()).plan(step=0.05)
        engine = plan.engine()
        engine.start(0.1 * salt)
        engine.advance(0.1 * salt + 0.35)
        t = engine.time
        for _ in range(2):
            engine.look(t)
            engine.update(t)
        settled = engine.values[discrete_part(plan)].copy()
        engine.look(t)
        engine.update(t)
        assert equal(engine.values[discrete_part(plan)], settled)


# --- neighbours ------------------------------------------------------------------------------------------------------


def neighbours() -> dict[str, Block]:
    """Blocks with everything that a kernel could write into: outputs, states, derivatives, modes, crossings."""
    return {
        "held": LimitedIntegrator(lower=[-1.0, -1.0], upper=[1.0, 1.0], initial_x=[0.3, -0.2]),
        "delay": UnitDelay(period=0.1, initial_x=[0.7, 0.8]),
        "sine": Sine([1.0, 2.0], 2.0),
    }


def crowd(block: Block | None) -> Diagram:
    """A block between neighbours, which do not depend on it; or the neighbours alone."""
    diagram = Diagram()
    for side in ("before", "after"):
        if side == "after" and block is not None:
            diagram.add("block", block)
            for port, shape in shapes(block)["inputs"].items():
                constant = Constant(np.full(shape[:1], 0.6) if shape else 0.6)
                connect_source(diagram, f"input_{port}", constant, block, port)
        for name, neighbour in neighbours().items():
            diagram.add(f"{side}_{name}", neighbour)
        diagram.connect(f"{side}_sine.y", f"{side}_held.u", f"{side}_delay.u")
    return diagram


def neighbourly_values(plan: Plan, engine: Any) -> list[bytes]:
    """Everything that belongs to the neighbours, and all parameters and constants, as bytes."""
    found = []
    for table in (plan.outputs, plan.parameters, plan.states):
        for name, place in table.items():
            if name.startswith(("before_", "after_")):
                found.append(engine.values[place.slice].tobytes())
                if table is plan.states and not place.discrete:
                    at = place.first + plan.derivative_offset
                    found.append(engine.values[at : at + place.count].tobytes())
    return found


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_a_block_writes_nothing_but_its_own(sample, solver):
    """Its neighbours in memory do what they do without it, and its inputs and parameters stay what they are."""
    block = sample()
    settings = {"step": 0.03, "solver": solver, "max_step": 0.03}
    plan, alone = crowd(block).plan(**settings), crowd(None).plan(**settings)
    engine, reference = plan.engine(), alone.engine()
    assert engine.start(0.0) == reference.start(0.0) == 0
    own = [
        place.slice
        for name, place in {**plan.outputs, **plan.parameters}.items()
        if name.startswith("input_") or (name.startswith("block.") and name in plan.parameters)
    ]
    before = [engine.values[part].tobytes() for part in own]
    engine.look(0.0)
    reference.look(0.0)
    assert neighbourly_values(plan, engine) == neighbourly_values(alone, reference)
    if solver == "rk4":  # whose steps do not depend on what else there is
        for t in (0.09, 0.3, 0.75):
            assert engine.advance(t) == reference.advance(t) == 0
            engine.look(t)
            reference.look(t)
            assert neighbourly_values(plan, engine) == neighbourly_values(alone, reference)
    else:
        assert engine.advance(0.75) == 0
    assert [engine.values[part].tobytes() for part in own] == before


# --- runs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_engines_share_nothing_and_states_can_be_saved_anywhere(sample, solver):
    """Two engines in turns, a restart, and a restored state: the same bits as one engine in one go."""
    plan = driven(sample()).plan(step=0.04, solver=solver)
    whole, one, other = plan.engine(), plan.engine(), plan.engine()
    stops = (0.1, 0.37, 0.8)

    def bits(engine: Any) -> bytes:
        return engine.values[: plan.regions.dx].tobytes()

    assert whole.start(0.0) == one.start(0.0) == other.start(0.2) == 0
    for t in stops:
        assert whole.advance(t) == one.advance(t) == 0
        other.advance(0.2 + 0.7 * t)
        assert bits(one) == bits(whole)
        saved = one.save()
        one.advance(t + 0.11)
        one.restore(saved)
    one.start(0.0)
    for t in stops:
        one.advance(t)
    assert bits(one) == bits(whole)
    other.restore(saved)
    assert bits(other) == bits(whole)


def test_solvers_of_different_kinds_agree(sample):
    """An explicit and an implicit method with tight tolerances: what they share is the block alone."""
    tight = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-10, "step": 0.1, "max_step": 0.1}
    results = [simulate(driven(sample()), 1.5, solver=solver, **tight) for solver in ("dopri5", "LSODA")]
    for name in results[0]:
        one, other = (result.values(name) for result in results)
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6, err_msg=name)
        assert np.all(np.isfinite(one))
