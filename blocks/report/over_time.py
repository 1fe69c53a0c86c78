"""Figures of signals over time that are asked for by name, pattern or scope."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass, replace

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from blocks import style
from blocks.basic.scope import Scope
from blocks.errors import shown
from blocks.plan.flatten import Feed
from blocks.plan.sizes import Sized, sizes_as_they_are
from blocks.report.page import RunFigure
from blocks.report.points import points_of
from blocks.report.ran import HasBlocks, flat_of, ran
from blocks.report.signal_figure import Drawn, signals_figure
from blocks.report.signals import Panel, drawn_unit, panels, spread
from blocks.run.result import Result, ResultError

_MOST_LINES = 16


@dataclass(frozen=True)
class Line:
    """One number over time: where it was recorded, which element it is, what it is called, and its unit."""

    name: str
    element: int
    label: str
    unit: str


@dataclass(frozen=True)
class Shared:
    """Lines of one unit on the same axes."""

    title: str
    lines: tuple[Line, ...]
    limits: tuple[float, float] | None = None

    @property
    def unit(self) -> str:
        """That of all lines, in SI."""
        return self.lines[0].unit

    def draw(self, ax: Axes, result: Result) -> None:
        """Draw on these axes, angles in degrees and shaft speeds in rpm."""
        drawn = [result.values(line.name).reshape(len(result), -1)[:, line.element] for line in self.lines]
        unit, factor = drawn_unit(self.unit, np.array(drawn))
        for number, (line, values) in enumerate(zip(self.lines, drawn, strict=True)):
            colour = style.SERIES[number % len(style.SERIES)]
            dashes = ("-", "--", ":")[number // len(style.SERIES) % 3]
            ax.plot(result.time, factor * values, dashes, color=colour, label=line.label, linewidth=1.5)
        title = self.title or (self.lines[0].label if len(self.lines) == 1 else "")
        ax.set_title(title, parse_math=False)
        ax.set(xlabel="time, s", ylabel=unit)
        ax.set_xlim(result.time[0], result.time[-1])
        spread(ax)
        if self.limits:
            ax.set_ylim(factor * self.limits[0], factor * self.limits[1])
        if len(self.lines) > 1:
            # above the axes, where it covers nothing, if it fits there
            letters = sum(len(line.label) + 5 for line in self.lines) + 1.2 * len(title)
            place = style.LEGEND | {"ncols": len(self.lines)} if letters < 52 else {"loc": "best", "framealpha": 0.8}
            ax.legend(**{"edgecolor": "none", "frameon": letters >= 52, **place})


def figure(
    result: Result, asked: Sequence[str | Sequence[str]], title: str, since: float | None, until: float | None
) -> RunFigure:
    """See `Result.plot`."""
    if len(result) < 2:
        raise ResultError(f"a plot over time wants two recorded points or more; this result has {len(result)}")
    known = ran(result)
    scopes = scopes_of(known) if known is not None else {}
    found: list[Drawn] = []
    named: list[str] = []
    for one in asked or list(scopes):
        if not isinstance(one, (str, list, tuple)) or not one:
            raise ResultError(
                f"plot takes names of signals, such as 'vessel.eta' or 'vessel.*', or lists of names, not {shown(one)}"
            )
        if known is not None and isinstance(one, str) and one in scopes:
            found += scope_panels(result, known, one)
        elif isinstance(one, str) and not set("*?") & set(one) and f"{one}.*" not in _blocks(result):
            named.append(one)
        else:
            names = [one] if isinstance(one, str) else list(one)
            found += _shared(result, names) if not isinstance(one, str) else _each(result, one)
    found = [*_shared(result, named), *found]
    if not asked and not scopes:
        found = [*panels(result, None)]
        if not found:
            raise ResultError("nothing that was recorded changes; name what is to be drawn: result.plot('vessel.eta')")
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        return signals_figure(_between(result, since, until), found, title)


def _between(result: Result, since: float | None, until: float | None) -> Result:
    """The part of a result that is shown."""
    first = 0 if since is None else int(np.searchsorted(result.time, since))
    last = len(result) if until is None else int(np.searchsorted(result.time, until, side="right"))
    if last - first < 2:
        raise ResultError(
            f"a plot over time wants two recorded points or more, and there are {max(last - first, 0)} from since to "
            f"until: the result goes from {result.time[0]:g} to {result.time[-1]:g} s"
        )
    return points_of(result, slice(first, last))


def scopes_of(component: HasBlocks) -> dict[str, Scope]:
    """The scopes of a diagram, by name."""
    return {name: block for name, block in component.blocks().items() if isinstance(block, Scope)}


def scope_figure(result: Result, component: HasBlocks, name: str) -> RunFigure | None:
    """The figure of one scope, if it was recorded; the style is that of whoever calls."""
    if f"{name}.y" not in result or len(result) < 2:
        return None
    title = scopes_of(component)[name].title or name.rpartition(".")[2].replace("_", " ")
    return signals_figure(result, scope_panels(result, component, name), title)


def scope_panels(result: Result, component: HasBlocks, name: str) -> list[Shared]:
    """The panels of a scope: of each input one for each unit, or of all inputs together."""
    scope = scopes_of(component)[name]
    source = f"{name}.y"
    result.values(source)  # says if it was not recorded
    flat = flat_of(component)
    (leaf,) = [leaf for leaf in flat.leaves if leaf.name == name]
    sized = flat if isinstance(flat, Sized) else sizes_as_they_are(flat)
    given, widths = scope.names(), [sized.width(leaf, port.signal) for port in leaf.inputs.values()]
    first, groups = 0, []
    for number, width in enumerate(widths):
        called, labels, units = _shown(result, flat.feeds[leaf].get(f"in{number + 1}"), number + 1, width)
        if len(given) == len(widths):
            called = given[number]
        full = [called if width == 1 else f"{called}[{label}]" for label in labels]
        if len(given) == sum(widths) != len(widths):
            full = labels = given[first : first + width]
        short = full if scope.together or width == 1 else labels
        groups.append((called, [Line(source, first + i, short[i], units[i]) for i in range(width)]))
        first += width
    if scope.together:
        groups = [("", [line for _, lines in groups for line in lines])]
    low, high = (float(limit) for limit in scope.limits)
    made = [part for called, lines in groups for part in _by_unit(lines, called)]
    return [replace(part, limits=(low, high)) if low < high else part for part in made]


def _shown(result: Result, feed: Feed | None, number: int, width: int) -> tuple[str, list[str], list[str]]:
    """What an input of a scope is called, its elements, and their units: those of where it comes from."""
    plain = [str(i) for i in range(width)]
    if feed is None or result.ran is None:
        return f"in{number}", plain, ["1"] * width
    plan, taken = result.ran.plan, slice(feed.start, feed.stop)
    if feed.block is None:
        called, place = feed.port, plan.inputs[feed.port]
    else:
        called, place = (
            f"{feed.block.name.rpartition('.')[2]}.{feed.port}",
            plan.outputs[f"{feed.block.name}.{feed.port}"],
        )
    units = list(place.unit if isinstance(place.unit, tuple) else (place.unit or "1",) * place.count)[taken]
    own = list(place.signal.labels)[taken] if place.signal is not None else []
    labels = own if len(own) == width else plain
    if feed.start is not None and width == 1:
        called = f"{called}[{labels[0] if own else feed.start}]"
    return called, labels, units


def _by_unit(lines: Sequence[Line], title: str) -> list[Shared]:
    """Panels for lines, one for each unit, in the order in which units occur."""
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line.unit, []).append(line)
    return [
        Shared(title, tuple(part[first : first + _MOST_LINES]))
        for part in found.values()
        for first in range(0, len(part), _MOST_LINES)
    ]


def _shared(result: Result, names: Sequence[str]) -> list[Shared]:
    """What is named in full, and what patterns of a list find, with a panel for each unit."""
    lines: list[Line] = []
    for name in names:
        if not isinstance(name, str):
            raise ResultError(f"plot takes names of signals, or lists of names, not {shown(name)}")
        for one in _matching(result, name) if set("*?") & set(name.partition("[")[0]) else [name]:
            values = result.values(one)  # raises with near misses
            bare, _, element = one.partition("[")
            units, labels = result.element_units(bare), result.labels(bare)
            if element:
                label = element.removesuffix("]")
                number = labels.index(label) if label in labels else int(label)
                lines.append(Line(bare, number, one, units[number]))
            else:
                count = int(np.size(values[0])) if len(values) else 0
                every = [f"{bare}[{labels[i] if labels else i}]" if values.ndim > 1 else bare for i in range(count)]
                lines += [Line(bare, i, every[i], units[i]) for i in range(count)]
    if len({line.name for line in lines}) == 1 and len(lines) > 1:
        short = [line.label.partition("[")[2].removesuffix("]") or line.label for line in lines]
        return _by_unit([replace(line, label=label) for line, label in zip(lines, short, strict=True)], lines[0].name)
    return _by_unit(lines, "")


def _each(result: Result, pattern: str) -> list[Panel]:
    """A panel for each quantity and unit that a pattern finds; the name of a block means all that it has."""
    if f"{pattern}.*" in _blocks(result):
        pattern = f"{pattern}.*"
    found = _matching(result, pattern)
    changing = panels(result, None)
    return [panel for panel in changing if panel.name in found] or panels(result, found)


def _matching(result: Result, pattern: str) -> list[str]:
    bare, bracket, element = pattern.partition("[")
    found = fnmatch.filter(list(result), bare)
    if not found:
        raise ResultError(f"nothing that was recorded is called '{pattern}'", wrong=pattern, valid=list(result))
    label = element.removesuffix("]")
    having = [name + bracket + element for name in found if not element or label in _any(result, name)]
    if not having:
        valid = [one for name in found for one in result.labels(name)]
        raise ResultError(f"nothing that '{bare}' finds has an element '{label}'", wrong=label, valid=valid)
    return having


def _any(result: Result, name: str) -> list[str]:
    count = len(result.element_units(name))
    return [*result.labels(name), *map(str, range(count))]


def _blocks(result: Result) -> set[str]:
    """Patterns for all outputs of a block or of the diagram that it is in."""
    return {f"{name[:at]}.*" for name in result for at, letter in enumerate(name) if letter == "."}
