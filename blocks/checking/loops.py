"""Loops that are unstable where the scenario is under way, or nearly so, as warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from blocks.errors import KeelblocksError
from blocks.lab.design import Look, look
from blocks.lab.design.swings import confirmed, swings_of
from blocks.problems import Problem
from blocks.run.result import Result
from blocks.scenario import Scenario
from blocks.scenario.places import item_of
from blocks.yaml.reading import Document, read, read_text


def loop_warnings(scenario: Scenario, document: Document) -> tuple[Problem, ...]:
    """What is the matter with the loops of a scenario. Nothing where that cannot be judged.

    It is run for a while, at most as long as its run is, and linearized where it is under way.
    """
    found = _looked(scenario)
    problems = () if found is None else (*_too_fast(found), *(_problems(found, document.file) if found.trusted else ()))
    return _placed(document, problems)


def stop_causes(scenario: Scenario, time: float) -> tuple[Problem, ...]:
    """Why a run that had to stop at a time, s, may have had to: a mode that grew, or too long a step."""
    found = _looked(scenario, time)
    document = _document(scenario)
    if found is None:
        return ()
    problems = [*_too_fast(found)] or [one for one in _problems(found, document.file) if one.code == "unstable-loop"]
    return _placed(document, problems)


def divergence(scenario: Scenario, result: Result) -> tuple[Problem, ...]:
    """That a run came to its end with numbers that cannot be, and why that may be. Nothing of others."""
    grown = result.attributes.get("diverged")
    if not grown:
        return ()
    causes = stop_causes(scenario, float(result.time[-1])) if len(result) > 1 else ()
    hint = "" if causes else "take a smaller step, or look at the gains: keelblocks lab design"
    told = Problem("warning", "diverged", f"the result cannot be trusted: {grown}", hint=hint)
    return (told, *causes)


def oscillations(scenario: Scenario, result: Result) -> tuple[Problem, ...]:
    """Errors of controllers that went on swinging in a run, and the loop that does it."""
    swings = swings_of(result)
    found = _looked(scenario) if swings else None
    if found is None or not found.trusted:
        return ()
    document, problems = _document(scenario), []
    for swing in sorted(swings, key=lambda one: one.start - one.end):
        loop = confirmed(swing, found)
        if loop is not None:
            phase = found.margins[loop].phase
            bears = "" if phase is None or found.unstable else f", with a phase margin of {np.degrees(phase):.0f}°"
            text = f"{swing}: the loop of {loop} does that{bears}"
            problem = Problem("warning", "oscillation", text, hint=_hint(document.file))
            problems.append(_at(found, loop, problem))
    return _placed(document, problems[:1])


def _looked(scenario: Scenario, end: float | None = None) -> Look | None:
    try:
        with np.errstate(all="ignore"):
            found = look(scenario, end=end)
            if found is not None:
                _ = found.modes, found.margins
            return found
    except (KeelblocksError, ArithmeticError, ValueError, np.linalg.LinAlgError):  # what has no linear system
        return None


def _placed(document: Document, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(document.problem(one, item_of(document, one.block), key=True) for one in problems)


def _document(scenario: Scenario) -> Document:
    if scenario.path is not None and scenario.path.is_file():
        return read(read_text(scenario.path, "a scenario"), str(scenario.path))
    return Document(scenario.name, "", {})


def _hint(file: str) -> str:
    return f"keelblocks lab design {file} looks at all loops and proposes gains"


def _too_fast(found: Look) -> Iterator[Problem]:
    if (fast := found.too_fast()) is not None:
        mode, step = fast
        text = (
            f"{found.solver} with a step of {found.step:g} s cannot follow {mode.name}, which fades with a time "
            f"constant of {mode.time_constant:.2g} s: the numbers swing on or grow instead"
        )
        block = mode.states[0].rpartition(".")[0]
        yield Problem("warning", "step-too-long", text, hint=f"take a step of {step:.2g} s or less", block=block)


def _problems(found: Look, file: str) -> Iterator[Problem]:
    hint = _hint(file)
    if found.unstable:
        mode = found.unstable[0]
        loop = mode.acting[0] if mode.acting else found.weakest() or next(iter(found.margins))
        yield _at(found, loop, Problem("warning", "unstable-loop", found.say(mode), hint=hint))
        return
    for name in found.weak:
        phase, at = found.margins[name].phase or 0.0, found.margins[name].phase_at or 0.0
        what = "steers too hard for what follows it" if found.steers(name) else "rings"
        text = (
            f"the loop of {name} has a phase margin of {np.degrees(phase):.0f}° {found.at()}: it {what}, "
            f"at about {at:.2g} rad/s"
        )
        yield _at(found, name, Problem("warning", "small-phase-margin", text, hint=hint))


def _at(found: Look, name: str, problem: Problem) -> Problem:
    channel = next(one for one in found.open_loops.channels if one.name == name)
    return replace(problem, block=channel.block, port=channel.output.rpartition(".")[2])
