"""Finding a route: the search over the lattice, the fit, and what is checked of the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import distance_transform_edt

from blocks.environment.files.field_files import quantity
from blocks.errors import ParameterError
from blocks.routes.bends import Bends, Sampling
from blocks.routes.chart import Chart
from blocks.routes.edges import Array
from blocks.routes.fit import Fit
from blocks.routes.obstruction import explain, no_headway, no_room, too_near
from blocks.routes.passage import OBJECTIVES, Passage
from blocks.routes.route import Route
from blocks.routes.route_error import RouteError
from blocks.routes.search import Sea, best_way
from blocks.routes.stream import Current, Stream, stream_of
from blocks.routes.water import Lattice, Water, lattice
from blocks.routes.way import SPARE

Place = ArrayLike | Sequence[float | str]

_FINEST, _WIDEST = 1e-5, 100.0
"""Of the distance from start to goal: the least margin and the greatest turning radius."""
_WIDER = (1.0, 1.4, 2.0, 3.0)
"""Of the margin, the search keeps so much in turn, until the path that comes of it can be bent clear of everything."""
_TRIES = 5
_CLOSE = 1e-3
"""By this part of it a path may miss the margin."""
_FARTHEST = 3e5
"""From what is charted by latitude and longitude, m: further off, a chart that is laid out flat is not true."""
_NODE = 0.75
"""Of the step: a way over the lattice that keeps so far away cannot jump over a line."""


def find_route(
    chart: Chart,
    start: Place,
    goal: Place,
    *,
    speed: float | str,
    margin: float | str,
    turning_radius: float | str = 0.0,
    draught: float | str = 0.0,
    under_keel: float | str = 0.0,
    water_level: float | str = 0.0,
    depth: float | str = 0.0,
    current: Current | None = None,
    at: float | str = 0.0,
    objective: str = "time",
    propulsion_power: float | str = 0.0,
    hotel_power: float | str = 0.0,
    lowest_speed: float | str | None = None,
    start_course: float | str | None = None,
    goal_course: float | str | None = None,
    resolution: float | str | None = None,
    progress: Callable[[str], None] | None = None,
) -> Route:
    """The best route from start to goal that stays clear of what is charted, in a current.

    route = find_route(chart, [0, 0], [300, 120], speed="3 kn", margin="8 m", turning_radius="12 m", draught="0.4 m")

    start, goal: north and east, m, or latitude and longitude as text. speed: through the water, V. margin: the least
    distance from anything: half of the breadth, and what guidance, position and chart may be wrong by. turning_radius:
    the least one that the craft can steer in practice; `turning_radius(…)` finds it; 0: it turns on the spot. draught,
    under_keel, water_level: water counts as navigable where its charted depth + water_level ≥ draught + under_keel.
    depth: that an underwater craft goes at; its waypoints have it, and currents in layers are taken there. current: see
    `stream_of`; taken at the time `at`, s. objective: least "time", "energy" or "distance". propulsion_power: at that
    speed, W, going with its cube; hotel_power: W, whatever the speed; for least energy the speed is chosen between
    lowest_speed, a quarter of `speed` if not given, and `speed`. start_course, goal_course: of the path at its ends.
    resolution: between the nodes of the search, m. progress: is told what is being done.

    How: Dijkstra's algorithm over a lattice with 32 courses, each at what it costs there; then the fewest corners of
    that way, moved downhill with an arc at each, and the path checked against the chart itself, not the lattice. So the
    result is the best near the best way over the lattice. A passage narrower than twice the margin and one step may be
    missed: `resolution` makes steps smaller.

    Raises ParameterError for what is no number or out of range, and RouteError if there is no route, with the reason.

    Sources: Dijkstra (1959), A note on two problems in connexion with graphs, Numerische Mathematik 1; Dubins (1957),
    On curves of minimal length with a constraint on average curvature, American Journal of Mathematics 79; Zermelo
    (1931), Über das Navigationsproblem bei ruhender oder veränderlicher Windverteilung, ZAMM 11 (V_g of a course).
    """
    told = progress or (lambda words: None)
    if not isinstance(chart, Chart):
        raise ParameterError(f"chart must be a Chart, not {chart!r}; Chart.from_geojson reads one")
    if objective not in OBJECTIVES:
        raise ParameterError(
            f"objective must be one of {', '.join(OBJECTIVES)}, not {objective!r}",
            wrong=str(objective),
            valid=OBJECTIVES,
        )
    through = _positive(speed, "m/s", "speed")
    slowest = 0.25 * through if lowest_speed is None else _positive(lowest_speed, "m/s", "lowest_speed")
    if slowest > through:
        raise ParameterError(f"lowest_speed, {slowest:g} m/s, is above speed, {through:g} m/s")
    hotel, push = (
        _positive(value, "W", name, zero=True)
        for value, name in ((hotel_power, "hotel_power"), (propulsion_power, "propulsion_power"))
    )
    if objective == "energy" and push <= 0.0:
        raise ParameterError("for least energy, give propulsion_power, what propulsion takes at that speed, W")
    radius = _positive(turning_radius, "m", "turning_radius", zero=True)
    courses = [
        None if course is None else quantity(course, "rad", name)
        for course, name in ((start_course, "start_course"), (goal_course, "goal_course"))
    ]
    if radius <= 0.0 and courses != [None, None]:
        raise ParameterError("start_course and goal_course are for craft that have a turning_radius; this has none")
    below = quantity(depth, "m", "depth")
    need = (
        _positive(draught, "m", "draught", zero=True)
        + _positive(under_keel, "m", "under_keel", zero=True)
        - quantity(water_level, "m", "water_level")
        + max(below, 0.0)
    )
    keep = _positive(margin, "m", "margin")
    ends = np.array([chart.place(start), chart.place(goal)])
    away = float(np.hypot(*(ends[1] - ends[0])))
    if away < 1e-6:
        raise RouteError("start and goal are the same place")
    if keep < _FINEST * away:
        raise ParameterError(
            f"margin, {keep:g} m, is too small to be kept on a way of {away:.0f} m: take {_FINEST * away:.2g} m or more"
        )
    if radius > _WIDEST * away:
        raise ParameterError(
            f"turning_radius, {radius:g} m, is too large for a way of {away:.0f} m: {_WIDEST * away:.2g} m at most"
        )
    told("reading the chart")
    water = Water(chart, need)
    for name, end in zip(("start", "goal"), ends, strict=True):
        _check_near(name, end, water, chart)
        _check_end(name, end, water, keep)
    step = None if resolution is None else _positive(resolution, "m", "resolution")
    grid = lattice(water, ends, keep, radius, step)
    stream = stream_of(current, quantity(at, "s", "at"), below)
    passage = Passage(through, objective, hotel, push, slowest)
    finder = _Finder(water, grid, stream, passage, ends, keep, radius, courses[0], courses[1], below)
    return finder.found(told)


@dataclass(frozen=True)
class _Miss:
    """A path that cannot be gone along: by how much it comes too near, m, or infinite; and what is said of it."""

    short: float
    why: str


@dataclass(frozen=True)
class _Finder:
    water: Water
    grid: Lattice
    stream: Stream | None
    passage: Passage
    ends: Array
    margin: float
    radius: float
    start_course: float | None
    goal_course: float | None
    depth: float

    def found(self, told: Callable[[str], None]) -> Route:
        """The best route. Raises RouteError."""
        sea = self._sea()
        varied = bool(np.ptp(sea.north) > 1e-9 or np.ptp(sea.east) > 1e-9)
        misses: list[_Miss] = []
        last: Array | None = None
        for wider in _WIDER:
            told("searching the lattice")
            away = wider * max(self.margin, _NODE * self.grid.step)
            way = best_way(sea, self.ends[0], self.ends[1], away)
            if way is None and wider == 1.0:
                explain(sea, self.water, self.ends, self.margin, away)
            if way is None:
                break
            if last is not None and np.array_equal(way, last):
                continue
            last = way
            told("fitting the path")
            fits = [self._fitted(sea, bends, way, varied) for bends in self._bends()]
            routes = [fit for fit in fits if isinstance(fit, Route)]
            if routes:
                return min(routes, key=self._paid)
            misses += [fit for fit in fits if isinstance(fit, _Miss)]
        raise RouteError(min(misses, key=lambda miss: miss.short).why)

    def _paid(self, route: Route) -> float:
        total = {"time": route.time, "energy": route.energy, "distance": route.distance}
        return float(total[self.passage.objective][-1])

    def _sea(self) -> Sea:
        flat = np.zeros((int(np.prod(self.grid.shape)), 2))
        if self.stream is not None:
            wet = self.grid.clearance > 0.0  # on land it is that of the nearest water
            nearest = distance_transform_edt(~wet, return_distances=False, return_indices=True)
            there = self.stream(self.grid.nodes[wet.ravel()])
            number = np.cumsum(wet).reshape(wet.shape) - 1
            flat = there[number[tuple(nearest)].ravel()]
        north, east = (flat[:, i].reshape(self.grid.shape) for i in range(2))
        return Sea(self.grid, north, east, self.passage)

    def _bends(self) -> Iterator[Bends]:
        """To which sides the path may turn at its ends."""
        for start in (1, -1) if self.start_course is not None else (1,):
            for goal in (1, -1) if self.goal_course is not None else (1,):
                yield Bends(SPARE * self.radius, self.start_course, self.goal_course, start, goal)

    def _fitted(self, sea: Sea, bends: Bends, way: Array, varied: bool) -> Route | _Miss:
        """The path along a way, or by how much it misses."""
        aim, corners = self.margin, way
        costs, lengths = sea.leg_costs(way[:-1], way[1:], -np.inf), np.hypot(*np.diff(way, axis=0).T)
        held = np.isfinite(costs)
        per_step = self.grid.step * (float(costs[held].sum() / lengths[held].sum()) if held.any() else 1.0)
        for number in range(_TRIES):
            fit = Fit(sea, bends, aim, varied, per_step)
            corners = fit.again(corners) if number else fit.best(corners)
            made = self._route(corners, bends)
            miss = self._miss(made)
            if miss is None:
                return made
            if not np.isfinite(miss.short):
                break
            aim += 1.3 * miss.short
        assert miss is not None
        return miss

    def _miss(self, route: Route) -> _Miss | None:
        """What keeps a craft from going along a path; None if nothing does."""
        if self.radius > 0.0 and route.bends.pieces(route.corners[None]).spare.min() < -1e-6 * route.bends.radius:
            return _Miss(np.inf, no_room(self.radius))
        if not np.isfinite(route.time[-1]):
            k = int(np.argmin(np.isfinite(route.time)))
            return _Miss(np.inf, no_headway(route.place[k], self.passage.speed))
        places, clearance = route.place, route.clearance
        if self.radius > 0.0:  # the curve that is followed, which keeps within a hair of it
            curve = route.dubins_path()
            if abs(float(curve.length) - route.length) > 0.02 * route.length + 0.1 * self.radius:
                return _Miss(np.inf, no_room(self.radius))
            count = int(min(max(200, 8.0 * route.length / min(self.margin, self.radius)), 20_000))
            places = curve.points(count)[:, :2]
            clearance = self.water.clearance(places)
        k = int(np.argmin(clearance))
        least = min(float(clearance[k]), route.least_clearance)
        if least >= self.margin * (1.0 - _CLOSE):
            return None
        return _Miss(self.margin - least, too_near(self.radius, self.margin, least, places[k], self.water))

    def _route(self, corners: Array, bends: Bends) -> Route:
        pieces = bends.pieces(corners[None])
        # steps so short that nothing is missed between two of them that would count
        step = min(0.25 * self.margin, 0.5 * self.grid.step)
        sampling = Sampling.every(pieces, bends.radius, step)
        samples, order = sampling.of(pieces, bends.radius), _in_order(sampling, bends)
        place, ahead, length = samples.place[0][order], samples.course[0][order], samples.length[0][order]
        flow = np.zeros_like(place) if self.stream is None else self.stream(place)
        rates = self.passage.rates(ahead, flow[:, 0], flow[:, 1])
        place = np.vstack([corners[:1], place, corners[-1:]])
        course = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
        course = np.concatenate([course[:1], course, course[-1:]])
        distance, time, energy = (
            _to_middles(rate * length) for rate in (np.ones_like(length), rates.time, rates.energy)
        )
        speed = np.concatenate([rates.speed[:1], rates.speed, rates.speed[-1:]])
        return Route(
            corners, bends, place, course, distance, time, energy, speed, self.water.clearance(place), self.depth,
            self.radius, self.margin, self.passage.objective, self.water, self.stream,
        )  # fmt: skip


def _to_middles(parts: Array) -> Array:
    """The sum to the middle of each part, with the beginning and the end of all."""
    ends = np.concatenate([[0.0], np.cumsum(parts)])
    return np.concatenate([[0.0], ends[:-1] + 0.5 * parts, ends[-1:]])


def _in_order(sampling: Sampling, bends: Bends) -> np.ndarray:
    """The order along the path of samples that come lines first, then arcs."""
    lines, arcs = sampling.lines, sampling.arcs
    inner = len(lines) - 1
    line_at = np.split(np.arange(lines.sum()), np.cumsum(lines)[:-1])
    if not arcs.sum():
        return np.concatenate(line_at)
    arc_at = np.split(lines.sum() + np.arange(arcs.sum()), np.cumsum(arcs)[:-1])
    first = [arc_at[inner]] if bends.start is not None else []
    last = [arc_at[inner + len(first)]] if bends.goal is not None else []
    middle = [part for i in range(inner) for part in (line_at[i], arc_at[i])]
    return np.concatenate([*first, *middle, line_at[-1], *last])


def _positive(value: float | str, unit: str, name: str, *, zero: bool = False) -> float:
    number = quantity(value, unit, name)
    if number < 0.0 or (number == 0.0 and not zero):
        raise ParameterError(f"{name} must be {'≥' if zero else '>'} 0 {unit}, not {number:g} {unit}")
    return number


def _check_end(name: str, end: Array, water: Water, margin: float) -> None:
    """Raise RouteError if the craft cannot be there."""
    at = f"the {name}, north {end[0]:.5g} m, east {end[1]:.5g} m,"
    if where := water.why(end):
        need = f"; the craft needs {water.depth:.3g} m" if "deep" in where else ""
        raise RouteError(f"{at} is {where}{need}")
    clearance = float(water.clearance(end[None])[0])
    if clearance < margin * (1.0 - 1e-9):
        raise RouteError(
            f"{at} is {clearance:.3g} m from {water.nearest(end)}, and margin is {margin:g} m: move it away by "
            f"{margin - clearance:.2g} m, or make the margin smaller"
        )


def _check_near(name: str, end: Array, water: Water, chart: Chart) -> None:
    """Raise RouteError if a place on the Earth is so far from its chart that one of them must be wrong."""
    away = float(water.clearance(end[None])[0])
    if chart.origin is not None and _FARTHEST < away < np.inf:
        raise RouteError(
            f"the {name} is {away / 1e3:.4g} km from all that is charted: are latitude and longitude swapped? Places "
            "of routes have latitude first, GeoJSON has longitude first"
        )
