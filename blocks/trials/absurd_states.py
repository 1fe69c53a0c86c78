"""A mode or counter that somebody sets to nonsense."""

from __future__ import annotations

import contextlib
import itertools

import numpy as np

from blocks.errors import KeelblocksError
from blocks.run.probe import evaluate
from blocks.trials.samples import Sample

_VALUES = (1e300, -1e300, 1e9, -1e9, 2.5e9, -1.0, 0.5)


def check_absurd_states(sample: Sample) -> None:
    """States set to nonsense give nonsense or a fault, and no access outside of an array: the process lives on."""
    block = sample()
    inputs = {name: np.zeros(shape) for name, shape in sample.shapes.free.items()}
    for state, value in itertools.product(block.states, _VALUES):
        with contextlib.suppress(KeelblocksError):
            evaluate(block, 0.0, {state: value}, inputs)
