"""What is far too large, long or deep is refused with a short message, in Python as in a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from blocks import Diagram, Output, PythonBlock, Signal, simulate
from blocks.basic import Constant, Demux, Gain, Integrator, MinMax
from blocks.errors import KeelblocksError, ParameterError, WiringError
from blocks.model.diagram import DEEPEST
from blocks.scenario import Scenario


def nested(depth: int) -> Diagram:
    """Diagrams in one another, the outermost among them."""
    diagram = Diagram("x")
    diagram.add("c", Constant(1.0))
    diagram.outputs(y="c.y")
    for _ in range(depth - 1):
        outer = Diagram("x")
        outer.add("d", diagram)
        outer.outputs(y="d.y")
        diagram = outer
    return diagram


def test_diagrams_are_nested_as_deep_as_a_file_can_be() -> None:
    deepest = Scenario(nested(DEEPEST), "deep", settings={"end": 1.0, "step": 0.5})
    assert len(Scenario.from_text(deepest.to_yaml()).run()) == 3
    with pytest.raises(WiringError, match=r"cannot hold .*: diagrams nest 32 deep at most; add what"):
        nested(DEEPEST + 1)


def test_a_long_algebraic_loop_is_told_briefly() -> None:
    diagram = Diagram()
    for i in range(1500):
        diagram.add(f"g{i}", Gain(1.0))
    for i in range(1500):
        diagram.connect(f"g{i}.y", f"g{(i + 1) % 1500}.u")
    with pytest.raises(
        WiringError, match=r"algebraic loop: g0.y → g1.u → .* → … 1488 more … → .* → g0.y; each"
    ) as caught:
        diagram.plan(step=0.1, end=1.0)
    assert len(str(caught.value)) < 600


class Wide(PythonBlock):
    """More numbers than there is memory."""

    y = Output(Signal("wide", (10**18,)))


def deep_list() -> Any:
    value: list[Any] = []
    for _ in range(5000):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Constant(value=10**400), "Constant.value must be "),
        (lambda: Constant(value="9" * 5000), "it has 5000 characters, and 120 is the most"),
        (lambda: Constant(value=deep_list()), "Constant.value must be "),
        (lambda: Diagram().add("x" * 5000, Constant(1.0)), "the name of a component has 5000 characters, and 200 is"),
        (lambda: MinMax(count=10**18), "MinMax.count must be ≥ 2 and ≤ 1000, not 1e+18"),
        (lambda: Demux(widths=[10**18]), "Demux.widths[0] must be ≥ 1 and ≤ 1000000, not 1e+18"),
        (lambda: simulate(Wide(), 1.0), "hold 1e+18 numbers, and 1e+08 is the most; those of wide alone are 1e+18"),
        (lambda: simulate(Integrator(), 1e300, inputs={"u": 1.0}), "needs 2.4e+294 GB"),
        (lambda: simulate(Integrator(), 10**400, inputs={"u": 1.0}), "end must be "),
        (lambda: simulate(Integrator(), 1.0, step=1e-300, inputs={"u": 1.0}), "needs 2.4e+292 GB"),
        (lambda: simulate(Integrator(), 1.0, every=10**400, inputs={"u": 1.0}), "every must be "),
        (lambda: simulate(Integrator(), 1.0, inputs={"u": 10**400}), "input 'u' must be "),
        (lambda: simulate(Integrator(), 1.0, record=["x" * 10**5], inputs={"u": 1.0}), "characters) …"),
    ],
)  # fmt: skip
def test_what_is_out_of_all_proportion_is_refused_briefly(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(KeelblocksError) as caught:
        make()
    assert message in str(caught.value)
    assert len(str(caught.value)) < 2200


def test_messages_are_bounded_in_lines_and_in_length() -> None:
    said = str(ParameterError("\n".join(["x" * 5000] * 1000)))
    assert said.count("\n") == 100
    assert said.endswith("\n… and 900 more lines")
    assert said.startswith("x" * 1333 + " … (3000 characters) … " + "x" * 667 + "\n")
