"""Gains of one loop from its frequency response: the crossover that is wanted, with the phase margin that is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.lab.design.open_loops import OpenLoops
from blocks.lab.design.rig import Moment, Rig
from blocks.lab.design.robustness import Array, Complex, LoopMargins, Response, loop_margins

PHASE = np.radians(50.0)
"""A phase margin that is worth having, rad."""
GAIN = 2.0
"""6 dB, up and down."""
DISK = 0.7
"""A disk margin: gains may change by 2.1, or phases by 39°, all at once."""
_SPARE = np.radians(10.0)
"""Aimed at beyond what is wanted, since it is looked at in other loops, and at other speeds, too."""
_INTEGRAL = (0.15, 0.1, 0.05, 0.02)
"""Corner of the integral over the crossover."""
_AROUND = (1.0, 1.2, 0.83, 1.5, 0.67, 2.0, 0.5, 3.0, 0.33, 5.0, 0.2)
_ROLES = (("kp", "ki", "kd"), ("pitch_kp", "", "pitch_kd"))


@dataclass(frozen=True)
class Knobs:
    """The gains of a loop that are numbers: names of parameters, and the element that is this loop's."""

    p: str
    i: str
    d: str
    element: int

    @property
    def names(self) -> tuple[str, ...]:
        """Those that there are."""
        return tuple(name for name in (self.p, self.i, self.d) if name)


def knobs_of(rig: Rig, loops: OpenLoops, channel: int) -> Knobs | None:
    """The gains of a loop. None if it has none that are numbers of its own, as with matrices and tables of gains."""
    one = loops.channels[channel]
    places = rig.closed.plan.parameters
    same = [k for k, other in enumerate(loops.channels) if other.output == one.output]
    element = same.index(channel)
    block = next(leaf.block for leaf in rig.flat.leaves if leaf.name == one.block)
    if "breakpoints" in block.all_parameters() or (one.steers and not _is_control(block)):
        return None
    for roles in reversed(_ROLES):
        names = [f"{one.block}.{role}" if role and f"{one.block}.{role}" in places else "" for role in roles]
        if names[0] and all(places[name].count in (1, len(same)) for name in names if name):
            return Knobs(names[0], names[1], names[2], element)
    return None


def _is_control(block: Any) -> bool:
    return bool(block.family == "control")


def values_of(rig: Rig, names: tuple[str, ...]) -> dict[str, Array]:
    """Values of parameters of the rig."""
    plan = rig.closed.plan
    return {
        name: rig.closed.values[plan.parameters[name].slice].reshape(plan.parameters[name].shape).copy()
        for name in names
    }


def good(margins: LoopMargins, phase: float) -> bool:
    """Whether a loop bears what is wanted: the phase margin, 6 dB of gain both ways, and the disk margin."""
    return (
        (margins.phase is None or margins.phase >= phase)
        and (margins.gain is None or margins.gain >= GAIN)
        and (margins.gain_down is None or margins.gain_down <= 1.0 / GAIN)
        and margins.disk >= DISK
    )


def shaped(
    rig: Rig, moment: Moment, channel: int, knobs: Knobs, phase: float, bandwidth: float | None
) -> Iterator[dict[str, Array]]:
    """Gains that give one loop its crossover and a phase margin, the others as they are, the best guess first.

    L = Σ g_j L_j, L_j that of one gain alone. With the corner of the integral a part of ω_c, k_i = r ω_c k_p, the gains
    k_p and k_d solve L(jω_c) = exp(j(φ - π)). bandwidth: ω_c, rad/s; by default about that which the loop has.

    Source: Åström and Hägglund (2006), Advanced PID Control, ch. 6 (loop shaping by a point of the Nyquist curve).
    """
    own = values_of(rig, knobs.names)
    loops = rig.loops(moment)
    assert loops is not None
    now = loops.margins(channel).crossover
    omega = loops.omega
    try:
        basis, rest = _basis(rig, moment, channel, knobs, own, omega)
    finally:
        rig.set(own)
    if bandwidth is not None:
        wanted = [bandwidth]
    else:
        centre = now or _natural(loops, omega, basis[:, 0])
        wanted = [centre * factor for factor in _AROUND]
    integral = bool(knobs.i) and bool(np.any(own[knobs.i]))
    found: list[tuple[float, int, Array]] = []
    for number, crossover in enumerate(wanted):
        for aim in (phase + _SPARE, phase + 0.3 * _SPARE):
            for gains in _solved(omega, basis, rest, crossover, aim, integral):
                L = basis @ gains + rest
                margins = loop_margins(omega, _between(omega, L))
                if good(margins, phase):
                    yield named(knobs, own, gains)
                    break
                found.append((margins.disk, number, gains))
            else:
                continue
            break
    for _, _, gains in sorted(found, key=_disk)[:3]:
        yield named(knobs, own, gains)


def _basis(
    rig: Rig, moment: Moment, channel: int, knobs: Knobs, own: dict[str, Array], omega: Array
) -> tuple[Complex, Complex]:
    """L of each gain alone, as 1, and of none, at frequencies; a gain that there is not has none."""

    def response(gains: Array) -> Complex:
        rig.set(named(knobs, own, gains))
        loops = rig.loops(moment)
        assert loops is not None
        return loops.loops([channel], omega)[:, 0, 0]

    rest = response(np.zeros(3))
    columns = []
    for k, name in enumerate((knobs.p, knobs.i, knobs.d)):
        if not name:
            columns.append(np.zeros_like(rest))
            continue
        size = float(np.max(np.abs(own[knobs.p]))) or 1.0
        unit = np.zeros(3)
        unit[k] = size
        columns.append((response(unit) - rest) / size)
    return np.stack(columns, axis=1), rest


def _solved(
    omega: Array, basis: Complex, rest: Complex, crossover: float, phase: float, integral: bool
) -> Iterator[Array]:
    """k_p, k_i, k_d with the crossover and the phase margin; without what the loop lacks."""
    at = [
        np.interp(np.log(crossover), np.log(omega), part)
        for part in (*basis.T.real, *basis.T.imag, rest.real, rest.imag)
    ]
    p, i, d = (complex(at[k], at[3 + k]) for k in range(3))
    target = complex(np.exp(1j * (phase - np.pi))) - complex(at[6], at[7])
    if abs(p) == 0.0:
        return
    corners = _INTEGRAL if integral and abs(i) > 0.0 else (0.0,)
    for r in corners:
        column = p + r * crossover * i
        if abs(d) > 1e-9 * abs(p):
            matrix = np.array([[column.real, d.real], [column.imag, d.imag]])
            if abs(np.linalg.det(matrix)) > 1e-12 * np.abs(matrix).max() ** 2:
                kp, kd = np.linalg.solve(matrix, [target.real, target.imag])
                if kp > 0.0 and kd >= 0.0:
                    yield np.array([kp, r * crossover * kp, kd])
                    continue
        kp = abs(target) / abs(column)  # phase to spare without a derivative: the crossover alone
        if np.real(column * np.conj(target)) > 0.0 or abs(d) <= 1e-9 * abs(p):
            yield np.array([kp, r * crossover * kp, 0.0])


def _disk(one: tuple[float, int, Array]) -> float:
    return -one[0]


def _between(omega: Array, values: Complex) -> Response:
    """A response between the frequencies at which it is known."""

    def response(at: Array) -> Complex:
        return np.interp(at, omega, values.real) + 1j * np.interp(at, omega, values.imag)

    return response


def _natural(loops: OpenLoops, omega: Array, plant: Complex) -> float:
    """A crossover for a loop that has none: above what grows without it, else the middle of what happens."""
    growing = np.linalg.eigvals(loops.system.A).real.max(initial=0.0)
    if growing > 1e-3:
        return float(2.0 * growing)
    return float(np.sqrt(omega[0] * omega[-1]))


def named(knobs: Knobs, own: Mapping[str, Array], gains: Array, digits: int = 3) -> dict[str, Array]:
    """Gains by their names, those of other loops of the same block as they are, rounded to some digits."""
    found = {}
    for name, value in zip((knobs.p, knobs.i, knobs.d), gains, strict=True):
        if name:
            whole = np.array(own[name])
            whole.reshape(-1)[knobs.element if whole.size > 1 else 0] = float(f"{value:.{digits}g}")
            found[name] = whole
    return found
