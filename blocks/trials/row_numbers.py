"""Sizes that may change while a plan runs: kernels go by the number of rows, not by the room that there is for more."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.block import Block
from blocks.plan import Plan, make_plan
from blocks.run.failure import explain
from blocks.trials.samples import Sample

_MORE = 4
_STOPS = (0.0, 0.3, 0.9, 2.4)


def check_row_numbers(sample: Sample) -> None:
    """With room for more rows of a table than it has, a block gives the same bits, whatever stands beyond them."""
    block = sample()
    for size, names in block.resizable_sizes().items():
        rows = block.known_sizes()[size]
        for fewer in range(type(block).least_sizes.get(size, 1), rows + 1):
            short = _shortened(block, size, fewer)
            tight, roomy = make_plan(short), make_plan(short, capacities={size: rows + _MORE})
            engine = roomy.engine()
            for name in names:
                place = roomy.parameters[f"{roomy.flat.leaves[0].name}.{name}"]
                engine.values[place.slice].reshape(place.shape)[fewer:] = np.nan
            engine.parameters_changed()
            if _bits(sample, tight, tight.engine()) != _bits(sample, roomy, engine):
                raise sample.fault(
                    f"with {fewer} rows of {', '.join(names)} and room for {rows + _MORE} it gives something else than "
                    f"without that room: go by the size b.n.{size} alone, in setup, too"
                )


def _shortened(block: Block, size: str, rows: int) -> Block:
    """The same block with the first rows only of the parameters of this length."""
    values = dict(block.values)
    for name in block.resizable_sizes()[size]:
        if np.ndim(values[name]):  # a single number stands for every row
            values[name] = np.asarray(values[name])[:rows]
    return type(block)(**values)


def _bits(sample: Sample, plan: Plan, engine: Any) -> list[bytes]:
    """Outputs, states, derivatives and crossing functions over a run, with constant inputs."""
    for k, place in enumerate(plan.inputs.values()):
        engine.values[place.slice] = 0.4 + 0.3 * k
    found = []
    status = engine.start(0.0)
    for t in _STOPS:
        status = status or engine.advance(t) or engine.look(t)
        if status:
            raise sample.fault(explain(plan, engine, status))
        found += [engine.values[place.slice].tobytes() for place in (plan.outputs | plan.states).values()]
        found += [engine.values[plan.regions.dx : plan.regions.g].tobytes(), engine.crossings.tobytes()]
    return found
