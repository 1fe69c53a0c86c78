"""What all instruments have in common: they take samples, have a seed, and may be late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from blocks.block import Block, Sizes
from blocks.model.declare import Parameter, State
from blocks.model.dependence import TIME, Pattern, Sources, matrix, whole
from blocks.signal import Number, Signal


def is_late(block: Any) -> bool:
    """Whether samples are under way."""
    return bool(block.delay)


class Instrument(Block, abstract=True):
    """An instrument: every `period` it takes a sample, and shows it until the next one.

    **Random errors** are functions of `seed`, the block's name, the number of the sample and the channel, as with
    `GaussianNoise`: a run repeats exactly, however it is interrupted and resumed, and instruments of one seed and
    different names are independent of each other.

    **Delay.** With `delay` = N ≥ 1 the sample of an instant is shown N periods later: a dead time of τ is N = τ/T
    samples. Only whole samples can be had. Outputs then do not depend on the inputs of the same instant, and until the
    first sample is through they show `initial`.
    """

    sampled = True
    sizes: ClassVar[tuple[str, ...]] = ("delay",)

    seed = Parameter(0, integer=True, at_least=0, at_most=4294967295, doc="which of 2³² independent realisations")
    delay = Parameter(
        0,
        integer=True,
        at_least=0,
        at_most=100_000,
        structural=True,
        doc="N, by how many whole samples what is shown is late",
    )

    sample = State(Number, "number of the sample", discrete=True, private=True, start=whole(TIME))

    def known_sizes(self) -> dict[str, int]:
        """How many samples are under way is a parameter."""
        return super().known_sizes() | {"delay": self.delay}

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """None of what is late."""
        return () if is_late(self) else super().feedthrough(output)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """What the ring holds, or the inputs."""
        return self.late_sources(output) if is_late(self) else super().output_sources(output, sizes)

    def late_sources(self, output: str) -> Sources:
        """What an output reads from the ring."""
        return self.ring_sources(1, [[0]])

    def ring_sources(self, width: int, columns: Sequence[Sequence[int]]) -> dict[str, Pattern]:
        """The columns of the ring, of this width, that each element of an output reads; which row says the sample."""
        row = np.zeros((len(columns), width), dtype=bool)
        for element, own in enumerate(columns):
            row[element, list(own)] = True
        return {"ring": matrix(np.tile(row, self.delay))} | (whole("sample") if self.delay > 1 else {})


STEP = "what of the drift is kept from sample to sample, and the deviation of what comes"
"""The derived constants of a Gauss-Markov process, as `drift_setup` has them."""


def ring(width: int, start: Sources, doc: str = "samples under way") -> State:
    """The state that holds the samples of an instrument that is late."""
    signal = Signal("Any", ("delay", width))
    return State(signal, doc, discrete=True, private=True, when=is_late, start=start)


def lever_arm(what: str) -> Parameter:
    """The parameter that says where the instrument is."""
    return Parameter(0.0, shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc=f"l, {what} in body axes")
