"""A run by the engine and the same compiled: what is equal, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks import Block, Diagram, Result, RunStopped, Scenario, simulate
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample


def results(subject: Diagram | Block | Scenario, *end: Any, **how: Any) -> tuple[Result, Result]:
    """What comes of it by the engine, and compiled; also where it has to stop."""
    found = []
    for compiled in (False, True):
        try:
            run = subject.run if isinstance(subject, Scenario) else lambda *a, **k: simulate(subject, *a, **k)
            found.append(run(*end, compiled=compiled, **how))
        except RunStopped as problem:
            found.append(problem.result)
    return found[0], found[1]


def assert_same(one: Result, other: Result) -> None:
    """All recorded numbers, their times, how the run ended and what it says of that."""
    assert list(one) == list(other)
    assert one.time.tobytes() == other.time.tobytes()
    for name in one:
        assert one.values(name).tobytes() == other.values(name).tobytes(), name
    for key in ("status", "message", "end", "steps", "evaluations", "plan"):
        assert one.attributes[key] == other.attributes[key], key


def assert_compiled_is_same(subject: Diagram | Block | Scenario, *end: Any, **how: Any) -> Result:
    """A run is equal compiled; the result of that."""
    engine, compiled = results(subject, *end, **how)
    assert compiled.compiled.startswith("compiled: ")
    assert_same(engine, compiled)
    assert np.isfinite(compiled.time).all()
    return compiled


def together(samples: list[Sample]) -> Diagram:
    """Blocks side by side, each with a sine on every input: one plan takes less time to compile than one for each."""
    whole = Diagram("together")
    for number, sample in enumerate(samples):
        whole.add(f"d{number}", driven(sample))
    return whole
