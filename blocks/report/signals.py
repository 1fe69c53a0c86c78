"""Plots of whatever was recorded: a panel for each quantity and unit, a line for each element."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from blocks import style
from blocks.run.result import Result

_PREFIXED = ("N", "N*m", "W", "J", "Pa")
_SCALES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


@dataclass(frozen=True)
class Panel:
    """Some elements of a recorded quantity that have one unit."""

    name: str
    unit: str
    elements: tuple[int, ...]
    labels: tuple[str, ...]
    alone: bool
    """True if the quantity has no other panel."""

    @property
    def file_name(self) -> str:
        """The name of a file that shows this panel only."""
        text = self.name if self.alone else f"{self.name}_{self.unit}"
        return "".join(c if c.isalnum() or c in "._-" else "_" for c in text).strip("_")

    def draw(self, ax: Axes, result: Result) -> None:
        """Draw on these axes, angles in degrees and shaft speeds in rpm."""
        table = result.values(self.name.partition("[")[0]).reshape(len(result), -1)
        unit, factor = drawn_unit(self.unit, table[:, list(self.elements)])
        for number, (element, label) in enumerate(zip(self.elements, self.labels, strict=True)):
            colour = style.SERIES[number % len(style.SERIES)]
            ax.plot(result.time, factor * table[:, element], color=colour, label=label, linewidth=1.5)
        one = f"[{self.labels[0]}]" if len(self.labels) == 1 and self.labels[0] and "[" not in self.name else ""
        port = self.name.partition("[")[0].rpartition(".")[2].replace("_", " ")
        if len(self.labels) == 1 and self.labels[0].isidentifier():
            port = self.labels[0].replace("_", " ")
        ax.set_title(self.name + one, parse_math=False)
        ax.set(xlabel="time, s", ylabel=", ".join(part for part in (port, unit) if part))
        ax.set_xlim(result.time[0], result.time[-1])
        spread(ax)
        if len(self.elements) > 1:
            ax.legend(
                loc="best", ncols=2 if len(self.elements) > 3 else 1, frameon=True, framealpha=0.8, edgecolor="none"
            )


def drawn_unit(unit: str, values: NDArray[np.float64]) -> tuple[str, float]:
    """The unit in which values in SI are drawn, and by what they are multiplied: kN and MW where numbers are long."""
    drawn, factor = style.drawn_unit(unit)
    if unit not in _PREFIXED or not np.any(np.isfinite(values)):
        return drawn, factor
    greatest = float(np.max(np.abs(values[np.isfinite(values)])))
    scale, prefix = next(((s, p) for s, p in _SCALES if greatest >= 20.0 * s), (1.0, ""))
    return prefix + drawn, factor / scale


def spread(ax: Axes, least: float = 0.0) -> None:
    """Room above and below, and an axis that spans no less than this, or a hundredth of what it shows."""
    ax.margins(y=0.12)
    low, high = ax.get_ylim()
    wanted = max(least, 0.01 * max(abs(low), abs(high)))
    if high - low < wanted:
        middle = 0.5 * (low + high)
        ax.set_ylim(middle - 0.5 * wanted, middle + 0.5 * wanted)


def panels(result: Result, wanted: list[str] | None) -> list[Panel]:
    """The panels of the quantities that are named, or of what was recorded and changes.

    Raises ResultError, with the nearest name, if one was not recorded.
    """
    found: list[Panel] = []
    for name in wanted or list(result):
        found += _panels_of(result, name, everything=bool(wanted))
    return found


def _varying(table: NDArray[np.float64]) -> list[int]:
    """The columns that change, whatever in them is not a number."""
    if not len(table):
        return []
    return list(np.flatnonzero(np.fmax.reduce(table, axis=0) > np.fmin.reduce(table, axis=0)))


def _panels_of(result: Result, name: str, everything: bool) -> list[Panel]:
    bare, _, element = name.partition("[")
    chosen = result.values(name)
    units = result.element_units(bare)
    signal = result.places[bare].signal
    labels = signal.labels if signal is not None else ()
    if element:
        label = element.removesuffix("]")
        elements = [labels.index(label) if label in labels else int(label)]
    else:
        table = chosen.reshape(len(result), result.places[bare].count)
        elements = list(range(table.shape[1])) if everything else _varying(table)
    scalar = result.places[bare].count == 1
    by_unit: dict[str, list[int]] = {}
    for number in elements:
        by_unit.setdefault(units[number], []).append(number)
    return [
        Panel(
            name, unit, tuple(numbers),
            tuple("" if scalar else labels[n] if n < len(labels) else str(n) for n in numbers), len(by_unit) == 1,
        )
        for unit, numbers in by_unit.items()
    ]  # fmt: skip
