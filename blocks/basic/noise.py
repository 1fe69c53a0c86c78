"""Noise: samples of a random signal, held from one to the next.

The generator has no state of its own: a sample is a function of `seed`, the block's name, the number of the sample and
the element. So a run repeats exactly, may be interrupted and resumed, and blocks of equal seed and different names, or
of equal names and different seeds, are independent of each other. The numbers count from time 0.

Source: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, Proc. SC11 (Philox-4x32-10);
Box and Muller (1958), A note on the generation of random normal deviates, Ann. Math. Stat. 29.
"""

from __future__ import annotations

from blocks.basic.common import check_limits
from blocks.block import Block
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import TIME, each, whole
from blocks.signal import AnySignal, Number


class _Noise(Block, abstract=True):
    """What all noise has in common."""

    sizes = ("n",)
    sampled = True

    sample = State(Number, "number of the sample", discrete=True, private=True, start=whole(TIME))


def _noise(*parameters: str) -> Output:
    return Output(
        AnySignal, "the present sample", feedthrough=False, depends=each(*parameters) | whole("seed", "sample")
    )


def _seed() -> Parameter:
    return Parameter(0, integer=True, at_least=0, at_most=4294967295, doc="which of 2³² independent realisations")


class GaussianNoise(_Noise):
    """Normally distributed samples: y_k = μ + σ N(0, 1), independent of each other.

    y: output, n, in any unit; μ: `mean`, n; σ: `standard_deviation`, n; `period`, `offset`: s.

    Raises ParameterError if a standard deviation is negative or the period is not positive.

    Source: Box and Muller (1958) on Philox-4x32-10 (Salmon et al. 2011).
    """

    examples = ({"period": 0.1},)

    kernel = "gaussian_noise"

    y = _noise("mean", "standard_deviation")
    mean = Parameter(0.0, shape=("n",), unit=None, doc="mean μ")
    standard_deviation = Parameter(1.0, shape=("n",), unit=None, at_least=0.0, doc="standard deviation σ")
    seed = _seed()


class UniformNoise(_Noise):
    """Uniformly distributed samples between `lower` and `upper`, independent of each other.

    y: output, n, in any unit; `lower`, `upper`: n; `period`, `offset`: s.

    Raises ParameterError if a lower limit exceeds its upper limit or the period is not positive.

    Source: Philox-4x32-10 (Salmon et al. 2011).
    """

    examples = ({"period": 0.1},)

    kernel = "uniform_noise"

    y = _noise("lower", "upper")
    lower = Parameter(-1.0, shape=("n",), unit=None, doc="lower limit")
    upper = Parameter(1.0, shape=("n",), unit=None, doc="upper limit")
    seed = _seed()

    def validate(self) -> None:
        """Limits in order."""
        check_limits(self, "lower", "upper")


class WhiteNoise(_Noise):
    """Band-limited Gaussian white noise of a given spectral density: y_k = √(S/T) N(0, 1).

    Below about a tenth of the sample rate its two-sided power spectral density is S, whatever the period, so a filter
    or a vehicle that is slower than that responds the same if T is changed.

    y: output, n, in any unit; S: `spectral_density`, n, the square of that unit per hertz (the square of the "noise
    density" of sensor data sheets, halved where that is one-sided); T: `period`, s.

    Raises ParameterError if a spectral density is negative or the period is not positive.

    Source: The MathWorks, Simulink reference, Band-Limited White Noise (variance of noise power over sample time); Box
    and Muller (1958) on Philox-4x32-10 (Salmon et al. 2011).
    """

    examples = ({"period": 0.1},)

    kernel = "white_noise"

    y = _noise("spectral_density")
    spectral_density = Parameter(1.0, shape=("n",), unit=None, at_least=0.0, doc="two-sided spectral density S")
    seed = _seed()
