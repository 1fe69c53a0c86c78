"""Attributes of blocks: what is misspelt is refused, what authors keep in their own is theirs, and what TAB shows."""

from __future__ import annotations

import copy
import pickle
import re
import rlcompleter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from blocks import Diagram, Input, Output, Parameter, PythonBlock, simulate
from blocks.basic import Mux, Sine, Sum, UnitDelay
from blocks.block import Block
from blocks.control import PID
from blocks.dynamics import Vessel6DOF
from blocks.errors import ParameterError, WiringError
from blocks.signal import Number


@pytest.mark.parametrize(
    ("block", "name", "says"),
    [
        (PID(), "kpp", "no parameter 'kpp' on PID; did you mean 'kp'?"),
        (UnitDelay(period=0.1), "perod", "no parameter 'perod' on UnitDelay; did you mean 'period'?"),
        (PID(), "note", "attributes of your own begin with _: '_note'"),
        (Mux([1, 2]), "in2", "Mux.in2 is a port: use Diagram.connect to wire it"),
        (PID(), "integral", "PID.integral is a state: its initial value is the parameter 'initial_integral'"),
        (PID(), "output", "PID.output is a port: use Diagram.connect to wire it"),
        (Mux([1, 2]), "in3", "no parameter 'in3' on Mux; valid: widths;"),
    ],
)
def test_what_nothing_reads_cannot_be_set(block: Block, name: str, says: str) -> None:
    with pytest.raises((ParameterError, AttributeError), match=re.escape(says)):
        setattr(block, name, 3.0)
    assert name not in vars(block)


def test_the_message_names_the_block_by_its_place() -> None:
    boat = Diagram("boat")
    boat.add("autopilot", PID())
    with pytest.raises(ParameterError, match=r"no parameter 'kpp' on autopilot; did you mean 'kp'\?"):
        boat.autopilot.kpp = 3.0


def test_private_attributes_and_those_of_the_class_are_free() -> None:
    class Logged(PID):
        label = "port side"
        count: int

    block = Logged(2.0)
    block._mine, block.label, block.count = "kept", "starboard", 3
    assert (block._mine, block.label, block.count) == ("kept", "starboard", 3)  # type: ignore[attr-defined]
    block.kp = 3.0
    assert block.values["kp"] == 3.0
    assert copy.copy(block).count == 3


class Remembering(PythonBlock):
    """Keeps in itself what it likes, as authors do: before and after the base is made, and while it runs."""

    u = Input(Number, "u")
    y = Output(Number, "y")
    gain = Parameter(2.0, doc="gain")

    def __init__(self, **given: Any) -> None:
        self.table = [1.0, 2.0]
        super().__init__(**given)
        self.gains = np.ones(3)  # not 'gain', and free here

    def outputs(self, t: float, states: Any, inputs: Any) -> dict[str, Any]:
        self.calls = getattr(self, "calls", 0) + 1
        return {"y": self.gain * inputs["u"]}


def test_authors_of_python_blocks_keep_what_they_like() -> None:
    diagram = Diagram("d")
    block = diagram.add("block", Remembering(gain=3.0))
    diagram.connect(diagram.add("sine", Sine(1.0, 1.0)).y, block.u)
    run = simulate(diagram, 1.0, step=0.1)
    assert run.values("block.y")[-1] == pytest.approx(3.0 * np.sin(1.0))
    assert block.calls > 10
    block.note = "anything"
    block.gains = np.zeros(3)
    with pytest.raises(ParameterError, match="no parameter 'gian' on block; did you mean 'gain'"):
        block.gian = 1.0


def test_blocks_of_the_library_can_be_pickled_and_copied() -> None:
    assert pickle.loads(pickle.dumps(PID(2.0))).kp == 2.0


def test_tab_shows_ports_and_parameters_and_not_the_machinery() -> None:
    own = {"copy", "evaluate", "name", "path", "set"}
    vessel = Vessel6DOF.from_vehicle("minerva")
    ports = {*vessel.input_ports, *vessel.output_ports}
    assert set(dir(vessel)) == {*ports, *vessel.all_parameters(), *vessel.calculated_parameters, *own}
    assert {"eta", "force", "added_mass", "initial_nu", "mass_matrix"} <= set(dir(vessel))
    assert set(dir(Sum("+-"))) == {"in1", "in2", "y", "signs", *own}
    assert "rate" not in dir(PID())
    assert "rate" in dir(PID(derivative="rate"))
    assert set(dir(Remembering())) == {"u", "y", "gain", "table", "gains", *own}
    assert all(hasattr(vessel, name) for name in dir(vessel))


def test_a_port_that_is_not_there_with_these_parameters_is_no_attribute() -> None:
    assert not hasattr(PID(), "rate")
    with pytest.raises(WiringError, match=r"PID\.rate exists with derivative='rate' only, and derivative is 'error'"):
        PID().rate  # noqa: B018
    complete = rlcompleter.Completer({"pid": PID()}).complete  # what Python's own prompt completes with
    assert {"pid.kp", "pid.output"} <= set(iter_names(complete))


def iter_names(complete: Any) -> Iterator[str]:
    """What is offered after `pid.`, one by one, as readline asks for it."""
    number = 0
    while (name := complete("pid.", number)) is not None:
        yield name.partition("(")[0]
        number += 1
