"""The general blocks that any diagram needs: sources, mathematics, continuous, discrete, discontinuities, routing."""

from blocks.basic.continuous import (
    Derivative,
    FirstOrderLag,
    Integrator,
    LimitedIntegrator,
    StateSpace,
    TransferFunction,
)
from blocks.basic.discontinuities import DeadZone, Quantizer, RateLimiter, Saturation
from blocks.basic.discrete import Delay, DiscreteIntegrator, UnitDelay, ZeroOrderHold
from blocks.basic.lookup import LookupTable1D, LookupTable2D
from blocks.basic.math import (
    Atan2,
    Compare,
    Function,
    Gain,
    MatrixGain,
    MinMax,
    Product,
    Rounding,
    Sign,
    Sum,
    WrapAngle,
)
from blocks.basic.noise import GaussianNoise, UniformNoise, WhiteNoise
from blocks.basic.routing import Demux, Mux, Selector, Switch
from blocks.basic.sources import Clock, Constant, Pulse, Ramp, Sine, Step, TimeSeries

__all__ = [
    "Atan2",
    "Clock",
    "Compare",
    "Constant",
    "DeadZone",
    "Delay",
    "Demux",
    "Derivative",
    "DiscreteIntegrator",
    "FirstOrderLag",
    "Function",
    "Gain",
    "GaussianNoise",
    "Integrator",
    "LimitedIntegrator",
    "LookupTable1D",
    "LookupTable2D",
    "MatrixGain",
    "MinMax",
    "Mux",
    "Product",
    "Pulse",
    "Quantizer",
    "Ramp",
    "RateLimiter",
    "Rounding",
    "Saturation",
    "Selector",
    "Sign",
    "Sine",
    "StateSpace",
    "Step",
    "Sum",
    "Switch",
    "TimeSeries",
    "TransferFunction",
    "UniformNoise",
    "UnitDelay",
    "WhiteNoise",
    "WrapAngle",
    "ZeroOrderHold",
]
