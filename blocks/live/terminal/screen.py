"""The picture of a run in real time on a terminal."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from blocks.live.terminal.knobs import Knob
from blocks.live.terminal.sparkline import sparkline
from blocks.realtime.readings import Reading
from blocks.run.timing import milliseconds

if TYPE_CHECKING:
    from blocks.realtime.loop import RealTime

_FEWEST, _WIDEST = 12, 60
"""Columns of a sparkline; where there are fewer it is left out."""
_VALUE, _SPAN = 9, 20
"""Columns of a value, and of the least and the greatest one."""


@dataclass
class Shown:
    """What there is to see of a run."""

    realtime: RealTime
    title: str
    readings: list[Reading]
    history: list[deque[float]]
    knobs: list[Knob]
    chosen: int = 0
    """The knob that keys change."""
    typed: str | None = None
    """What has been typed of a new value; None where none is."""
    said: str = ""
    """What was wrong with the last key."""
    refused: str = ""
    """What was wrong with the last thing that a source refused."""


class Screen:
    """What is shown at this moment, in so many lines."""

    def __init__(self, shown: Shown, height: int) -> None:
        self.shown, self.height = shown, height

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield self._head()
        if self.shown.refused:
            yield Text(f" {self.shown.refused}", "yellow", no_wrap=True, overflow="ellipsis")
        room = max(self.height - 7 - bool(self.shown.refused), 2)
        signals = min(len(self.shown.readings), max(room - min(len(self.shown.knobs), room // 3), 1))
        yield Rule("signals, and their last minute", align="left", style="dim")
        yield self._signals(signals, options.max_width)
        yield Rule(self._knobs_title(), align="left", style="dim")
        yield self._knobs(room - signals)
        yield self._foot()

    def _head(self) -> RenderableType:
        loop = self.shown.realtime
        timing = loop.timing()
        state, style = ("paused", "black on yellow") if loop.paused else ("running", "black on green")
        head = Text(no_wrap=True, overflow="ellipsis")
        head.append(f" {state} ", style)
        head.append(f"  {_clock(timing.end)}  ", "bold")
        wanted = f"×{timing.factor:g}" if timing.factor else "free"
        head.append(f"{wanted} (is ×{timing.achieved:.3g})  load {timing.load:.0%}")
        if self.shown.title:
            head.append(f"   {self.shown.title}", "dim")
        late = Text(no_wrap=True, overflow="ellipsis")
        late.append(
            f" late {milliseconds(loop.late)} now, {milliseconds(timing.lateness_median)} half of the turns, "
            f"{milliseconds(timing.lateness_99)} 99 %, {milliseconds(timing.lateness_greatest)} at most; "
            f"{timing.turns} turns, "
        )
        late.append(f"{timing.overruns} overruns", "bold red" if timing.overruns else "")
        table = Table.grid()
        table.add_row(head)
        table.add_row(late)
        return table

    def _signals(self, most: int, width: int) -> RenderableType:
        shown = self.shown
        table = Table.grid(padding=(0, 2, 0, 1))
        table.add_column(style="cyan", no_wrap=True)
        table.add_column(justify="right", no_wrap=True, min_width=_VALUE)
        table.add_column(no_wrap=True)
        names = max((len(reading.name) for reading in shown.readings), default=0)
        units = max((len(reading.text) for reading in shown.readings), default=0)
        columns = min(width - names - units - _VALUE - _SPAN - 5 * 3, _WIDEST)
        if columns >= _FEWEST:
            table.add_column(style="green", no_wrap=True)
            table.add_column(style="dim", no_wrap=True)
        for reading, values in list(zip(shown.readings, shown.history, strict=True))[:most]:
            row: list[Text | str] = [Text(reading.name), f"{reading.value():.4g}", reading.text]
            if columns >= _FEWEST:
                past = list(values)
                every = math.ceil(len(past) / columns) if past else 1
                row += [sparkline(past[::-every][::-1]), f"{min(past):.3g} … {max(past):.3g}" if past else ""]
            table.add_row(*row)
        return table

    def _knobs_title(self) -> str:
        shown = self.shown
        return (
            f"inputs and parameters, {shown.chosen + 1} of {len(shown.knobs)}" if shown.knobs else "nothing to change"
        )

    def _knobs(self, most: int) -> RenderableType:
        shown = self.shown
        table = Table.grid(padding=(0, 2, 0, 1))
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True, min_width=9)
        table.add_column(no_wrap=True)
        table.add_column(style="dim", no_wrap=True)
        first = max(min(shown.chosen - most // 2, len(shown.knobs) - most), 0)
        for number, knob in list(enumerate(shown.knobs))[first : first + most]:
            value = f"{knob.reading.value():.6g}"
            if number == shown.chosen and shown.typed is not None:
                value = f"{shown.typed}▏"
            was = knob.start * knob.reading.factor
            note = "" if abs(was - knob.reading.value()) <= 1e-12 * abs(was) else f"was {was:.6g}"
            style = "reverse" if number == shown.chosen else ""
            table.add_row(Text(knob.name), Text(value), knob.reading.text, note, style=style)
        return table

    def _foot(self) -> RenderableType:
        shown = self.shown
        if shown.said:
            return Text(f" {shown.said}", "bold red")
        if shown.typed is not None:
            return Text(' a number, or one with its unit ("0.4 kn");  Enter: take it  Esc: leave it', "dim")
        return Text(
            " space: pause  s: step  +/-: faster, slower  ↑ ↓: choose  ← →: change  Enter: type  0: as it was  q: quit",
            "dim",
            no_wrap=True,
            overflow="ellipsis",
        )


def _clock(t: float) -> str:
    """A simulated time for people."""
    if abs(t) < 60.0:
        return f"{t:.2f} s"
    minutes, seconds = divmod(t, 60.0)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours:d}:{minutes:02d}:{seconds:04.1f}" if hours else f"{minutes:d}:{seconds:04.1f} min"
