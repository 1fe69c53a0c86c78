"""What is no number stays none: limits, tables and cases must not make a plausible force of a diverged velocity.

The engine stops a run where it sees a value that is no number; a block that hides one moves the trouble elsewhere.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest

from blocks import library
from blocks.plan import make_plan

FAMILIES = ("environment", "power", "thrust")
HARMLESS = {("thrust.ThrustAllocation", "nu_r", "thrust")}
"""Block, input and output: without limits at this speed, the thrusts are those that were wanted."""

TRIALS = 6


def results(block: Any, inputs: dict[str, Any]) -> dict[str, np.ndarray]:
    found = block.evaluate(**inputs)
    return {**found.outputs, **{f"d{name}/dt": value for name, value in found.derivatives.items()}}


@pytest.mark.parametrize("name", [name for name in library() if name.split(".")[0] in FAMILIES])
def test_what_is_no_number_is_not_hidden(all_samples, name):
    random = np.random.default_rng(zlib.crc32(name.encode()))
    for sample in (sample for sample in all_samples if sample.name == name):
        block = sample()
        shapes = {port: place.shape for port, place in make_plan(block.copy()).inputs.items()}
        for _ in range(TRIALS):
            inputs = {port: np.array(random.uniform(-1.5, 1.5, shape)) for port, shape in shapes.items()}
            before = results(block, inputs)
            for port, values in inputs.items():
                for j in range(values.size):
                    moved, lost = values.copy(), values.copy()
                    moved.flat[j] += random.normal()
                    lost.flat[j] = np.nan
                    changed, found = results(block, inputs | {port: moved}), results(block, inputs | {port: lost})
                    for output, value in before.items():
                        hidden = (changed[output] != value) & ~np.isnan(found[output])
                        assert not np.any(hidden) or (name, port, output) in HARMLESS, (
                            f"{block!r}: {output} is {found[output]} where {port}[{j}] is no number"
                        )
