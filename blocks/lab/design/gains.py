"""Gains that a design may change: which they are, and those between what is and what is proposed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np

from blocks.lab.design.rig import Rig
from blocks.lab.design.robustness import Array
from blocks.lab.design.shaping import values_of

STEERING = ("lookahead", "integral_gain")
"""Of guidance."""
TURNED = ("kp", "ki", "kd", "pitch_kp", "pitch_kd", "lookahead", "integral_gain")


def all_gains(rig: Rig) -> dict[str, Array]:
    """Gains and lookaheads of controllers and guidance, by name."""
    named = {one.block for one in rig.channels}
    names = tuple(
        name
        for name in rig.closed.plan.parameters
        if name.rpartition(".")[0] in named and (name.rpartition(".")[2] in TURNED)
    )
    return values_of(rig, names)


def turned_of(rig: Rig, own: Mapping[str, Array], loops: Collection[str]) -> tuple[str, ...]:
    """Those of some loops that are not zero: gains of controllers, of guidance its lookahead and integral."""
    by_loop = {one.block for one in rig.channels if one.name in loops}
    guides = {leaf.name for leaf in rig.flat.leaves if leaf.block.family == "guidance"}
    return tuple(
        name
        for name, value in own.items()
        if (block := name.rpartition(".")[0]) in by_loop
        and np.any(value)
        and (block not in guides or name.rpartition(".")[2] in STEERING)
    )


def variants(own: Mapping[str, Array], tuned: Mapping[str, Array]) -> Iterator[Mapping[str, Array]]:
    """Gains to try, those with the best margins first: all of them, then guidance changed less, or not at all."""
    changed = [name for name in own if not np.array_equal(own[name], tuned[name])]
    steering = [name for name in changed if name.rpartition(".")[2] in STEERING]
    for share in (1.0, 0.5, 0.25, 0.0) if steering else (1.0,):
        between = {name: rounded(own[name] * (tuned[name] / own[name]) ** share) for name in steering}
        new = {**tuned, **between}
        if any(not np.array_equal(own[name], new[name]) for name in own):
            yield new


def rounded(value: Array) -> Array:
    """To two digits."""
    return np.array([float(f"{one:.2g}") for one in np.ravel(value)]).reshape(np.shape(value))


def plain(value: Array) -> Any:
    """A number, or lists of them."""
    return float(np.ravel(value)[0]) if np.size(value) == 1 else np.asarray(value).tolist()
