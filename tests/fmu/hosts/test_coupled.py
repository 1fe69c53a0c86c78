"""Two FMUs coupled in libcosim, Ecos and FMPy: the same master algorithm gives the same numbers.

All three are Jacobi masters with zero-order hold: outputs are read at a communication point, the inputs that are wired
to them are set, and every model takes its step with inputs held. Before the first step each repeats reading and
setting, so that values travel through models whose outputs follow their inputs at once. They differ in what a user is
shown of an output that follows an input at once: libcosim and `fmu.compare` show what was read after the step, before
inputs are set anew; Ecos reads on request, after it has set them. Values that were exchanged are the same in all.
"""

from __future__ import annotations

import numpy as np
import pytest
from agreement import assert_agree
from cosimulation import OPTIONS, TAKEN, Job, cosimulate
from subjects import MINERVA, elements, mission

import fmu
from blocks import Diagram
from blocks.basic import Gain, Integrator
from fmu.compare import co_simulate

STEP = 0.05


def connections(diagram, plans):
    """Wires between components of a diagram, by element."""
    pairs = []
    for (sink, port), source in diagram.wires.items():
        owner = source.component.name
        outputs = elements(source.port, plans[owner].external_outputs[source.port])[source.start : source.stop]
        inputs = elements(port, plans[sink.name].inputs[port])
        pairs += [(f"{owner}.{a}", f"{sink.name}.{b}") for a, b in zip(outputs, inputs, strict=True)]
    return pairs


def one_job(tool, job, folder):
    (found,) = cosimulate(tool, [job], folder)
    assert not isinstance(found, str), found
    return found


# --- an oscillator, of which the answer is known --------------------------------------------------------------------

OMEGA, POSITION, VELOCITY = 2.0, 1.0, 0.5


def oscillator():
    """ẋ = v in one part, v̇ = −ω²x in the other."""
    diagram = Diagram("oscillator")
    first = diagram.add("first", Diagram("first"))
    first.add("x", Integrator(initial_x=POSITION))
    first.inputs(v="x.u")
    first.outputs(x="x.y")
    second = diagram.add("second", Diagram("second"))
    second.add("stiffness", Gain(-(OMEGA**2)))
    second.add("v", Integrator(initial_x=VELOCITY))
    second.connect("stiffness.y", "v.u")
    second.inputs(x="stiffness.u")
    second.outputs(v="v.y")
    diagram.connect("first.x", "second.x")
    diagram.connect("second.v", "first.v")
    diagram.outputs(x="first.x", v="second.v")
    return diagram


def known_answer(steps):
    """With inputs held over a step, both parts are integrated exactly: (x + iv/ω)ₙ = (1 − iωh)ⁿ (x + iv/ω)₀."""
    z = (POSITION + 1j * VELOCITY / OMEGA) * (1.0 - 1j * OMEGA * STEP) ** np.arange(steps + 1)
    return np.column_stack([z.real, OMEGA * z.imag])


def halves(version, folder):
    """The FMUs of the oscillator's parts."""
    settings = {"step": STEP, "fmi": version, **OPTIONS[version]}
    return {name: fmu.export(oscillator()[name], folder / f"{name}.fmu", **settings) for name in ("first", "second")}


@pytest.mark.parametrize(("tool", "fmi"), TAKEN)
def test_a_coupled_oscillator_has_the_known_answer(tool, fmi, tmp_path):
    wires = [("first.x", "second.x"), ("second.v", "first.v")]
    found = one_job(tool, Job(halves(fmi, tmp_path), STEP, 100, ["first.x", "second.v"], wires), tmp_path)
    assert_agree(found, known_answer(100)[1:])


def test_the_master_of_this_project_has_the_known_answer(tmp_path):
    _, table = co_simulate(oscillator(), halves("2.0", tmp_path), 100 * STEP, STEP)
    assert_agree(np.hstack([table["x"], table["v"]]), known_answer(100))


# --- the Minerva mission, plant and autopilot -----------------------------------------------------------------------

STATES = ("eta", "nu", "speed", "energy", "power")
FOLLOWING = ("heading", "depth", "cross_track_error")  # follow the plant's outputs at once
MISSION_STEPS = 400


PLANS = {subject.name: subject.plan for subject in MINERVA[1:]}


@pytest.fixture(scope="module")
def parts(export):
    """The FMUs of plant and autopilot, by the version of FMI."""
    return lambda version: {subject.name: export(subject, version, **OPTIONS[version]) for subject in MINERVA[1:]}


@pytest.fixture(scope="module")
def reference(parts):
    """The co-simulation in FMPy."""
    _, table = co_simulate(mission(), parts("2.0"), MISSION_STEPS * STEP, STEP)
    return {name: rows.reshape(MISSION_STEPS + 1, -1) for name, rows in table.items()}


@pytest.mark.parametrize(("tool", "fmi"), TAKEN)
def test_the_mission_in_two_fmus_is_the_same_in_every_tool(tool, fmi, parts, reference, tmp_path):
    names = STATES + (FOLLOWING if tool == "libcosim" else ())
    columns = {
        name: [
            f"{ref.block.name}.{element}"
            for element in elements(ref.name, PLANS[ref.block.name].external_outputs[ref.name])
        ]
        for name, ref in mission().boundary_outputs.items()
        if name in names
    }
    record = [element for column in columns.values() for element in column]
    found = one_job(tool, Job(parts(fmi), STEP, MISSION_STEPS, record, connections(mission(), PLANS)), tmp_path)
    for name, column in columns.items():
        first = record.index(column[0])
        assert_agree(found[:, first : first + len(column)], reference[name][1:])
    assert np.ptp(reference["eta"][:, 0]) > 0.5, "the vessel has to move for this to say anything"


def test_ecos_shows_outputs_that_follow_inputs_one_exchange_later(parts, tmp_path):
    """What one tool shows of the commands is what the other has set: Ecos at the plant, libcosim a step later."""
    commands = elements("command", PLANS["autopilot"].external_outputs["command"])
    wires = connections(mission(), PLANS)
    record = [f"{model}.{name}" for model in ("autopilot", "plant") for name in commands]
    ecos, libcosim = (
        one_job(tool, Job(parts("2.0"), STEP, 60, record, wires), tmp_path) for tool in ("ecos", "libcosim")
    )
    n = len(commands)
    assert_agree(ecos[:, n:], libcosim[:, :n])  # set in the plant after a step is what the autopilot had after it
    assert_agree(libcosim[1:, n:], libcosim[:-1, :n])  # libcosim shows the plant's inputs as they were in the step
    assert not np.allclose(ecos[:, :n], libcosim[:, :n], rtol=1e-6)
