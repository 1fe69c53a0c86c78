"""What a terminal shows of a run, and what its keys do; keys by a pseudo-terminal, as a person presses them."""

from __future__ import annotations

import io
import os
import sys

import pytest
from rich.console import Console

from blocks import Simulator
from blocks.basic import Integrator
from blocks.control import PID
from blocks.diagram import Diagram
from blocks.live.terminal import terminal
from blocks.live.terminal.keys import Keys, names
from blocks.live.terminal.lines import Lines
from blocks.live.terminal.sparkline import sparkline
from blocks.live.terminal.view import View
from blocks.realtime.loop import RealTime

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of Unix")


def ship() -> Simulator:
    """A heading that follows a reference by a P controller."""
    diagram = Diagram("ship")
    control = diagram.add("control", PID(kp=0.5, angle=True, derivative="none"))
    heading = diagram.add("heading", Integrator())
    diagram.inputs(course=control.reference)
    diagram.connect(control.output, heading.u)
    diagram.connect(heading.y, control.measurement)
    return Simulator(diagram, step=0.1, inputs={"course": 0.0})


class Person:
    """Presses keys on a terminal while time goes on; what the screen shows then is kept."""

    def __init__(self, simulator: Simulator, size: tuple[int, int] = (100, 20), **options: object) -> None:
        self.master, self.slave = pty.openpty()
        self.out = io.StringIO()
        console = Console(file=self.out, force_terminal=True, width=size[0], height=size[1], color_system=None)
        self.simulator = simulator
        self.view = View(console=console, keys=Keys(self.slave), title="A ship", **options)
        self.loop = RealTime(simulator, end=100, sinks=[self.view], clock=lambda: self.now, sleep=self.sleep)
        self.now = 0.0
        self.script: list[tuple[float, str]] = []
        self.seen: list[str] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.script and self.now > self.script[0][0]:
            self.seen.append(self.out.getvalue().rpartition("\x1b[H")[2])
            os.write(self.master, self.script.pop(0)[1].encode())

    def press(self, *script: tuple[float, str]) -> object:
        """Press keys at real times; how the run went."""
        self.script = list(script)
        try:
            return self.loop.run()
        finally:
            os.close(self.master)
            os.close(self.slave)


def test_keys_pause_step_hurry_change_and_quit() -> None:
    person = Person(ship(), show=["heading.y"], change=["course", "control.kp"])
    timing = person.press(
        (1.0, " "),  # a pause of 2 s, with two turns in it
        (2.0, "s"),
        (2.5, "s"),
        (3.0, " "),
        (4.0, "++"),  # five times real time
        (5.0, "\r10\r"),  # 10 degrees, the unit that is shown
        (6.0, "\x1b[B\x1b[C\x1b[C"),  # down to the gain, and up by 0.01 twice
        (7.0, "-"),
        (8.0, "q"),
    )
    assert timing.status == "asked"
    assert timing.paused == pytest.approx(1.9, abs=0.2)
    assert person.loop.factor == 2.0
    assert person.simulator["course"].item() == pytest.approx(0.17453292519943295)
    assert person.simulator["control.kp"].item() == pytest.approx(0.52)
    assert timing.end == pytest.approx(1.0 + 0.2 + 1.0 + 3 * 5 + 2, abs=0.5)
    shown = person.seen[7]
    assert "running" in shown
    assert "×5" in shown
    assert "control.kp" in shown
    assert "was 0.5" in shown
    assert any("paused" in text for text in person.seen[1:4])
    assert "heading.y" in shown
    assert "▁" in shown


def test_a_value_that_cannot_be_says_why_and_the_run_goes_on() -> None:
    person = Person(ship(), change=["control.filter_coefficient", "course"])
    person.press(
        (1.0, "\r-3\r"),
        (1.5, "\x1b[B\r5 kn\r"),
        (2.0, "\rnan\r"),
        (2.5, "\r40\x1b"),
        (3.0, "\r30 deg\r"),
        (4.0, "0"),
        (5.0, "q"),
    )
    said = "".join(person.seen)
    assert "control.filter_coefficient must be > 0" in said
    assert "'5 kn' is in kn, but rad is wanted" in said
    assert "course must be a finite number, not nan" in said
    assert "was 0" in person.seen[5]  # 30 degrees, and then what it was
    assert person.simulator["course"].item() == 0.0
    assert person.simulator.time == pytest.approx(5.0, abs=0.2)


@pytest.mark.parametrize("size", [(40, 5), (20, 2), (200, 60)])
def test_it_fits_any_terminal(size: tuple[int, int]) -> None:
    person = Person(ship(), size)
    person.press((0.5, "\x1b[6~\x1b[5~xyz\x1b[99~é"), (1.0, "q"))
    assert person.loop.turns == 11


def test_the_terminal_is_left_as_it_was() -> None:
    import termios

    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    keys = Keys(slave)
    keys.open()
    assert termios.tcgetattr(slave) != before
    keys.close()
    keys.close()
    assert termios.tcgetattr(slave) == before
    os.close(slave)
    os.close(master)


def test_keys_have_names_and_others_are_left_out() -> None:
    pressed = list(names("a \x1b[A\x1bOB\x1b[1;5C\x1b[200~\t\x7f\r\x1b"))
    assert pressed == ["a", "space", "up", "down", "backspace", "enter", "escape"]


def test_sparklines_go_from_the_least_to_the_greatest() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert sparkline([5, float("nan"), 5]) == "▁ ▁"
    assert sparkline([]) == ""


def test_without_a_terminal_there_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    view = terminal(["heading.y", "course"])
    assert isinstance(view, Lines)
    view.file = io.StringIO()
    simulator = ship()
    simulator["course"] = 0.5
    simulator.run_realtime(end=1, factor="free", sinks=[view])
    assert view.file.getvalue() == "t = 0.0 s  ×0  heading.y = 0  course = 28.65 deg\n"
