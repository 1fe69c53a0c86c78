"""Distributions of factors that are sampled. Any frozen distribution of scipy.stats will do as well."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError
from blocks.study.errors import StudyError
from blocks.units import to_unit
from cython_kernels import elementary


@runtime_checkable
class Distribution(Protocol):
    """What has the quantile function `ppf`: from a share in (0, 1) to the value below which it lies."""

    def ppf(self, q: Any) -> Any:
        """The values at these shares."""


class _Quantiles:
    """A distribution as its quantile function alone, which takes a hundredth of the time of scipy.stats."""

    def __init__(self, function: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> None:
        self.function = function

    def ppf(self, q: Any) -> Any:
        """The values at these shares."""
        return self.function(np.asarray(q, dtype=np.float64))


class _Given:
    """A distribution by numbers, which may be text with a unit until the unit of the factor is known."""

    names: tuple[str, ...] = ()

    def __init__(self, *numbers: float | str) -> None:
        self.numbers = numbers

    def in_unit(self, unit: str | None, where: str) -> Distribution:
        """The distribution in a unit. Raises StudyError."""
        read = []
        for name, number in zip(self.names, self.numbers, strict=True):
            try:
                value = to_unit(number, unit) if isinstance(number, str) else number
            except ParameterError as problem:
                raise StudyError(f"{where}: {problem}") from None
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
                raise StudyError(f"{where}: {name} of {type(self).__name__} must be a finite number, not {number!r}")
            read.append(float(value))
        return self._frozen(where, *read)

    def _frozen(self, where: str, *numbers: float) -> Distribution:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.numbers))})"


class Uniform(_Given):
    """Equal density between two limits: numbers in SI, or text with a unit."""

    names = ("low", "high")

    def __init__(self, low: float | str, high: float | str) -> None:
        super().__init__(low, high)

    def _frozen(self, where: str, *numbers: float) -> Distribution:
        low, high = numbers
        if not low < high:
            raise StudyError(f"{where}: {self!r} must end above its beginning")
        return _Quantiles(lambda share: share * (high - low) + low)


class LogUniform(_Given):
    """Equal density of the logarithm between two limits above zero, for gains and other magnitudes."""

    names = ("low", "high")

    def __init__(self, low: float | str, high: float | str) -> None:
        super().__init__(low, high)

    def _frozen(self, where: str, *numbers: float) -> Distribution:
        low, high = numbers
        if not 0.0 < low < high:
            raise StudyError(f"{where}: {self!r} must begin above zero and end above its beginning")
        first, last = elementary.log([low, high])
        return _Quantiles(lambda share: elementary.exp(first + share * (last - first)))


class Normal(_Given):
    """The normal distribution by mean and standard deviation: numbers in SI, or text with a unit."""

    names = ("mean", "standard_deviation")

    def __init__(self, mean: float | str, standard_deviation: float | str) -> None:
        super().__init__(mean, standard_deviation)

    def _frozen(self, where: str, *numbers: float) -> Distribution:
        from scipy.special import ndtri

        mean, deviation = numbers
        if not deviation > 0.0:
            raise StudyError(f"{where}: the standard deviation of {self!r} must be > 0")
        return _Quantiles(lambda share: ndtri(share) * deviation + mean)


class Choice:
    """One of several levels, each as likely as the others: what a sampled factor without numbers needs."""

    def __init__(self, levels: Sequence[Any] | Mapping[str, Any]) -> None:
        self.levels = levels

    def __repr__(self) -> str:
        return f"Choice({list(self.levels)!r})"


def is_distribution(value: Any) -> bool:
    """True for what is drawn from; False for levels."""
    return isinstance(value, _Given) or (isinstance(value, Distribution) and not isinstance(value, type))


DISTRIBUTIONS = {"uniform": Uniform, "log_uniform": LogUniform, "normal": Normal}
"""By the names that study files use."""


def frozen(given: Any, unit: str | None, where: str) -> Distribution | None:
    """The distribution that is meant, in a unit; None if it is not one. Raises StudyError."""
    if isinstance(given, _Given):
        return given.in_unit(unit, where)
    if is_distribution(given):
        if not hasattr(given, "dist"):
            raise StudyError(f"{where}: {given!r} has parameters to be given yet: scipy.stats.norm(0, 1), for example")
        return given  # type: ignore[no-any-return]
    return None


def quantiles(distribution: Distribution, shares: NDArray[np.float64], where: str) -> NDArray[np.float64]:
    """The values at these shares. Raises StudyError if some are not finite."""
    values = np.asarray(distribution.ppf(shares), dtype=np.float64)
    if values.shape != shares.shape or not np.all(np.isfinite(values)):
        raise StudyError(f"{where}: its distribution does not give a finite number for each share in (0, 1)")
    return values
