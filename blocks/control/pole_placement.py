"""Gains from the poles that a closed loop is to have.

    m s³ + (d + k_d) s² + (k + k_p) s + k_i = m (s² + 2ζω s + ω²)(s + a)                       rule="exact"
    k_p = m ω² - k,  k_d = 2ζω m - d,  k_i = a m ω²                                            rule="fossen"

Of several motions m, d and k are matrices, and ω, ζ and a diagonal ones behind M, so that the motions come apart.
Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15, Algorithm 15.2, where
a = ω/10; "exact" is the same to first order in a/ω.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.control.operating_point import OperatingPoint, number
from blocks.errors import ParameterError
from blocks.model.declare import Parameter

Floats = NDArray[np.float64]

RULES = ("exact", "fossen")
TILTS = ("roll", "pitch")
SPEED_RULES = ("second_order", "first_order")


@dataclass(frozen=True)
class Poles:
    """What is asked for: (s² + 2ζω s + ω²)(s + a) for each motion. `who` asks, for messages."""

    who: str
    frequency: Floats
    ratio: Floats
    third: Floats
    rule: str

    @classmethod
    def read(
        cls,
        who: str,
        count: int,
        natural_frequency: ArrayLike | str,
        damping_ratio: ArrayLike | str,
        integral_pole: ArrayLike | str | None,
        rule: str,
    ) -> Poles:
        """Checked and in SI, a number or `count` of them each; a = ω/10 if it is not given. Raises ParameterError."""

        def several(name: str, value: object, unit: str, **limits: float) -> Floats:
            if count == 1:
                return np.array([number(value, unit, f"{who}: {name}", **limits)])
            declared = Parameter(shape=("n",), unit=unit, **limits)  # type: ignore[arg-type]
            given = np.asarray(declared.read(value, f"{who}: {name}"))
            if given.ndim and len(given) != count:
                raise ParameterError(f"{who}: {name} must be a number or {count} of them, not {len(given)}")
            return np.broadcast_to(given, (count,)).astype(float)

        frequency = several("natural_frequency", natural_frequency, "rad/s", above=0.0)
        ratio = several("damping_ratio", damping_ratio, "1", above=0.0)
        third = frequency / 10.0
        if integral_pole is not None:
            third = several("integral_pole", integral_pole, "rad/s", at_least=0.0)
        rule = str(Parameter("exact", choices=RULES).read(rule, f"{who}: rule"))
        return cls(who, frequency, ratio, third, rule)

    def gains(self, m: Floats, d: Floats, k: Floats, motions: tuple[str, ...], called: str) -> Gains:
        """Gains for M, D and K of these motions of a vessel called so. Raises ParameterError if one is negative."""
        w, z, a = self.frequency, self.ratio, self.third
        coupled = a if self.rule == "exact" else 0.0 * a
        kp = m * (w * w + 2.0 * z * w * coupled) - k
        kd = m * (2.0 * z * w + coupled) - d
        ki = m * (a * w * w)
        for i, motion in enumerate(motions):
            if kd[i, i] < 0.0:
                least = d[i, i] / (2.0 * z[i] * m[i, i])
                self._refuse(i, motion, called, "kd", kd[i, i], "damping", least, ", or a larger damping_ratio")
            if kp[i, i] < 0.0:
                self._refuse(i, motion, called, "kp", kp[i, i], "stiffness", math.sqrt(k[i, i] / m[i, i]), "")
        return Gains(kp, ki, kd, np.sqrt(w * w * a / (2.0 * z * w + coupled)))

    def _refuse(
        self, i: int, motion: str, called: str, gain: str, value: float, cause: str, least: float, other: str
    ) -> None:
        several = "; each motion may have its own" if len(self.frequency) > 1 else ""
        raise ParameterError(
            f"{self.who}: natural_frequency {self.frequency[i]:g} rad/s is too low for the {motion} of {called}, whose "
            f"own {cause} is more than these poles need: {gain} would be {value:.4g}. Take {rounded_up(least)} rad/s "
            f"or more{other}{several}"
        )


@dataclass(frozen=True)
class Gains:
    """k_p, k_i and k_d, and the tracking gain √(k_i/(d + k_d)) of each motion, 1/s."""

    kp: Floats
    ki: Floats
    kd: Floats
    tracking: Floats


def motion_gains(
    point: OperatingPoint,
    motion: str,
    natural_frequency: ArrayLike | str,
    damping_ratio: ArrayLike | str = 1.0,
    integral_pole: ArrayLike | str | None = None,
    rule: str = "exact",
) -> dict[str, float]:
    """`kp`, `ki`, `kd` and `tracking_gain` for one motion of a vessel."""
    poles = Poles.read(point.who, 1, natural_frequency, damping_ratio, integral_pole, rule)
    m, d, k = (np.array([[value]]) for value in point.motion(motion))
    found = poles.gains(m, d, k, (motion,), point.called)
    tracking = float(found.tracking[0]) or 1.0
    return {
        "kp": float(found.kp[0, 0]), "ki": float(found.ki[0, 0]), "kd": float(found.kd[0, 0]), "tracking_gain": tracking
    }  # fmt: skip


def tilt_gains(
    point: OperatingPoint,
    natural_frequency: ArrayLike | str,
    damping_ratio: ArrayLike | str = 1.0,
    integral_pole: ArrayLike | str | None = None,
    rule: str = "exact",
) -> dict[str, list[float]]:
    """`kp`, `ki`, `kd`, `tracking_gain` and `stiffness` for roll and pitch of a vessel on a level path."""
    poles = Poles.read(point.who, 2, natural_frequency, damping_ratio, integral_pole, rule)
    m, d, righting = (np.diag(values) for values in zip(*(point.motion(motion) for motion in TILTS), strict=True))
    turned = np.diag([point.turned_from_its_way(motion) for motion in TILTS])
    found = poles.gains(m, d, righting + turned, TILTS, point.called)
    return {
        "kp": np.diag(found.kp).tolist(),
        "ki": np.diag(found.ki).tolist(),
        "kd": np.diag(found.kd).tolist(),
        "tracking_gain": [rate or 1.0 for rate in found.tracking.tolist()],
        "stiffness": np.diag(righting).tolist(),
    }


def feedforward(point: OperatingPoint, motion: str) -> dict[str, float]:
    """`inertia`, `damping` and `quadratic_damping` of one motion of a vessel."""
    m, d, _ = point.motion(motion)
    linear, quadratic = point.damping_law(motion, d)
    return {"inertia": m, "damping": linear, "quadratic_damping": quadratic}


def speed_gains(
    point: OperatingPoint, natural_frequency: float | str, damping_ratio: float | str = 1.0, rule: str = "second_order"
) -> dict[str, float]:
    """`kp`, `ki` and `tracking_gain` for surge; see `SpeedController.by_pole_placement`."""
    w = number(natural_frequency, "rad/s", f"{point.who}: natural_frequency", above=0.0)
    z = number(damping_ratio, "1", f"{point.who}: damping_ratio", above=0.0)
    rule = str(Parameter("second_order", choices=SPEED_RULES).read(rule, f"{point.who}: rule"))
    m, d, _ = point.motion("surge")
    if rule == "first_order":
        if d <= 0.0:
            raise ParameterError(
                f'{point.who}: rule="first_order" is for a vessel with damping, and the surge of {point.called} has '
                f'{d:.4g} N·s/m at this speed: take rule="second_order"'
            )
        return {"kp": w * m, "ki": w * d, "tracking_gain": w * d / (d + w * m)}
    kp = 2.0 * z * w * m - d
    if kp < 0.0:
        least = rounded_up(d / (2.0 * z * m))
        raise ParameterError(
            f"{point.who}: natural_frequency {w:g} rad/s is too low for the surge of {point.called}, whose own damping "
            f'is more than these poles need: kp would be {kp:.4g}. Take rule="first_order", a closed loop of first '
            f"order with this bandwidth (kp {w * m:.4g} N·s/m, ki {w * d:.4g} N/m). Poles of second order begin at "
            f"{least} rad/s, where kp is 0 and the integral does everything: not to be recommended"
        )
    return {"kp": kp, "ki": m * w * w, "tracking_gain": w / (2.0 * z)}


def rounded_up(value: float) -> str:
    """To three digits, never below."""
    step = 10.0 ** (math.floor(math.log10(value)) - 2)
    return f"{math.ceil(value / step - 1e-9) * step:.3g}"


def who(cls: type[Block]) -> str:
    """How a constructor by pole placement is named in messages."""
    return f"{cls.__name__}.by_pole_placement"
