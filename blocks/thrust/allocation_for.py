"""The allocation that fits thrusters that there are."""

from __future__ import annotations

from typing import Any

from blocks.block import Block, library
from blocks.errors import ParameterError, shown

__all__ = ["allocation_for"]


def allocation_for(thrusters: Block, **parameters: Any) -> Block:
    """The allocation of a wanted wrench to these thrusters, a rudder or a foil, with all the same numbers.

    thrusters: a block of `blocks.thrust`, such as `MeasuredThruster.from_vehicle("bluerov2_heavy")`; parameters: any
    others of the allocation, or to be had otherwise: `weights`, `priority`, `limits`. Where it has a choice it keeps
    within the limits of all thrusters, `limits="bounded"`. Its `command` fits that of the thrusters, and so does
    `angle` where they turn. Raises ParameterError if there is no allocation to such a block.
    """
    kinds = {kind: cls for cls in library().values() for kind in cls.sections_taken}
    if not isinstance(thrusters, Block):
        given = f"the class {thrusters.__name__}" if isinstance(thrusters, type) else shown(thrusters)
        raise ParameterError(f"allocation_for takes a block with its numbers, KnownThrusters(…) say, not {given}")
    of = thrusters.type_name()
    if of not in kinds:
        raise ParameterError(f"there is an allocation to {', '.join(sorted(kinds))}; there is none to {of}")
    cls = kinds[of]
    known = cls.all_parameters()
    made = cls.sections_taken[of](thrusters.values)
    own = {name: value for name, value in made.items() if name in known and not name.startswith("initial_")}
    if "limits" in known:
        own["limits"] = "bounded"
    block = cls(**(own | {cls.parameter_name(name): value for name, value in parameters.items()}))
    block.sources = {name: text for name, text in thrusters.sources.items() if name in own and name not in parameters}
    return block
