"""The members that are shown: which, and what they did, by running them once more with everything recorded."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.diagram import Diagram
from blocks.errors import KeelblocksError
from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.levels import Axis, axes_of
from blocks.lab.comparison.view import View
from blocks.plan.flatten import flatten
from blocks.report.mission import Parts, find_parts
from blocks.report.planned import Planned
from blocks.run.result import Result
from blocks.study import Metric, Outcome, Study
from blocks.study.variants import varied
from blocks.study.work import Worker

Array = NDArray[np.float64]

MOST_COLOURS, MOST_PANELS, MOST_REPEATS, MOST = 8, 6, 10, 48
"""Levels that have a colour, levels that have a panel, samples or replicates, and members that are shown at most."""

POINTS = 2000
"""About as many points of each member are drawn."""


@dataclass(frozen=True)
class Command:
    """What an actuator is told: the output that says it, and what its elements are called."""

    actuator: str
    output: str
    labels: tuple[str, ...]
    unit: str


@dataclass
class Run:
    """What a member did. `levels` says which level of each factor it has, by number."""

    member: int
    levels: dict[str, int]
    time: Array
    signals: dict[str, Array]
    parts: Parts
    commands: list[Command] = field(default_factory=list)
    planned: Planned | None = None

    def signal(self, part: str, name: str) -> Array | None:
        """An output of one of the parts, or None."""
        block = getattr(self.parts, part)
        return self.signals.get(f"{block}.{name}") if block else None


def parts_of(subject: Any, view: View) -> Parts:
    """The blocks that figures are about. Raises ComparisonError if `parts` names what is not there."""
    if not isinstance(subject, Diagram):
        return Parts()
    try:
        return find_parts(subject, view.parts)
    except KeelblocksError as problem:
        raise ComparisonError(f"parts: {str(problem).removeprefix('report: ')}") from None


def commands_of(subject: Any, parts: Parts) -> list[Command]:
    """What feeds inputs called `command`: of the thrusters, or of all blocks that have one."""
    if not isinstance(subject, Diagram):
        return []
    flat = flatten(subject)
    leaves = [leaf for leaf in flat.leaves if "command" in flat.feeds[leaf]]
    own = [leaf for leaf in leaves if leaf.name == parts.thrusters] or leaves
    found = []
    for leaf in own:
        feed, signal = flat.feeds[leaf]["command"], leaf.inputs["command"].signal
        if feed.block is not None and feed.start is None:
            unit = signal.unit if isinstance(signal.unit, str) else ""
            found.append(Command(leaf.name, f"{feed.block.name}.{feed.port}", signal.labels, unit))
    return found


def compared_axis(axes: Mapping[str, Axis], view: View) -> str | None:
    """The factor whose levels have a colour each."""
    return view.compare or next((name for name in axes if name != view.panels), None)


def panel_axis(axes: Mapping[str, Axis], view: View) -> str | None:
    """The factor whose levels have a panel each."""
    first = compared_axis(axes, view)
    if view.panels is not None:
        return view.panels if view.panels != first else None
    return _second(axes, first)


def _second(axes: Mapping[str, Axis], first: str | None) -> str | None:
    return next((name for name in axes if name != first), None)


def chosen(study: Study, view: View, outcome: Outcome) -> list[int]:
    """The numbers of the members that are shown, of those that ran to an end."""
    sound = [status in ("end", "stopped") for status in outcome.status]
    if view.members is not None:
        return [number for number in dict.fromkeys(view.members) if sound[number]]
    axes = axes_of(study)
    first = compared_axis(axes, view)
    second = panel_axis(axes, view)
    choices = []
    for name, count in study.members.dimensions.items():
        if name not in axes:
            choices.append(list(range(min(count, MOST_REPEATS))))
        elif name in view.levels:
            choices.append([axes[name].index(level) for level in view.levels[name]])
        else:
            most = MOST_COLOURS if name == first else MOST_PANELS if name == second else 1
            choices.append(_spread(count, most))
    shape, repeated = study.members.shape, [name not in axes for name in study.members.dimensions]
    places = sorted(
        itertools.product(*choices), key=lambda place: sum(n for n, own in zip(place, repeated, strict=True) if own)
    )
    members = [int(np.ravel_multi_index(place, shape)) if shape else 0 for place in places]
    return [number for number in members if sound[number]][:MOST]


def _spread(count: int, most: int) -> list[int]:
    """At most so many of them, from the first to the last."""
    if most == 1:
        return [0]
    return sorted(set(np.linspace(0, count - 1, min(count, most)).round().astype(int).tolist()))


class _RecordingMetric:
    """A metric that keeps the results it is computed from."""

    def __init__(self) -> None:
        self.results: list[tuple[Array, dict[str, Array]]] = []

    def __call__(self, result: Result) -> float:
        self.results.append((result.time.copy(), {name: result.values(name).copy() for name in result}))
        return 0.0


def watch(study: Study, make: Callable[..., Study], view: View, outcome: Outcome) -> list[Run]:
    """Run the members that are shown once more, with everything recorded."""
    numbers = chosen(study, view, outcome)
    if not numbers:
        return []
    settings = study.cases[0].plan.settings
    every = max(1, math.floor((settings.end - settings.start) / settings.step / POINTS))
    seen = _RecordingMetric()
    watched = make({"seen": Metric(seen, needs="*")}, {"every": every})
    worker = Worker([case.program for case in watched.cases])
    wanted = np.zeros(len(study), dtype=np.bool_)
    wanted[numbers] = True
    runs = []
    axes = axes_of(study)
    for place, case in enumerate(watched.cases):
        for task in case.tasks(place, wanted, 1):
            seen.results.clear()
            worker.run(task, lambda: False)
            if seen.results:
                runs.append(_run(watched, int(task.members[0]), axes, view, seen.results[0]))
    return sorted(runs, key=lambda run: run.member)


def _run(study: Study, member: int, axes: Mapping[str, Axis], view: View, seen: Any) -> Run:
    which = np.array([member], dtype=np.int64)
    time, signals = seen
    subject = _subject(study, which)
    parts = parts_of(subject, view)
    run = Run(
        member, {name: int(study.members.along(name, which)[0]) for name in axes}, time, signals, parts,
        commands_of(subject, parts),
    )  # fmt: skip
    if parts.guidance is not None:
        run.planned = Planned.of(subject.blocks()[parts.guidance])
    return run


def _subject(study: Study, which: NDArray[np.int64]) -> Any:
    """The diagram of one member, for its waypoints and its parts."""
    changes: dict[str, Any] = {}
    for factor, column in zip(study.factors, study.columns, strict=True):
        code = int(study.members.codes(factor, which)[0])
        if factor.distribution is None:
            changes |= factor.levels[code].changes
        else:
            changes |= dict.fromkeys(factor.targets, float(column.values[code]))
    ports = study.diagram.input_ports
    rest = {name: value for name, value in changes.items() if name not in ports}
    return varied(study.diagram, rest, f"member {which[0]}")


def objectives_of(view: View, metrics: Mapping[str, Any]) -> tuple[str, str] | None:
    """The two metrics of the Pareto front: a cross-track error, or the first of an error, and an energy."""
    if view.objectives is not None:
        first, second = view.objectives
        return first, second

    def of(word: str) -> str | None:
        own = [name for name, metric in metrics.items() if any(word in signal for signal in metric.signals)]
        return own[0] if own else None

    error, energy = of("cross_track_error") or of("error"), of("energy")
    return (error, energy) if error and energy and error != energy else None
