"""Loop by loop: gains from each frequency response, from the fastest loop to the slowest and round again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from blocks.lab.design.gains import rounded
from blocks.lab.design.look import Look
from blocks.lab.design.modes import UNSTABLE
from blocks.lab.design.open_loops import OpenLoops
from blocks.lab.design.rig import Rig
from blocks.lab.design.robustness import disk_margin
from blocks.lab.design.shaping import DISK, good, knobs_of, shaped, values_of

_ROUNDS = 2
_LOOKAHEADS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0)
_INTEGRALS = (1.0, 0.5, 0.25)
_LESS = 0.9
"""Margins of other loops that are smaller by this factor are worse."""
_LESS_STEERING = 0.6


def by_shaping(
    rig: Rig, before: Look, chosen: list[str], asked: Mapping[str, float], phase: float, *, everything: bool
) -> dict[str, str]:
    """Give the rig better gains, loop by loop; why others are kept."""
    kept: dict[str, str] = {}
    limit = bearable(before)
    names = [one.name for one in before.open_loops.channels]
    ranked = sorted(chosen, key=lambda name: (before.steers(name), -(before.margins[name].crossover or 0.0)))
    for turn in range(_ROUNDS):
        for name in ranked:
            channel = names.index(name)
            now = rig.loops(before.moment)
            assert now is not None
            best = score(now, channel, phase, limit)
            wanted = asked.get(name) if turn == 0 else None
            calm = best[0] or not any(name in mode.acting for mode in before.unstable)
            if good(now.margins(channel), phase) and calm and wanted is None and not (everything and turn == 0):
                kept.setdefault(name, "bears enough as it is")
                continue
            kept.pop(name, None)
            knobs = knobs_of(rig, now, channel)
            if knobs is None and wanted is not None:
                kept[name] = "has no gain that sets a crossover: the one that is asked for is left out"
            if knobs is None and stretched(rig, before, channel, phase, limit):
                continue
            if knobs is None:
                kept.setdefault(name, "has no gain of its own that is a number")
                continue
            own = values_of(rig, knobs.names)
            best_gains, others = own, _others(now, channel)
            for gains in shaped(rig, before.moment, channel, knobs, phase, wanted):
                rig.set(gains)
                tried = rig.loops(before.moment)
                reached = (False, -np.inf) if tried is None else score(tried, channel, phase, limit)
                better = reached > best if reached[0] or best[0] else reached[1] > 0.5 * best[1]
                if best[0] and tried is not None and not _kept_up(others, _others(tried, channel)):
                    continue  # what it gains another one would lose
                if better or (wanted is not None and reached[0] and best_gains is own):
                    best, best_gains = reached, gains
                    if reached[1] >= 1.0:
                        break
            rig.set(best_gains)
            if best_gains is own:
                at = "" if wanted is None else f" with a crossover of {wanted:g} rad/s"
                kept[name] = f"no gains were found that bear more{at}"
    return kept


def bearable(before: Look) -> float:
    """By what the closed loop may grow, 1/s: what no loop acts on does so with all gains."""
    return float(max([UNSTABLE, *(1.1 * mode.value.real for mode in before.modes if not mode.acting)]))


def score(loops: OpenLoops, channel: int, phase: float, limit: float) -> tuple[bool, float]:
    """Whether the closed loop is stable, and how near the margins of one loop are to what is wanted: 1 is enough.

    limit: what may grow, 1/s, as no loop acts on it."""
    kept = [i for i in range(len(loops.closed)) if i not in loops.drifting]
    growth = float(np.linalg.eigvals(loops.closed[np.ix_(kept, kept)]).real.max(initial=-np.inf))
    margins = loops.margins(channel)
    enough = min(1.0, margins.disk / DISK, (margins.phase or np.pi) / phase)
    if growth > limit:
        return False, -growth
    return True, 1.0 if good(margins, phase) else min(enough, 0.99)


def _others(loops: OpenLoops, channel: int) -> dict[int, tuple[float, float]]:
    """Disk margins of the other loops, as far as they count, and what part of each is to be left.

    Of guidance, which comes later and then has its turn, less.
    """
    return {
        k: (min(DISK, disk_margin(loops.loops([k]))), _LESS_STEERING if loops.channels[k].steers else _LESS)
        for k in loops.looped
        if k != channel
    }


def _kept_up(before: Mapping[int, tuple[float, float]], after: Mapping[int, tuple[float, float]]) -> bool:
    return all(k not in after or after[k][0] >= share * disk for k, (disk, share) in before.items())


def stretched(rig: Rig, before: Look, channel: int, phase: float, limit: float) -> bool:
    """A longer lookahead and, if need be, less integral, the least change with which guidance bears enough.

    Whether there is a lookahead.
    """
    one = before.open_loops.channels[channel]
    block, heads = one.block, one.name.endswith("heading")
    names = tuple(
        name for name in (f"{block}.lookahead", f"{block}.integral_gain") if name in rig.closed.plan.parameters
    )
    if not heads or not names or not names[0].endswith("lookahead"):
        return False
    own = values_of(rig, names)
    best, least = own, -np.inf
    for factor, less in ((f, g) for f in _LOOKAHEADS for g in (_INTEGRALS if len(names) > 1 else (1.0,))):
        scaled = dict(zip(names, (factor, less), strict=False))
        values = {name: rounded(own[name] * scaled[name]) for name in names}
        rig.set(values)
        moment = rig.point()
        loops = None if moment is None else rig.loops(moment)
        if loops is None:
            continue
        stable, size = score(loops, channel, phase, limit)
        if stable and size > least + 1e-6:
            best, least = values, size
        if least >= 1.0:
            break
    rig.set(best)
    return True
