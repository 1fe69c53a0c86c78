"""Routing: elements arrive where they should, and a switch switches at its instant."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.basic import Clock, Constant, Demux, Mux, Ramp, Selector, Sine, Switch
from blocks.errors import ParameterError, WiringError
from blocks.simulation import simulate


def test_mux_puts_signals_one_after_the_other():
    y = Mux([1, 3, 2]).evaluate(in1=1.0, in2=[2.0, 3.0, 4.0], in3=[5.0, 6.0]).outputs["y"]
    np.testing.assert_array_equal(y, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


def test_demux_undoes_a_mux(wired):
    widths = [2, 1, 3]
    parts = {"in1": [1.0, 2.0], "in2": 3.0, "in3": [4.0, 5.0, 6.0]}
    diagram = wired(Mux(widths), **{name: Constant(value) for name, value in parts.items()})
    diagram.add("demux", Demux(widths))
    diagram.connect("block.y", "demux.u")
    result = simulate(diagram, 0.1)
    for i, value in enumerate(parts.values()):
        np.testing.assert_array_equal(result.values(f"demux.out{i + 1}")[-1], value)


def test_widths_have_to_fit(wired):
    with pytest.raises(WiringError, match=r"block\.in2.*shapes 3 and 2 differ"):
        simulate(wired(Mux([1, 2]), in1=Constant(1.0), in2=Constant([1.0, 2.0, 3.0])), 0.1)


def test_selector_picks_in_any_order():
    y = Selector([2, 0, 0, 1]).evaluate(u=[10.0, 11.0, 12.0]).outputs["y"]
    np.testing.assert_array_equal(y, [12.0, 10.0, 10.0, 11.0])
    assert Selector(1).evaluate(u=[10.0, 11.0]).outputs["y"] == 11.0


def test_selector_without_such_an_element_is_refused(wired):
    with pytest.raises(ParameterError, match=r"block\.indices asks for element 3, but block\.u has 3 elements"):
        simulate(wired(Selector([0, 3]), u=Constant([1.0, 2.0, 3.0])), 0.1)


@pytest.mark.parametrize(
    ("criterion", "control", "expected"), [(">=", 2.0, 1.0), (">", 2.0, -1.0), (">", 2.1, 1.0), (">=", 1.9, -1.0)]
)
def test_switch_passes_one_of_two(criterion, control, expected):
    block = Switch(threshold=2.0, criterion=criterion)
    y = block.evaluate(u1=[1.0, 10.0], control=control, u2=[-1.0, -10.0]).outputs["y"]
    np.testing.assert_array_equal(y, [expected, 10.0 * expected])


def test_switch_follows_its_control_in_a_run(response):
    t, y = response(Switch(0.0), u1=Clock(), control=Sine(), u2=Constant(-1.0), end=10.0, step=0.1)
    np.testing.assert_array_equal(y, np.where(np.sin(t) >= 0.0, t, -1.0))


@pytest.mark.parametrize("criterion", [">=", ">"])
@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_switching_is_located_both_ways(integral, criterion, direction):
    # The control is exactly at the threshold where the event is found, which must not hide the switching.
    area = integral(
        Switch(direction * 0.5, criterion=criterion),
        1.0,
        u1=Constant(1.0),
        control=Ramp(direction),
        u2=Constant(3.0),
        solver="dopri5",
        step=1.0,
    )
    assert area == pytest.approx(2.0, abs=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Mux(3), r"Mux\.widths must be an array with the number of elements of each part, such as \[1, 3\]"),
        (lambda: Mux([1, 0]), r"Mux\.widths\[1\] must be ≥ 1 and ≤ 1000000, not 0"),
        (lambda: Demux([1.5]), r"Demux\.widths must be a whole number"),
        (lambda: Selector([0, -1]), r"Selector\.indices\[1\] must be ≥ 0, not -1"),
        (lambda: Switch(criterion="<"), r"Switch\.criterion must be one of '>=', '>', not '<'"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
