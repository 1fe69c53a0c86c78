"""A plot that follows a simulation: signals over time, and the track seen from above, in a notebook or a window."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from blocks.errors import SimulationError
from blocks.realtime.picture import picture_of, windowed
from blocks.realtime.readings import Reading, readings
from blocks.realtime.run import Readable
from blocks.realtime.turns import seconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_POINTS = 2000
"""Points that a line has at most; beyond, every second one goes."""


class LivePlot:
    """A plot that follows a simulator: a sink for `run_realtime`, or updated by hand after `advance`.

    In a notebook it is shown in the output of the cell in which the run goes on; elsewhere in a window, where
    matplotlib's backend has windows, and otherwise `figure` is drawn at the end only. Drawing takes at most about a
    fifth of the time; for a notebook it is done in a thread beside the run.

    signals: outputs, inputs or parameters, "vessel.eta[psi]", a panel for each unit and quantity; angles in degrees.
    track: a pose or position in NED whose first two elements are drawn seen from above.
    window: only the last so many seconds are shown; None: all, every second point where they become too many.
    """

    def __init__(
        self,
        simulator: Readable,
        signals: Iterable[str] = (),
        *,
        track: str | None = None,
        window: float | str | None = None,
        size: tuple[float, float] | None = None,
    ) -> None:
        self.window = None if window is None else seconds(window, "window")
        names = list(signals)
        self._readings = readings(simulator, names or (None if track is None else []))
        self._track = readings(simulator, [track])[:2] if track else []
        if len(self._track) == 1:
            raise SimulationError(f"track: a pose or a position, north and east first, is wanted, not '{track}'")
        self._simulator = simulator
        self._times: deque[float] = deque()
        self._values: list[deque[float]] = [deque() for _ in (*self._readings, *self._track)]
        self._stride, self._skipped = 1, 0
        self.figure, self._axes = self._drawn(size)
        self._picture = picture_of(self.figure)

    # --- as a sink --------------------------------------------------------------------------------------------------

    def open(self, simulator: Readable) -> None:
        """Raises SimulationError for a simulator that is another one."""
        if simulator is not self._simulator:
            raise SimulationError("this plot follows another simulator: take the live_plot(…) of the one that runs")

    def write(self, simulator: Readable, t: float) -> None:
        """Take the values at t, and draw if it is time."""
        self._take(t)
        self._picture.update(self._change)

    def idle(self, simulator: Readable) -> None:
        """Let a window live while the run is paused."""
        self._picture.update(self._change)

    def close(self) -> None:
        """The last picture."""
        self._picture.finish(self._change)

    def update(self) -> None:
        """Take the values of this instant and draw: for runs that are advanced by hand."""
        self._take(self._simulator.time)
        self._picture.finish(self._change)

    # --- values -----------------------------------------------------------------------------------------------------

    def _take(self, t: float) -> None:
        if self._times and t < self._times[-1]:  # it was reset, or restored
            for values in (self._times, *self._values):
                values.clear()
        self._skipped += 1
        if self._skipped < self._stride and self._times:
            return
        self._skipped = 0
        self._times.append(t)
        for reading, values in zip((*self._readings, *self._track), self._values, strict=True):
            values.append(reading.value())
        if self.window is not None:
            while self._times[0] < t - self.window:
                for values in (self._times, *self._values):
                    values.popleft()
        if len(self._times) > _POINTS:
            self._stride *= 2
            for values in (self._times, *self._values):
                kept = list(values)[::2]
                values.clear()
                values.extend(kept)

    # --- the picture ------------------------------------------------------------------------------------------------

    def _drawn(self, size: tuple[float, float] | None) -> tuple[Figure, list[tuple[Any, list[int], list[Any]]]]:
        """The figure, and for each axes the numbers of its readings and their lines."""
        import matplotlib.pyplot as plt

        from blocks import style

        panels = _panels(self._readings)
        columns = 2 if self._track and panels else 1
        rows = max(len(panels), 1)
        with plt.rc_context(style.SETTINGS):  # type: ignore[arg-type]
            height = max(2.1 * rows + 0.7, 4.0 if self._track else 0.0)
            figure = plt.figure(figsize=size or (6.0 * columns + 2.0, height))
            grid = figure.add_gridspec(rows, columns)
            found = []
            above: Any = None
            for row, (title, unit, numbers) in enumerate(panels):
                above = figure.add_subplot(grid[row, 0], sharex=above)
                lines = [
                    above.plot([], [], color=style.SERIES[i % len(style.SERIES)], label=self._readings[n].name)[0]
                    for i, n in enumerate(numbers)
                ]
                above.set(title=title, ylabel=unit)
                above.margins(y=0.12)
                if len(numbers) > 1:
                    above.legend([_element(self._readings[n].name) for n in numbers], ncols=3, **style.LEGEND)
                if row == rows - 1:
                    above.set_xlabel("time, s")
                else:
                    above.tick_params(labelbottom=False)
                found.append((above, numbers, lines))
            if self._track:
                plan = figure.add_subplot(grid[:, columns - 1])
                count = len(self._readings)
                lines = plan.plot([], [], color=style.ACTUAL) + plan.plot([], [], "o", color=style.REFERENCE)
                plan.set(title="track", xlabel="east, m", ylabel="north, m")
                plan.set_aspect("equal", adjustable="datalim")
                found.append((plan, [count + 1, count], lines))
            figure.set_layout_engine("constrained")
            if not windowed(figure):
                plt.close(figure)  # shown by us, and not once more by the notebook
        return figure, found

    def _change(self) -> None:
        """Let the figure have the values of now."""
        track = len(self._axes) - 1 if self._track else -1
        for number, (ax, chosen, lines) in enumerate(self._axes):
            if number == track:
                east, north = (self._values[n] for n in chosen)
                lines[0].set_data(list(east), list(north))
                lines[1].set_data(list(east)[-1:], list(north)[-1:])
            else:
                for line, n in zip(lines, chosen, strict=True):
                    line.set_data(list(self._times), list(self._values[n]))
            ax.relim()
            ax.autoscale_view()


def _panels(found: list[Reading]) -> list[tuple[str, str, list[int]]]:
    """Title, unit and numbers of the readings of each panel: elements of a quantity that have one unit are together."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number, reading in enumerate(found):
        groups.setdefault((reading.name.partition("[")[0], reading.text), []).append(number)
    return [(found[n[0]].name if len(n) == 1 else name, unit, n) for (name, unit), n in groups.items()]


def _element(name: str) -> str:
    return name.partition("[")[2].removesuffix("]") or name
