"""A fleet in real time: it goes as by hand, from wherever it stands, as long as a vehicle can."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blocks import Diagram, Fleet
from blocks.basic import Compare, Constant, Integrator


def _fleet() -> Fleet:
    """Integrators that stop beyond 0.95, at rates from their input."""
    diagram = Diagram("boat")
    speed = diagram.add("speed", Integrator())
    full = diagram.add("full", Compare(">="))
    one = diagram.add("one", Constant(0.95))
    diagram.inputs(rate=speed.u)
    diagram.connect(speed.y, full.u1)
    diagram.connect(one.y, full.u2)
    return Fleet(diagram, 3, step=0.1, stop="full.y", inputs={"rate": [[1.0], [2.0], [5.0]]}, threads=1)


def test_it_goes_on_until_all_have_stopped() -> None:
    fleet = _fleet()
    seen: list[tuple[float, list[float]]] = []

    def look(run: Any, t: float) -> None:
        assert run.fleet is fleet
        seen.append((t, np.ravel(run["speed.y"]).round(9).tolist()))

    fleet.advance(0.1)
    timing = fleet.run_realtime(factor="free", rate=10, sinks=[look])
    assert seen[0] == (0.1, [0.1, 0.2, 0.5])
    assert seen[-1][1] == pytest.approx([1.0, 1.0, 1.0])
    assert timing.end == pytest.approx(1.0)
    assert fleet.stopped.all()


def test_others_may_begin_it_anew() -> None:
    fleet = _fleet()

    def again(run: Any, t: float) -> None:
        if t > 0.45 and len(times) < 6:
            run.reset()
        times.append(t)

    times: list[float] = []
    fleet.run_realtime(end=0.8, factor="free", rate=10, sources=[again])
    assert times == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
