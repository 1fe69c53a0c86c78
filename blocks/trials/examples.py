"""The examples of a block run."""

from __future__ import annotations

import numpy as np

from blocks.simulation import simulate
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample


def check_examples(sample: Sample) -> None:
    """With each of its `examples` the block can be made and run, and what it gives is finite."""
    result = simulate(driven(sample), 1.0, step=0.05)
    for name in result:
        if not np.all(np.isfinite(result.values(name))):
            raise sample.fault(f"{name} is not finite in a run of 1 s with a sine on every input")
