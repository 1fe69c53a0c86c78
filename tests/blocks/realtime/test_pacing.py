"""Pacing against an injected clock: no drift, policies, pauses, what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks import Result, RunStopped, Simulator
from blocks.basic import Integrator
from blocks.diagram import Diagram
from blocks.errors import SimulationError
from blocks.live.recorder import Recorder
from blocks.realtime.lateness import Lateness
from blocks.realtime.loop import RealTime


class Clock:
    """A clock that only sleeping and working move; each sleep takes longer than it should, as on a real machine."""

    def __init__(self, now: float = 5e5, overshoot: float = 0.0) -> None:
        self.now, self.overshoot, self.slept = now, overshoot, 0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept += 1
        self.now += seconds + self.overshoot


def tank(**settings: object) -> Simulator:
    """A level that rises by 1 m/s."""
    diagram = Diagram("tank")
    level = diagram.add("level", Integrator())
    diagram.inputs(flow=level.u)
    return Simulator(diagram, **{"inputs": {"flow": 1.0}, "record": [], "step": 0.5} | settings)  # type: ignore[arg-type]


def paced(clock: Clock, simulator: Simulator, **options: object) -> RealTime:
    return RealTime(simulator, clock=clock, sleep=clock.sleep, **options)  # type: ignore[arg-type]


def test_a_day_does_not_drift() -> None:
    """24 h at 1.7 times real time: sleeps are 3 ms too long each, and the last turn is as late as the first."""
    clock, lates = Clock(overshoot=3e-3), []
    loop = paced(clock, tank(step=10.0), end="24 h", factor=1.7, sinks=[lambda simulator, t: lates.append(loop.late)])
    began = clock.now
    timing = loop.run()
    assert timing.turns == 8640
    assert clock.now - began == pytest.approx(86400 / 1.7 + 3e-3, abs=1e-6)
    assert lates[1] == pytest.approx(3e-3, abs=1e-9)
    assert lates[-1] == pytest.approx(3e-3, abs=1e-6)  # of a clock whose numbers have a resolution of 1e-10 s
    assert timing.achieved == pytest.approx(1.7, rel=1e-6)
    assert (timing.overruns, timing.skipped) == (0, 0.0)
    assert timing.lateness_median == pytest.approx(3e-3, rel=0.06)


def slow(clock: Clock, seconds: dict[float, float]) -> object:
    """A source whose work at some instants takes so many seconds."""

    def read(simulator: Simulator, t: float) -> None:
        clock.now += seconds.get(t, 0.0)

    return read


@pytest.mark.parametrize(("late", "ended", "overruns"), [("catch up", 10.0, 4), ("skip", 11.5, 1)])
def test_what_is_missed_is_caught_up_or_skipped(late: str, ended: float, overruns: int) -> None:
    """2.2 s of work in a turn of 0.5 s: caught up within four turns, or three whole turns go from the schedule."""
    clock, times = Clock(now=0.0), {}
    loop = paced(
        clock, tank(), end=10, late=late, sources=[slow(clock, {2.0: 2.2})],
        sinks=[lambda simulator, t: times.update({t: clock.now})],
    )  # fmt: skip
    timing = loop.run()
    assert clock.now == pytest.approx(ended)
    assert times[2.5] == pytest.approx(4.2)
    assert times[4.0] == pytest.approx(4.2 if late == "catch up" else 5.5)
    assert timing.skipped == pytest.approx(ended - 10.0)
    assert timing.lateness_greatest == pytest.approx(1.7)
    assert timing.overruns == overruns
    assert timing.work == pytest.approx(2.2)


def test_late_stop_ends_the_run_and_keeps_what_was_recorded() -> None:
    """A turn that is 1.7 s late with turns of 0.5 s; being 0.3 s late is no reason to stop."""
    clock = Clock()
    simulator = tank(record=None)
    loop = paced(clock, simulator, end=10, late="stop", sources=[slow(clock, {1.0: 0.8, 2.0: 2.2})])
    with pytest.raises(
        RunStopped, match=r"late by 1\.7 s at t = 2\.5 s, a turn \(0\.5 s\) or more, and late is 'stop'"
    ) as caught:
        loop.run()
    assert caught.value.result.values("level.y")[-1] == pytest.approx(2.5)
    assert caught.value.timing.status == "late"
    assert simulator.advance(0.5) == 3.0  # it can go on


def test_changing_the_factor_and_pausing_move_the_schedule_and_no_more() -> None:
    """4 s at real time, a pause with one turn by hand within it, then 5.5 s at ten times real time."""
    clock = Clock(now=0.0)

    class Hand:
        def attach(self, loop: RealTime) -> None:
            self.loop, self.waited = loop, 0

        def read(self, simulator: Simulator, t: float) -> None:
            if t == 4.0:
                self.loop.pause()

        def idle(self, simulator: Simulator) -> None:
            self.waited += self.loop.paused
            if self.waited == 40:  # 20 times a second, so after 2 s; the turn by hand takes 10 of them
                assert simulator.time == 4.0
                self.loop.step()
            elif self.waited == 80 and self.loop.paused:
                assert simulator.time == 4.5
                self.loop.factor = 10
                self.loop.resume()

    timing = paced(clock, tank(), end=10, sources=[Hand()]).run()
    assert timing.paused == pytest.approx(3.5, abs=0.11)
    assert clock.now == pytest.approx(4.0 + timing.paused + 0.5 + 5.5 / 10)
    assert timing.overruns == 0
    assert timing.lateness_greatest < 1e-9
    assert timing.achieved == pytest.approx(10 / (clock.now - timing.paused))


def test_a_reset_on_the_way_moves_the_schedule_too(tmp_path: Path) -> None:
    """Someone presses a button at 4 s: the run begins anew at once, and lasts its 10 s from there."""
    clock, simulator, path = Clock(now=0.0), tank(), tmp_path / "run.nc"
    pressed = []

    def button(simulator: Simulator, t: float) -> None:
        if t == 4.0 and not pressed:
            pressed.append(t)
            simulator.reset()

    timing = paced(clock, simulator, end=10, sources=[button], sinks=[Recorder(path, "level.y")]).run()
    assert clock.now == pytest.approx(14.0)
    assert (timing.overruns, timing.turns, timing.simulated, timing.end) == (0, 28, 14.0, 10.0)
    assert timing.achieved == pytest.approx(1.0)
    assert Result.load(path)["time"].values[[0, -1]] == pytest.approx([0.0, 10.0])


def test_the_fastest_of_all_waits_for_nothing() -> None:
    clock = Clock()
    timing = paced(clock, tank(), end=10, factor="free").run()
    assert (clock.slept, timing.turns, timing.lateness_greatest) == (0, 20, 0.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"factor": -1},
            "factor must be a number ≥ 0, times real time, where 0 or 'free' is as fast as it goes, not -1",
        ),
        ({"rate": "5 m"}, "rate: '5 m' is in m, but Hz is wanted"),
        ({"rate": 0}, "rate must be > 0 Hz, not 0"),
        ({"late": "catchup"}, "late: no policy 'catchup'; did you mean 'catch up'?"),
        ({"end": 0}, "end must be after the time that the simulator has reached, 0 s, not 0 s"),
    ],
)
def test_bad_options_say_what_is_wanted(options: dict[str, object], message: str) -> None:
    with pytest.raises(SimulationError) as caught:
        RealTime(tank(), **options)  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("step", "rate", "turns"), [(0.001, None, 50), (0.05, None, 20), (0.05, "10 Hz", 10), (0.1, 50, 10)]
)
def test_turns_are_whole_steps(step: float, rate: object, turns: int) -> None:
    """One second: every step up to 50 Hz, or the rate that was given, by whole steps."""
    timing = paced(Clock(), tank(step=step), end=1, rate=rate).run()
    assert timing.turns == turns
    assert timing.rate == pytest.approx(turns)


def test_turns_end_on_the_grid_of_steps_wherever_they_begin() -> None:
    simulator, times = tank(), []
    simulator.advance(0.2)
    paced(Clock(), simulator, end=2.7, rate=1, sinks=[lambda simulator, t: times.append(t)]).run()
    assert times == pytest.approx([0.2, 1.0, 2.0, 2.7])


def test_quantiles_of_lateness_are_within_a_bin() -> None:
    lateness = Lateness()
    for number in range(1, 1001):
        lateness.add(1e-6 * number)
    for share in (0.5, 0.99):
        assert 1.0 <= lateness.quantile(share) / (share * 1e-3) < 1.06
    assert lateness.greatest == lateness.quantile(1.0) == 1e-3
    assert Lateness().quantile(0.5) == 0.0
