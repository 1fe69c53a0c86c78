"""The PID controller whose gains follow a schedule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from blocks.basic.common import AnyScalar, check_increasing
from blocks.block import Block, Sizes
from blocks.control.operating_point import OperatingPoint
from blocks.control.pid import PID, _has_filter
from blocks.control.pole_placement import motion_gains, who
from blocks.errors import ParameterError
from blocks.model.declare import Input, Parameter
from blocks.model.dependence import Sources, each

_MOTIONS = ("heave", "roll", "pitch", "yaw")


class GainScheduledPID(PID):
    """PID controller whose gains are looked up in tables, over a speed, say.

    v = k_p e + I + D + f,  output = v within [lower, upper],  e = r - y,  and all else as in `PID`
    k_p = k_p(s), k_i = k_i(s), k_d = k_d(s): piecewise linear through (b_j, value_j), held outside

    s: input `scheduling`, in any unit; b_j: `breakpoints`, m; their values: `kp`, `ki`, `kd`, m, the same for all n
    quantities. What is not said here is as in `PID`.

    As I is in units of the output, a k_i that changes makes no bump. k_p and k_d change as fast as s does: filter an s
    with noise first.

    **Heading.** With `angle=True` and `derivative="rate"` it is a heading autopilot:
    `GainScheduledPID.by_pole_placement(vessel, "yaw", …)`.

    Raises ParameterError if breakpoints do not increase, if a table has another length, and where `PID` does.

    Source: Åström and Hägglund (2006), Advanced PID Control, ch. 9 (gain scheduling).
    """

    kernels = ("gain_scheduled_pid", "gain_scheduled_pid_unfiltered")
    examples = (
        {
            "breakpoints": [0.4, 0.8, 1.5],
            "kp": [2.0, 1.5, 1.0],
            "ki": [0.5, 0.4, 0.2],
            "kd": [0.3, 0.2, 0.1],
            "lower": -3.0,
            "upper": 3.0,
        },
        {
            "breakpoints": [0.4, 0.8, 1.5],
            "kp": [2.0, 1.5, 1.0],
            "ki": [0.5, 0.4, 0.2],
            "kd": [0.3, 0.2, 0.1],
            "derivative": "rate",
            "angle": True,
        },
    )

    sizes = ("n", "m")
    positional = ("breakpoints", "kp", "ki", "kd")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    scheduling = Input(AnyScalar, "s, what the gains depend on: a speed, say")

    kp = Parameter(shape=("m",), unit=None, doc="proportional gain k_p at each breakpoint")
    ki = Parameter(0.0, shape=("m",), unit=None, doc="integral gain k_i at each breakpoint")
    kd = Parameter(0.0, shape=("m",), unit=None, doc="derivative gain k_d at each breakpoint")
    breakpoints = Parameter(shape=("m",), unit=None, doc="increasing values b_j of s")

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without a derivative filter there is less to do."""
        return "gain_scheduled_pid" if _has_filter(self) else "gain_scheduled_pid_unfiltered"

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """All gains follow the schedule."""
        found = super().output_sources(output, sizes)
        return found if output != "output" or found is None else {**found, **each("scheduling", "breakpoints")}

    def validate(self) -> None:
        """Increasing breakpoints."""
        check_increasing(self, "breakpoints", at_least=2)
        super().validate()

    @classmethod
    def by_pole_placement(
        cls,
        vessel: Block,
        motion: str,
        natural_frequency: ArrayLike | str,
        damping_ratio: ArrayLike | str = 1.0,
        *,
        speeds: ArrayLike,
        integral_pole: float | str | None = None,
        rule: str = "exact",
        **parameters: Any,
    ) -> GainScheduledPID:
        """The controller that gives one motion of a vessel the poles of (s² + 2ζω s + ω²)(s + a) at each speed.

        vessel: a block of `blocks.dynamics`; motion: "heave", "roll", "pitch" or "yaw", whose position or angle is the
        measurement and whose velocity the `rate`; natural_frequency: ω, rad/s, and damping_ratio: ζ, a number or one
        for each speed; speeds: increasing surge speeds, m/s, for `scheduling`; integral_pole: a, rad/s, ω/10 unless
        given, 0 for no integral action; rule: as in `HeadingAutopilot.by_pole_placement`; parameters: any others of the
        block. Raises ParameterError if the vessel's own damping or stiffness is more than these poles need.
        """
        name = who(cls)
        if motion not in _MOTIONS:
            raise ParameterError(
                f"{name}: motion must be one of {', '.join(map(repr, _MOTIONS))}, not {motion!r}; for speed take a "
                f"SpeedController, for a position a DynamicPositioning"
            )
        at = np.atleast_1d(np.asarray(Parameter(shape=("m",), unit="m/s").read(speeds, f"{name}: speeds")))
        frequencies = _each(name, "natural_frequency", "rad/s", natural_frequency, len(at))
        ratios = _each(name, "damping_ratio", "1", damping_ratio, len(at))
        gains = [
            motion_gains(OperatingPoint(vessel, u, name), motion, w, z, integral_pole, rule)
            for u, w, z in zip(at.tolist(), frequencies, ratios, strict=True)
        ]
        found: dict[str, Any] = {gain: [row[gain] for row in gains] for gain in ("kp", "ki", "kd")}
        found |= {"breakpoints": at, "derivative": "rate", "angle": motion != "heave"}
        found["tracking_gain"] = max(row["tracking_gain"] for row in gains)
        return cls(**(found | parameters))


def _each(name: str, argument: str, unit: str, value: ArrayLike | str, count: int) -> list[float]:
    """A number, or one for each speed. Raises ParameterError."""
    given = np.asarray(Parameter(shape=("m",), unit=unit).read(value, f"{name}: {argument}"))
    if given.ndim and len(given) != count:
        raise ParameterError(f"{name}: {argument} must be a number or one for each of {count} speeds, not {len(given)}")
    found: list[float] = np.broadcast_to(given, (count,)).tolist()
    return found
