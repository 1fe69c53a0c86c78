"""What is no number stays none: limits, tables and cases must not make a plausible force of a diverged velocity."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.trials.circumstances import generator
from blocks.trials.samples import Sample

_POINTS = 6


def check_not_a_number(sample: Sample, harmless: Collection[tuple[str, str, str]] = ()) -> None:
    """An output that depends on an input is no number where that input is none.

    harmless: block, input and output of which it is right all the same.
    """
    random, block = generator(sample), sample()
    for _ in range(_POINTS):
        inputs = {port: np.array(random.uniform(-1.5, 1.5, shape)) for port, shape in sample.shapes.inputs.items()}
        before = _results(block, inputs)
        for port, values in inputs.items():
            for j in range(values.size):
                moved, lost = values.copy(), values.copy()
                moved.flat[j] += random.normal()
                lost.flat[j] = np.nan
                changed, found = _results(block, inputs | {port: moved}), _results(block, inputs | {port: lost})
                for output, value in before.items():
                    hidden = (changed[output] != value) & ~np.isnan(found[output])
                    if np.any(hidden) and (sample.name, port, output) not in harmless:
                        raise sample.fault(
                            f"{output} is {found[output]} where {port}[{j}] is no number: a limit that compares, "
                            f"`x if x < limit else limit`, makes a number of one that is none"
                        )


def _results(block: Block, inputs: dict[str, Any]) -> dict[str, np.ndarray]:
    found = block.evaluate(**inputs)
    return {**found.outputs, **{f"d{name}/dt": value for name, value in found.derivatives.items()}}
