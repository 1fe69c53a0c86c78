"""A run in real time on a terminal: what it shows and what its keys do."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live

from blocks.errors import KeelblocksError
from blocks.live.terminal.keys import Keys
from blocks.live.terminal.knobs import knobs
from blocks.live.terminal.screen import Screen, Shown
from blocks.realtime.cadence import Cadence
from blocks.realtime.readings import readings

if TYPE_CHECKING:
    from blocks.realtime.loop import RealTime
    from blocks.simulator import Simulator

_PERIOD = 0.1
"""Real time between two pictures, s."""
_HISTORY = round(60.0 / _PERIOD)
"""Values that are kept of each signal: those of a minute."""
_FACTORS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 0.0)
"""Through which + and - go; 0 is as fast as it goes."""


class View:
    """A sink that shows time, factor, lateness, signals and knobs, and does what its keys say."""

    def __init__(
        self,
        show: Iterable[str] | None = None,
        change: Iterable[str] | None = None,
        title: str = "",
        *,
        console: Console | None = None,
        keys: Keys | None = None,
    ) -> None:
        self.show = None if show is None else list(show)
        self.change = None if change is None else list(change)
        self.title = title
        self._console = console or Console(stderr=True, highlight=False)
        self._keys = keys or Keys()
        self._live: Live | None = None
        self._seen: float | None = None
        """The instant of the last values."""

    def attach(self, realtime: RealTime) -> None:
        """The loop that keys steer."""
        self.realtime = realtime
        self._cadence = Cadence(_PERIOD, realtime.clock)

    def open(self, simulator: Simulator) -> None:
        """Find signals and knobs, and take the screen."""
        self.simulator = simulator
        found = readings(simulator, self.show)
        past: list[deque[float]] = [deque(maxlen=_HISTORY) for _ in found]
        self.shown = Shown(self.realtime, self.title, found, past, knobs(simulator, self.change))
        self._keys.open()
        self._live = Live(console=self._console, screen=True, auto_refresh=False)
        self._live.start()

    def write(self, simulator: Simulator, t: float) -> None:
        """Keys and a new picture, if it is time."""
        self._cadence.draw(self._turn)

    def idle(self, simulator: Simulator) -> None:
        """Keys and a new picture while nothing goes on."""
        self._cadence.draw(self._turn, now=self._press())

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        self._keys.close()

    def _turn(self) -> None:
        self._press()
        if self._seen != self.simulator.time:
            self._take()
        for one in self.realtime.attached:
            if refused := getattr(one.item, "refused", 0):
                self.shown.refused = f"{one.name}: {refused} refused, the last: {one.item.reason}"
        if self._live is not None:
            self._live.update(Screen(self.shown, self._console.size.height), refresh=True)

    def _take(self) -> None:
        """The values of this instant."""
        self._seen = self.simulator.time
        for reading, values in zip(self.shown.readings, self.shown.history, strict=True):
            values.append(reading.value())

    # --- keys -------------------------------------------------------------------------------------------------------

    def _press(self) -> bool:
        """Do what the keys say; whether there were any."""
        keys = self._keys.pressed()
        for key in keys:
            self.shown.said = ""
            try:
                if self.shown.typed is None:
                    self._command(key)
                else:
                    self._type(key)
            except KeelblocksError as problem:
                self.shown.said = str(problem)
        return bool(keys)

    def _command(self, key: str) -> None:
        loop = self.realtime
        if key == "space":
            loop.paused = not loop.paused
        elif key == "s":
            loop.step()
        elif key == "q":
            loop.stop()
        elif key in "+-=":
            self._hurry(-1 if key == "-" else 1)
        elif key in ("up", "down", "page up", "page down"):
            by = {"up": -1, "down": 1, "page up": -10, "page down": 10}[key]
            self.shown.chosen = min(max(self.shown.chosen + by, 0), max(len(self.shown.knobs) - 1, 0))
        elif self.shown.knobs and key in ("left", "right"):
            self.shown.knobs[self.shown.chosen].nudge(self.simulator, 1 if key == "right" else -1)
        elif self.shown.knobs and key == "enter":
            self.shown.typed = ""
        elif self.shown.knobs and key in ("backspace", "0"):
            self.shown.knobs[self.shown.chosen].reset(self.simulator)

    def _type(self, key: str) -> None:
        assert self.shown.typed is not None
        if key == "escape":
            self.shown.typed = None
        elif key == "enter":
            text, self.shown.typed = self.shown.typed, None
            if text.strip():
                self.shown.knobs[self.shown.chosen].enter(self.simulator, text)
        elif key == "backspace":
            self.shown.typed = self.shown.typed[:-1]
        elif key == "space" or len(key) == 1:
            self.shown.typed += " " if key == "space" else key

    def _hurry(self, way: int) -> None:
        """The next factor up or down."""
        now = self.realtime.factor or float("inf")
        speeds = [factor or float("inf") for factor in _FACTORS]
        further = [speed for speed in speeds if (speed > now if way > 0 else speed < now)]
        if further:
            chosen = min(further) if way > 0 else max(further)
            self.realtime.factor = 0.0 if chosen == float("inf") else chosen
