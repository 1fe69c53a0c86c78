"""References to ports and to their elements."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant, Gain, Integrator
from blocks.dynamics import Vessel6DOF
from blocks.errors import WiringError


@pytest.fixture
def vessel(make_sample) -> Vessel6DOF:
    diagram = Diagram()
    return diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))


def test_a_reference_knows_its_block_name_direction_and_type(vessel):
    assert (vessel.eta.block, vessel.eta.name, vessel.eta.direction) == (vessel, "eta", "output")
    assert (vessel.force.direction, vessel.force.signal.name) == ("input", "Wrench")
    assert str(vessel.eta) == "vessel.eta"
    assert vessel.port("eta").signal == vessel.eta.signal


@pytest.mark.parametrize(
    ("index", "text", "start", "stop", "unit"),
    [
        ("psi", "vessel.eta[psi]", 5, 6, "rad"),
        (5, "vessel.eta[psi]", 5, 6, "rad"),
        (-1, "vessel.eta[psi]", 5, 6, "rad"),
        (0, "vessel.eta[x]", 0, 1, "m"),
        (slice(0, 3), "vessel.eta[0:3]", 0, 3, "m"),
        (slice(None, 2), "vessel.eta[0:2]", 0, 2, "m"),
        (slice(-3, None), "vessel.eta[3:6]", 3, 6, "rad"),
        (slice(2, 4), "vessel.eta[2:4]", 2, 4, ("m", "rad")),
        (slice(4, 100), "vessel.eta[4:6]", 4, 6, "rad"),
    ],
)
def test_elements_by_label_number_and_slice(vessel, index, text, start, stop, unit):
    ref = vessel.eta[index]
    assert (str(ref), ref.start, ref.stop, ref.signal.unit) == (text, start, stop, unit)
    assert ref.signal.shape == (() if stop - start == 1 else (stop - start,))
    assert ref.signal.frame == "ned"
    assert ref.signal.labels == (() if stop - start == 1 else vessel.eta.signal.labels[start:stop])


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("heading", "vessel.eta has no element 'heading'"),
        ("ps", "vessel.eta has no element 'ps'; did you mean 'psi'?"),
        (6, "vessel.eta has 6 elements: there is no element 6"),
        (-7, "there is no element -7"),
        (slice(0, 6, 2), "vessel.eta[0:6:2]: neighbouring elements are wanted"),
        (slice(3, 3), "vessel.eta[3:3:None]: neighbouring elements are wanted"),
        (slice(None, None, -1), "neighbouring elements are wanted"),
        (1.5, "vessel.eta[1.5]: an element is named by its label, its number or a slice"),
    ],
)
def test_elements_that_are_not_there(vessel, index, said):
    with pytest.raises(WiringError) as problem:
        vessel.eta[index]
    assert said in str(problem.value)


def test_elements_of_elements_are_refused(vessel):
    with pytest.raises(WiringError, match=r"vessel.eta\[0:3\]: elements have been selected already"):
        vessel.eta[0:3][1]


def test_elements_of_a_size_that_a_parameter_decides():
    assert (Gain([1.0, 2.0]).y[-1].start, str(Gain([1.0, 2.0]).y[0:2])) == (1, "Gain.y[0:2]")
    with pytest.raises(WiringError, match=r"Gain.y has 2 elements: there is no element 2"):
        Gain([1.0, 2.0]).y[2]


def test_elements_of_a_size_that_wires_decide_are_checked_in_the_plan():
    diagram = Diagram()
    diagram.add("three", Constant([1.0, 2.0, 3.0]))
    diagram.add("gain", Gain(2.0))
    diagram.add("sink", Gain())
    diagram.connect("three.y", "gain.u")
    for reference in ("gain.y[-1]", "gain.y[1:]", "gain.y[-2:3]"):
        with pytest.raises(
            WiringError, match=r"gain.y: elements cannot be counted from the end before its size is known"
        ):
            diagram.connect(reference, "sink.u")
    diagram.connect("gain.y[1:3]", "sink.u")
    np.testing.assert_array_equal(simulate(diagram, 0.1, step=0.1).values("sink.y")[0], [4.0, 6.0])
    diagram.disconnect("sink.u")
    diagram.connect("gain.y[3]", "sink.u")
    with pytest.raises(WiringError, match=r"gain.y\[3\], which feeds sink.u: there are only 3 elements"):
        diagram.check()


def test_a_scalar_has_one_element(make_sample):
    guidance = make_sample("guidance.LineOfSight")
    assert guidance.heading[0].signal.shape == ()
    with pytest.raises(WiringError, match=r"has 1 element: there is no element 1"):
        guidance.heading[1]


def test_unknown_ports_with_near_misses(vessel):
    with pytest.raises(WiringError, match=r"no port 'forze' on vessel; did you mean 'force'"):
        vessel.port("forze")
    with pytest.raises(
        AttributeError, match=r"vessel has no port or parameter 'accelaration'; did you mean 'acceleration'"
    ):
        vessel.accelaration  # noqa: B018
    with pytest.raises(WiringError, match=r"no port 'z' on Integrator; valid: u, y"):
        Integrator().port("z")
