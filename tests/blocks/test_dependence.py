"""How a declaration says what depends on what: every pattern, the defaults, and the messages."""

from __future__ import annotations

import pytest

from blocks import Input, Output, Parameter, PythonBlock, State
from blocks.basic import Gain
from blocks.errors import DeclarationError
from blocks.model.dependence import (
    TIME,
    WHOLE,
    Elements,
    Pattern,
    between,
    each,
    each_row,
    elements,
    matrix,
    rows,
    same,
    whole,
)
from blocks.plan import make_plan
from blocks.plan.dependencies import BlockDependencies
from blocks.signal import BodyVelocity, Number, Pose, Velocity

NU = Elements(6, BodyVelocity.labels, "vessel.nu_r")
ETA = Elements(6, Pose.labels, "vessel.eta")
CURRENT = Elements(3, Velocity.labels, "vessel.current")


def table(pattern: Pattern, target: Elements, source: Elements) -> list[str]:
    """A row per element of the target: 1 where it depends on an element of the source."""
    return ["".join(str(mask >> j & 1) for j in range(source.count)) for mask in pattern.masks(target, source)]


def test_patterns():
    pair, triple = Elements(2), Elements(3)
    assert table(whole("u")["u"], pair, triple) == ["111", "111"]
    assert table(each("u")["u"], triple, triple) == ["100", "010", "001"]
    assert table(each("u")["u"], triple, Elements(1)) == ["1", "1", "1"]
    assert table(each_row("ring")["ring"], pair, Elements(6)) == ["101010", "010101"]
    assert table(matrix([[0, 1, 0], [2, 0, 3]]), pair, triple) == ["010", "101"]
    assert table(elements("x psi"), Elements(1), ETA) == ["100001"]
    assert table(rows("u v"), NU, CURRENT) == ["111", "111", "000", "000", "000", "000"]
    assert table(same("u"), NU, NU)[:2] == ["100000", "000000"]
    assert table(between({"u": "theta psi", "u v": "phi"}), NU, ETA)[:3] == ["000111", "000100", "000000"]


@pytest.mark.parametrize(
    ("pattern", "source", "message"),
    [
        (each("u")["u"], CURRENT, r"vessel.nu_r has 6 elements and vessel.current 3: they do not depend on each other "
                                  r"element by element"),
        (each_row("u")["u"], Elements(8, name="ring"), r"ring does not have rows of 6 elements, as vessel.nu_r has"),
        (elements("x yaw"), ETA, r"vessel.eta has no element 'yaw'"),
        (between({"u w r": "phi", "uu": "phi"}), ETA, r"vessel.nu_r has no element 'uu'; did you mean 'u'"),
        (matrix([[1, 0]]), CURRENT, r"dependence of vessel.nu_r on vessel.current must be a table of 6×3, not of 1×2"),
    ],
)  # fmt: skip
def test_patterns_that_do_not_fit_are_refused(pattern, source, message):
    with pytest.raises(DeclarationError, match=message):
        pattern.masks(NU, source)


class Plain(PythonBlock, abstract=True):
    """A block that says no more than it has to."""

    u = Input(Number, "one input")
    v = Input(Number, "another input")
    y = Output(Number, "follows u at once", feedthrough=("u",))
    k = Parameter(1.0, doc="a factor")
    size = Parameter(1.0, structural=True, doc="decides something")
    x = State(Number, "a continuous state")
    z = State(Number, "a mode", discrete=True, private=True)

    def derivatives(self, t, states, inputs):
        return {"x": 0.0}


def sources_of(block):
    flat = make_plan(block).flat
    return BlockDependencies(flat, flat.leaves[0])


def test_without_a_declaration_all_counts_that_could():
    sources = sources_of(Plain())
    output, rate, mode = (sources.of(*item) for item in (("output", "y"), ("state", "x"), ("state", "z")))
    assert list(output.inputs) == ["u"]
    assert list(rate.inputs) == list(mode.inputs) == ["u", "v"]
    for found in (output, rate, mode):
        assert list(found.states) == ["x", "z"]
        assert list(found.parameters) == ["k"]  # what decides the layout is a constant
        assert found.time == [1]
    assert list(sources.of("start", "x").parameters) == ["initial_x"]
    assert sources.of("start", "z").parameters == {}
    assert sources.modes == {"z"}


def test_a_block_that_does_not_use_the_time_does_not_depend_on_it():
    class Timeless(Plain, abstract=True):
        """Without the time."""

        uses_time = False

    sources = sources_of(Timeless())
    assert sources.of("output", "y").time == sources.of("state", "x").time == []
    assert sources.of("state", "z").time == [1]  # whatever update does


def test_a_source_that_a_block_works_out_and_has_not_is_refused():
    class Wrong(Gain, abstract=True):
        """Depends on what there is not."""

        def output_sources(self, output, sizes):
            return each("u", "gian")

    with pytest.raises(DeclarationError, match=r"\.y of Wrong depends on 'gian', which is no .*did you mean 'gain'"):
        sources_of(Wrong(2.0)).of("output", "y")


def test_the_time_has_a_name_that_nothing_else_can_have():
    assert not TIME.isidentifier()
    assert whole(TIME) == {TIME: WHOLE}


def test_feedthrough_of_a_port_that_is_not_there_is_none() -> None:
    class Gate(PythonBlock, abstract=True):
        gated = Parameter(False, structural=True)
        u = Input(Number)
        enable = Input(Number, when=lambda block: block.gated)
        y = Output(Number, feedthrough=("u", "enable"))

    assert Gate().feedthrough("y") == ("u",)
    assert Gate(gated=True).feedthrough("y") == ("u", "enable")
