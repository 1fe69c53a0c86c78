"""What is legal and improbable in a scenario, as warnings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from blocks.block import Block
from blocks.checking.memory import available_memory
from blocks.model.improbable import angles_beyond_a_turn
from blocks.plan import Plan
from blocks.plan.flatten import Flat, Leaf
from blocks.plan.unit_flow import unit_warnings
from blocks.problems import Problem
from blocks.replacement import Replacement
from blocks.run.recording import choose
from blocks.scenario import Scenario
from blocks.scenario.places import item_of
from blocks.yaml.locating import with_mend
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document

_MOST_ANGLES = 8
"""Of one parameter beyond a turn, each with a line of its own; of more the first stands for all."""


def warnings_of(scenario: Scenario, plan: Plan, document: Document) -> tuple[Problem, ...]:
    """All warnings, in the order of the file."""
    found = [
        *_values(scenario, plan.flat, document),
        *_open_inputs(plan.flat, document),
        *(document.problem(one, item_of(document, one.block, one.port)) for one in unit_warnings(plan.flat)),
        *_run(scenario, plan, document),
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda problem: (problem.line or 0, problem.column or 0)))


def _values(scenario: Scenario, flat: Flat, document: Document) -> Iterator[Problem]:
    """Parameters: angles that look like degrees, and what the blocks find improbable."""
    for leaf in flat.leaves:
        place = item_of(document, leaf.name)
        item = (*place, "parameters")
        written = scenario.notation.get(cast(Block, leaf.block)) or {}
        for problem in leaf.block.improbable():
            own = place if problem.within is not None else (*item, problem.parameter)
            yield document.problem(replace(problem, block=leaf.name), own, key=own not in document)
        known = leaf.block.all_parameters()
        for name, (given, value) in written.items():
            unit = _unit_of_sink(flat, leaf) if name in leaf.block.levels else known[name].unit
            yield from _angles(document, (*item, name), f"{leaf.name}.{name}", unit, given, value)
    inputs = scenario.diagram.input_ports
    for name, given in scenario.settings.get("inputs", {}).items():
        if isinstance(given, (int, float, list)) and name in inputs:
            unit = inputs[name].signal.unit
            yield from _angles(document, ("run", "inputs", name), f"the input {name}", unit, given, given)


def _unit_of_sink(flat: Flat, source: Leaf) -> str | tuple[str, ...] | None:
    """The unit of the first input that reads a source and has one."""
    for leaf in flat.leaves:
        for name, feed in flat.feeds[leaf].items():
            if feed.block is source and leaf.inputs[name].signal.unit is not None:
                return leaf.inputs[name].signal.unit
    return None


def _angles(
    document: Document, item: ItemPath, what: str, unit: str | tuple[str, ...] | None, given: Any, value: Any
) -> Iterator[Problem]:
    numbers = [(place, _element(given, place)) for place in angles_beyond_a_turn(unit, value)]
    plain = [(place, number) for place, number in numbers if isinstance(number, (int, float))]
    shown = plain if len(plain) <= _MOST_ANGLES else plain[:1]
    for place, number in shown:
        where = "".join(f"[{i}]" for i in place)
        others = len(plain) - len(shown)
        yield _angle(document, (*item, *place), f"{what}{where}", number, others)


def _element(value: Any, place: tuple[int, ...]) -> Any:
    for i in place:
        if not isinstance(value, list) or i >= len(value):
            return value
        value = value[i]
    return value


def _angle(document: Document, item: ItemPath, what: str, value: float, others: int) -> Problem:
    """An angle of more than a turn. Parameters may be given with their unit; inputs are numbers in SI.

    others: how many more of a long table are, which are not shown.
    """
    block, _, parameter = what.partition("[")[0].rpartition(".")
    right = f"{value:g} deg" if block else f"{math.radians(value):.6g}"
    found = Problem(
        "warning",
        "angle-beyond-a-turn",
        f"{what} is {value:g} rad, more than a turn" + (f", as {others} others of the table" if others else ""),
        hint=f"if degrees are meant, write {right}" + (", and so for all of them" if others else ""),
        block=block,
        parameter=parameter if block else "",
    )
    problem = document.problem(found, item)
    spot = document.spot(item) if item in document else None
    if spot is None or others:
        return problem
    if block:
        right = f"{document.text[spot.value.start : spot.value.end]} deg"
    return with_mend(problem, document.text, f"write {right}", Replacement(spot.value, right))


def _open_inputs(flat: Flat, document: Document) -> Iterator[Problem]:
    """Inputs with a default that the block wants all the same with its parameters."""
    for leaf in flat.leaves:
        for name, port in leaf.inputs.items():
            if port.wanted is not None and name not in flat.feeds[leaf] and port.wanted(leaf.block):
                found = Problem(
                    "warning",
                    "open-input",
                    f"{leaf.name}.{name} is not connected, and is wanted with these parameters: {port.doc}",
                    hint=f"without a source it reads {port.default:g}" if isinstance(port.default, float) else "",
                    block=leaf.name,
                    port=name,
                )
                yield document.problem(found, item_of(document, leaf.name), key=True)


def _run(scenario: Scenario, plan: Plan, document: Document) -> Iterator[Problem]:
    """How the scenario is run: an end that is missing, and a recording that does not fit."""
    settings, run = plan.settings, ("run",)
    if settings.end == float("inf"):
        if not scenario.live and not scenario.environment:
            text = "'end' is missing under run: say when the run ends"
            item = (*run, "end") if "end" in scenario.settings else run
            yield document.problem(Problem("warning", "no-end", text), item, key=True)
        return
    places = choose(plan, scenario.settings.get("record"))
    every = scenario.settings.get("every", 1)
    rows = (settings.end - settings.start) / (settings.step * every)
    needed = rows * (sum(place.count for place in places.values()) + 1) * 8.0
    free = available_memory()
    if free is not None and needed > free:
        less = int(needed / free * every) + 1
        found = Problem(
            "warning",
            "large-recording",
            f"recording {sum(place.count for place in places.values())} numbers at {rows:.3g} points takes "
            f"{needed * 1e-9:.3g} GB, and {free * 1e-9:.3g} GB of memory are free",
            hint=f"record fewer outputs, or fewer points: every: {less}",
        )
        yield document.problem(found, run, key=True)
