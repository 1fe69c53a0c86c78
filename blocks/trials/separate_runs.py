"""Runs share nothing, and a state can be saved anywhere."""

from __future__ import annotations

from typing import Any

from blocks.run.failure import explain
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample

_STOPS = (0.1, 0.37, 0.8)
_MEND = "all that it keeps from one call to the next is to be a State(…)"


def check_separate_runs(sample: Sample) -> None:
    """Two runs in turns, a restart and a restored state give the same bits as one run in one go."""
    for solver in ("rk4", "dopri5"):
        _check(sample, solver)


def _check(sample: Sample, solver: str) -> None:
    plan = driven(sample).plan(step=0.04, solver=solver)
    whole, one, other = plan.engine(), plan.engine(), plan.engine()

    def bits(engine: Any) -> bytes:
        kept: bytes = engine.values[: plan.regions.dx].tobytes()
        return kept

    def go(engine: Any, status: int) -> None:
        if status:
            raise sample.fault(explain(plan, engine, status))

    go(whole, whole.start(0.0))
    go(one, one.start(0.0))
    go(other, other.start(0.2))
    for t in _STOPS:
        go(whole, whole.advance(t))
        go(one, one.advance(t))
        other.advance(0.2 + 0.7 * t)
        if bits(one) != bits(whole):
            raise sample.fault(f"a run is another one beside other runs, at t = {t:g} s with {solver}: {_MEND}")
        saved = one.save()
        one.advance(t + 0.11)
        one.restore(saved)
    one.start(0.0)
    for t in _STOPS:
        one.advance(t)
    if bits(one) != bits(whole):
        raise sample.fault(f"a run that is begun again is another one, with {solver}: {_MEND}")
    other.restore(saved)
    if bits(other) != bits(whole):
        raise sample.fault(f"another run does not go on from a saved state, with {solver}: {_MEND}")
    for engine in (whole, one, other):
        plan.close(engine)
