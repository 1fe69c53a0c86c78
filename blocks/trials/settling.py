"""Modes settle at an instant."""

from __future__ import annotations

from blocks.plan.kernel import kernel_functions
from blocks.trials.circumstances import driven, equal
from blocks.trials.samples import Sample

_INSTANTS = 4


def check_settling(sample: Sample) -> None:
    """With the same time, inputs and states a second update finds nothing left to do, in a block without a period."""
    block = sample()
    if block.sampled or not kernel_functions(block)["update"]:
        return
    plan = driven(sample, block).plan(step=0.05)
    part = slice(plan.regions.z, plan.regions.hits)
    for k in range(_INSTANTS):
        engine = plan.engine()
        engine.start(0.1 * k)
        engine.advance(0.1 * k + 0.35)
        t = engine.time
        for _ in range(2):
            engine.look(t)
            engine.update(t)
        settled = engine.values[part].copy()
        engine.look(t)
        engine.update(t)
        found = engine.values[part].copy()
        plan.close(engine)
        if not equal(found, settled):
            raise sample.fault(
                f"its update changes the discrete states at t = {t:g} s again and again ({settled}, then {found}): at "
                f"the same time, inputs and states a second one must change nothing; one that counts needs a period"
            )
