"""A copy of a block is the block."""

from __future__ import annotations

from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample


def check_copies(sample: Sample) -> None:
    """A copy has the same plan to the last bit."""
    if driven(sample, sample().copy()).plan().stored != driven(sample).plan().stored:
        raise sample.fault(
            "a copy has another plan: what `__init__` is given beside parameters is to be kept by `copy`, too"
        )
