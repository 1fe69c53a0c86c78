"""A recorded manoeuvre: where the vessel was, how it headed, and what was ordered of its rudder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import KeelblocksError
from blocks.run.result import Result

Array = NDArray[np.float64]


class ManoeuvreError(KeelblocksError):
    """A recording is not in order, or not one of the manoeuvre that it is to be measured as."""


@dataclass(frozen=True)
class Execute:
    """A rudder order."""

    index: int
    """The first sample that shows it."""
    side: float
    """1 to starboard, -1 to port."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A recorded manoeuvre, n samples.

    time: s, n, increasing. position: of the midship point over ground, north and east, m, n×2; a down column is left
    out. heading: rad, n; made continuous, so it may have been wrapped, if it turns by less than half a turn per sample.
    order: of the rudder, rad, n, positive to starboard. rudder: its angle, rad, n, for figures only; by default the
    order. engine: order to the engine, n, in any unit, positive ahead, for stopping tests only. order_unit: of order
    and rudder; another one than "rad" where something else than a rudder turns the vessel, such as a moment in "N*m".

    An execute is the first sample at which the order is to another side than before; orders of less than half the
    largest count as amidships, so a rudder that is trimmed does not matter. All measures count from the order, as IMO
    has it, so give the order, and not the angle that follows it.

    Raises ManoeuvreError if lengths disagree, times do not increase, a value is no finite number, neither rudder nor
    engine is ordered anything, or the rudder is ordered beyond ±π, as it is in degrees.
    """

    time: Array
    position: Array
    heading: Array
    order: Array
    rudder: Array | None = None
    engine: Array | None = None
    order_unit: str = "rad"

    def __post_init__(self) -> None:
        time = _numbers("time", self.time)
        if len(time) < 4:
            raise ManoeuvreError(f"a manoeuvre needs at least 4 samples, and there are {len(time)}")
        late = np.flatnonzero(np.diff(time) <= 0.0)
        if late.size:
            i = int(late[0])
            raise ManoeuvreError(
                f"time goes from {time[i]:g} s to {time[i + 1]:g} s between samples {i} and {i + 1}: it has to increase"
            )
        position = _numbers("position", self.position, len(time), time)
        if position.ndim != 2 or position.shape[1] not in (2, 3):
            raise ManoeuvreError(
                f"position must be north and east, an array of {len(time)}×2, not of {_shape(position)}"
            )
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "position", position[:, :2])
        for name in ("heading", "order", "rudder", "engine"):
            given = getattr(self, name)
            if name == "engine" and given is None:
                continue
            values = _numbers(name, self.order if given is None else given, len(time), time)
            if values.ndim == 2 and values.shape[1] == 1:
                values = values[:, 0]  # of a block with one of what it may have several
            if values.ndim != 1:
                raise ManoeuvreError(f"{name} must be one number per sample, not an array of {_shape(values)}")
            object.__setattr__(self, name, np.unwrap(values) if name == "heading" else values)
        if self.engine is not None:
            if not np.any(np.diff(self.engine)):
                raise ManoeuvreError(
                    f"the engine is never ordered otherwise: its order is {self.engine[0]:g} from {time[0]:g} s to "
                    f"{time[-1]:g} s. Is it the right signal, and does the run go on beyond the order?"
                )
        elif not np.any(self.order):
            raise ManoeuvreError(
                f"the rudder is never put over: its order is 0 from {time[0]:g} s to {time[-1]:g} s. Is it the right "
                f"signal, and does the run go on beyond the first execute?"
            )
        greatest = float(np.abs(self.order).max())
        if greatest > np.pi and self.order_unit == "rad":
            raise ManoeuvreError(
                f"order goes to {greatest:g} rad, and angles are in rad, those of heading and rudder too: np.radians "
                f"converts what is in degrees"
            )

    @classmethod
    def of_run(
        cls,
        run: Result,
        *,
        order: str,
        rudder: str | None = None,
        pose: str = "vessel.eta",
        engine: str | None = None,
        order_unit: str = "rad",
    ) -> Trial:
        """From the recorded outputs of a run: `order="helm.y"`, `rudder="rudder.angle"`.

        Raises ResultError, with the nearest name, if one was not recorded; otherwise as the class.
        """
        eta = run.values(pose)
        if eta.ndim != 2 or eta.shape[1] != 6:
            raise ManoeuvreError(f"pose must be a vessel's eta, n×6, and '{pose}' is an array of {_shape(eta)}")
        angle = None if rudder is None else run.values(rudder)
        throttle = None if engine is None else run.values(engine)
        return cls(run.time, eta[:, :2], eta[:, 5], run.values(order), angle, throttle, order_unit)

    @property
    def executes(self) -> tuple[Execute, ...]:
        """The rudder orders in their sequence."""
        return tuple(Execute(int(i), float(s)) for i, s in self._changes() if s != 0.0)

    def ordered(self, index: int) -> str:
        """The order at a sample without its side, in words: "35°", "50 N·m"."""
        return order_text(abs(float(self.order[index])), self.order_unit)

    def until(self, execute: Execute) -> int:
        """How many samples there are before the order changes again, or in all."""
        later = [int(i) for i, _ in self._changes() if i > execute.index]
        return later[0] if later else len(self.time)

    def _changes(self) -> list[tuple[int, float]]:
        """Samples from which the rudder is on another side than before, and on which; 0 is amidships."""
        half = 0.5 * float(np.abs(self.order).max())
        side = np.sign(self.order) * (np.abs(self.order) > half)
        first = [(0, float(side[0]))] if side[0] else []
        return first + [(int(i) + 1, float(side[i + 1])) for i in np.flatnonzero(np.diff(side))]


def side_name(side: float) -> str:
    """In words."""
    return "starboard" if side > 0.0 else "port"


def order_text(order: float, unit: str) -> str:
    """An order with its unit, as people read it."""
    if unit == "rad":
        return f"{np.degrees(order):.3g}°"
    return f"{order:.4g}" if unit == "1" else f"{order:.4g} {unit_text(unit)}"


def unit_text(unit: str) -> str:
    """A unit as it is printed: "N*m" is N·m."""
    return unit.replace("*", "·")


def _numbers(name: str, given: ArrayLike, count: int | None = None, time: Array | None = None) -> Array:
    try:
        values = np.asarray(given)
        values = values.astype(np.float64, casting="unsafe" if values.dtype.kind in "OUS" else "same_kind")
    except (TypeError, ValueError, OverflowError):
        raise ManoeuvreError(f"{name} must be an array of numbers") from None
    if count is not None and values.shape[:1] != (count,):
        raise ManoeuvreError(f"time has {count} samples, and {name} is an array of {_shape(values)}")
    if count is None and values.ndim != 1:
        raise ManoeuvreError(f"{name} must be one number per sample, not an array of {_shape(values)}")
    bad = np.flatnonzero(~np.isfinite(values.reshape(len(values), -1)).all(axis=1))
    if bad.size:
        where = f"sample {bad[0]}" if time is None else f"{time[bad[0]]:g} s"
        raise ManoeuvreError(f"{name} is not finite at {where}: leave such samples out")
    return values


def _shape(values: Array) -> str:
    return "×".join(map(str, values.shape)) or "one number"
