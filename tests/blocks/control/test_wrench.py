"""ComposeWrench: each component goes to its place, and what is not connected is 0."""

import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.control import PID, ComposeWrench


@pytest.mark.parametrize(("place", "component"), list(enumerate("XYZKMN")))
def test_each_component_has_its_place(place: int, component: str) -> None:
    wanted = [0.0] * 6
    wanted[place] = 2.5
    assert ComposeWrench().evaluate(**{component: 2.5}).outputs["force"].tolist() == wanted


def test_controllers_feed_it_and_the_rest_is_zero() -> None:
    diagram = Diagram()
    pid = diagram.add("surge", PID(3.0))
    wrench = diagram.add("wrench", ComposeWrench())
    for name, value in (("wanted", 2.0), ("measured", 0.5)):
        diagram.add(name, Constant(value))
    diagram.connect("wanted.y", pid.reference)
    diagram.connect("measured.y", pid.measurement)
    diagram.connect(pid.output, wrench.X)
    run = simulate(diagram, 0.1)
    assert run.values("wrench.force")[-1].tolist() == [4.5, 0.0, 0.0, 0.0, 0.0, 0.0]
