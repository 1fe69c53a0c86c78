"""From gains that were found to those that are taken: all of them, guidance changed less, or block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from blocks.lab.design.by_shaping import bearable, stretched
from blocks.lab.design.gains import STEERING, all_gains, variants
from blocks.lab.design.look import Look
from blocks.lab.design.rig import Rig
from blocks.lab.design.robustness import Array
from blocks.lab.design.shaping import good
from blocks.lab.design.trial import tried

if TYPE_CHECKING:
    from blocks.lab.design.found import Design
    from blocks.run.result import Result


@dataclass(frozen=True)
class Trials:
    """What proposals are measured by: the design with nothing changed yet, and its run, if there is one."""

    rig: Rig
    start: Design
    own: Mapping[str, Array]
    speeds: Sequence[float] | None
    first: tuple[Result, str] | None

    @property
    def before(self) -> Look:
        """The loops as they are."""
        return self.start.before

    def tried(self, new: Mapping[str, Array]) -> Design:
        """A design with these gains, refused if anything is worse."""
        self.rig.set(new)
        return tried(self.rig, self.start, self.own, new, self.speeds, self.first)


def proposal(trials: Trials, tuned: Mapping[str, Array], chosen: Sequence[str], phase: float) -> Design:
    """A design with as many of the gains that were found as are not refused; if none are, the first refusal."""
    refused = trials.start
    for new in variants(trials.own, tuned):
        found = trials.tried(new)
        if found.proposed:
            return found
        refused = refused if refused.refused else found
    return _by_blocks(trials, tuned, chosen, phase) or refused


def _by_blocks(trials: Trials, tuned: Mapping[str, Array], chosen: Sequence[str], phase: float) -> Design | None:
    """Gains of one controller after the other, that which bears least first, kept if they are not refused; then
    guidance, for what follows it now. None if all are refused."""
    rig, own, before = trials.rig, trials.own, trials.before
    changed = {name: value for name, value in tuned.items() if not np.array_equal(own[name], value)}
    by_block: dict[str, dict[str, Array]] = {}
    for loop in sorted(before.margins, key=lambda name: before.margins[name].disk):
        block = next(one.block for one in before.open_loops.channels if one.name == loop)
        mine = {name: v for name, v in changed.items() if name.rpartition(".")[0] == block}
        if mine and not any(name.rpartition(".")[2] in STEERING for name in mine):
            by_block[block] = mine
    if len(by_block) + bool(len(changed) > sum(map(len, by_block.values()))) < 2:
        return None
    taken, best, left = dict(own), None, {}
    for block, mine in by_block.items():
        found = trials.tried({**taken, **mine})
        if found.proposed:
            best, taken = found, {**taken, **mine}
        else:
            left[block] = found.refused
    if best is None:
        return None
    rig.set(taken)
    for channel, one in enumerate(before.open_loops.channels):
        loops = rig.loops(before.moment)
        if one.name in chosen and one.steers and loops is not None and not good(loops.margins(channel), phase):
            stretched(rig, before, channel, phase, bearable(before))
    for new in variants(taken, all_gains(rig)):
        found = trials.tried(new)
        if found.proposed:
            best = found
            left.pop("guidance", None)
            break
        left.setdefault("guidance", found.refused)
    return replace(best, left=left)
