"""What is attached to a run: order of turns, names in messages, clean ends."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import RunInterrupted, RunStopped, Simulator, simulate
from blocks.basic import Function, Integrator
from blocks.diagram import Diagram
from blocks.errors import SimulationError


def tank() -> Diagram:
    diagram = Diagram("tank")
    level = diagram.add("level", Integrator())
    diagram.inputs(flow=level.u)
    return diagram


class Helm:
    """A controller in Python: fills to 1 m; what it saw, and what was written."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, float, float]] = []

    def open(self, simulator: Simulator) -> None:
        self.calls.append(("open", 0.0, 0.0))

    def read(self, simulator: Simulator, t: float) -> None:
        simulator["flow"] = 2.0 * (1.0 - simulator["level.y"])
        self.calls.append(("read", t, float(simulator["level.y"])))

    def write(self, simulator: Simulator, t: float) -> None:
        self.calls.append(("write", t, float(simulator["level.y"])))

    def close(self) -> None:
        self.calls.append(("close", 0.0, 0.0))


def test_a_controller_closes_the_loop_and_can_be_replayed_to_the_same_bits() -> None:
    """At each instant it sees the outputs of it; its inputs, held, give the run again."""
    simulator, helm = Simulator(tank(), step=0.01, inputs={"flow": 0.0}), Helm()
    timing = simulator.run_realtime(end=1, factor="free", rate=10, sources=[helm], sinks=[helm])
    assert timing.status == "end"
    assert [kind for kind, _, _ in helm.calls] == ["open", "read", "write", *["write", "read"] * 10, "close"]
    read = {t: level for kind, t, level in helm.calls if kind == "read"}
    assert read == {t: level for kind, t, level in helm.calls if kind == "write"}
    result = simulator.result()
    assert result.values("level.y")[-1] == pytest.approx(1.0 - 0.8**10)  # held for 0.1 s: 1 − y shrinks to 0.8
    flow = (np.array(list(read)), np.array([2.0 * (1.0 - level) for level in read.values()]), "hold")
    again = simulate(tank(), 1.0, step=0.01, inputs={"flow": flow})
    assert np.array_equal(again.values("level.y"), result.values("level.y"))


def test_a_source_may_give_what_the_run_cannot_start_without() -> None:
    simulator = Simulator(tank(), step=0.1)
    simulator.run_realtime(end=1, factor=0, sources=[lambda simulator, t: simulator.__setitem__("flow", 3.0)])
    assert float(simulator["level.y"]) == pytest.approx(3.0)


def fail(simulator: Simulator, t: float) -> None:
    if t > 0.55:
        raise OSError("no route to host")


def interrupt(simulator: Simulator, t: float) -> None:
    if t > 0.55:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("sink", "kind", "status", "message"),
    [
        (fail, RunStopped, "failed", "the sink 'boat' failed in write at t = 0.6 s: OSError: no route to host"),
        (interrupt, RunInterrupted, "interrupted", "interrupted at t = 0.6 s"),
    ],
)
def test_whatever_ends_a_run_what_was_recorded_is_kept_and_all_is_closed(
    sink: object, kind: type[RunStopped], status: str, message: str
) -> None:
    simulator, helm = Simulator(tank(), step=0.1, inputs={"flow": 1.0}), Helm()
    with pytest.raises(kind) as caught:
        simulator.run_realtime(end=1, factor=0, sinks={"helm": helm, "boat": sink})
    assert str(caught.value) == message
    assert (caught.value.result.status, caught.value.result.attributes["message"]) == (status, message)
    assert caught.value.result.values("level.y")[-1] == pytest.approx(0.6)
    assert (caught.value.timing.status, caught.value.timing.turns) == (status, 6)
    assert helm.calls[-1][0] == "close"
    assert simulator.run_realtime(end=1, factor=0).end == pytest.approx(1.0)  # and it can go on


def test_a_file_that_cannot_be_finished_is_told_besides_what_ended_the_run() -> None:
    class Full:
        def write(self, simulator: Simulator, t: float) -> None: ...

        def close(self) -> None:
            raise OSError("no space left on device")

    with pytest.raises(RunInterrupted) as caught:
        Simulator(tank(), step=0.1, inputs={"flow": 1.0}).run_realtime(factor=0, sinks=[Full(), interrupt])
    said = "interrupted at t = 0.6 s; the sink 'Full' failed in close: OSError: no space left on device"
    assert str(caught.value) == said


def test_a_diagram_that_fails_and_one_that_stops() -> None:
    blow_up = Diagram("blow_up")
    x = blow_up.add("x", Integrator(initial_x=1.0))
    square = blow_up.add("square", Function("square"))
    blow_up.connect(x.y, square.u)
    blow_up.connect(square.y, x.u)
    with pytest.raises(RunStopped, match=r"square: output y is not a finite number at t = 1\.02 s") as caught:
        Simulator(blow_up).run_realtime(factor=0)
    assert caught.value.timing.status == "failed"
    assert caught.value.result.time[-1] == pytest.approx(1.02)

    stopped = Simulator(blow_up, stop="x.y", step=0.01)
    stopped["x.initial_x"] = 0.4
    assert stopped.run_realtime(factor=0).status == "stopped"
    assert stopped.time == pytest.approx(0.5, abs=0.011)  # x = 1/(2.5 − t)


@pytest.mark.parametrize(
    ("attached", "message"),
    [
        ({"sinks": [3]}, "3 cannot be a sink: a function of (simulator, t), or an object with write(simulator, t)"),
        ({"sources": {"helm": Helm}}, "it is a class: attach an object of it, Helm(…)"),
        ({"sinks": {"log": lambda simulator, t: simulator["levle"]}}, "the sink 'log' at t = 0 s: nothing is called"),
    ],
)  # fmt: skip
def test_what_cannot_be_attached_says_why(attached: dict[str, object], message: str) -> None:
    with pytest.raises(SimulationError) as caught:
        Simulator(tank(), step=0.1, inputs={"flow": 1.0}).run_realtime(end=1, factor=0, **attached)
    assert message in str(caught.value)
