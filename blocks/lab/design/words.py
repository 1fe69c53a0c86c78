"""A design in words: tables of loops and modes, gains, and what to do where gains do not help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from blocks.control import ComposeWrench
from blocks.lab.design.look import Look
from blocks.lab.design.modes import Mode
from blocks.lab.design.robustness import gain_of, phase_of

if TYPE_CHECKING:
    from blocks.lab.design.found import Design

GROWN = 1.02
"""An error that is larger by this factor with other gains is marked."""
SLOW = 0.1
"""A mode that fades within a larger part of the run is slow."""
_AXES = {
    "pitch": ("M", "eta[theta]", "nu[q]"),
    "roll": ("K", "eta[phi]", "nu[p]"),
    "yaw": ("N", "eta[psi]", "nu[r]"),
}


def loop_rows(found: Look) -> Iterator[tuple[str, ...]]:
    """A row for each loop: name, crossover, margins of phase, gain and delay, disk margin."""
    for name, one in found.margins.items():
        down = "" if one.gain_down is None else f"{one.gain_down:.3g} … "
        up = "∞" if one.gain is None else f"{one.gain:.3g}"
        yield (
            name,
            "-" if one.crossover is None else f"{one.crossover:.3g} rad/s",
            "-" if one.phase is None else f"{np.degrees(one.phase):.0f}°",
            f"{down}{up}",
            "-" if one.delay is None else f"{one.delay:.2g} s",
            f"{one.disk:.2f}",
        )


LOOP_HEADER = ("loop, opened at", "crossover", "phase margin", "gain, from … to", "delay", "disk")


def together(found: Look) -> str:
    """What the disk margin of all loops together means."""
    if len(found.open_loops.together) < 2 or found.unstable:
        return ""
    return (
        f"all loops together have a disk margin of {found.disk:.2f}: each gain may change by "
        f"{gain_of(found.disk):.2f}, or each phase by {np.degrees(phase_of(found.disk)):.0f}°, at once"
    )


def mode_lines(found: Look) -> Iterator[str]:
    """Modes that are unstable, that ring, that are slow, and that no controller acts on."""
    for mode in found.modes:
        if mode.unstable:
            yield found.say(mode)
    for mode in found.modes:
        if mode.ringing and mode.acting:
            how = f"damping ratio {abs(mode.damping):.2f}, period {mode.period:.3g} s"
            yield f"{_named(mode)} rings: {how}; {_by(mode)}"
        elif mode.ringing:
            yield (
                f"{_named(mode)} rings, and no controller acts on it: damping ratio {abs(mode.damping):.2f}, "
                f"period {mode.period:.3g} s"
            )
    for mode in found.modes:
        if not mode.unstable and not mode.ringing and 1e-3 < -mode.value.real < 1.0 / (SLOW * found.span):
            yield f"{_named(mode)} is slow: time constant {mode.time_constant:.3g} s; {_by(mode)}"


def _named(mode: Mode) -> str:
    return f"{mode.name} ({mode.symbols})"


def _by(mode: Mode) -> str:
    return f"the loop of {mode.acting[0]} moves it most" if mode.acting else "no controller acts on it"


def gain_rows(made: Design) -> Iterator[tuple[str, str, str]]:
    """Gains before and after."""
    for name, (old, new) in made.gains.items():
        yield name, _number(old), _number(new)


def error_lines(made: Design) -> Iterator[str]:
    """Errors of both runs, and by how much those that grew did; then controllers whose gains were not taken."""
    for name, (was, then) in made.errors.items():
        grew = then > GROWN * was and then > 1e-6
        mark = "" if not grew else f" ({100.0 * (then / was - 1.0):.0f} % more)" if was > 0.0 else " (more)"
        yield f"in the run, {name}, RMS: {was:.3g}, then {then:.3g}{mark}"
    for name, why in made.left.items():
        yield f"{name} keeps its gains: {why}"


def _number(value: object) -> str:
    return ", ".join(f"{one:.4g}" for one in np.ravel(np.asarray(value, dtype=float)))


def controller_wanted(made: Design) -> str:
    """What to add where a mode has no controller of its own, as lines of the scenario; empty where that is not it."""
    if not made.before.unstable:
        return ""
    mode = made.before.unstable[0]
    axis = next((word for word in _AXES if any(_AXES[word][2] in state for state in mode.states)), None)
    if axis is None or made.before.calmed_by(mode) is not None:
        return ""
    port, angle, rate = _AXES[axis]
    vessel = next(state for state in mode.states if rate in state).rpartition(".")[0]
    wrenches = [name for name, block in made.scenario.diagram.blocks().items() if isinstance(block, ComposeWrench)]
    gains = _start_gains(made, mode, vessel, rate)
    if not wrenches or gains is None:
        return ""
    kp, kd = gains
    inner = f"kp: {kp:.2g}, kd: {kd:.2g}, derivative: rate, angle: true"
    return "\n".join(
        (
            f"a controller of {axis} to begin with, which `keelblocks lab design` then tunes:",
            "  blocks:",
            "    level: {type: basic.Constant, parameters: {value: 0}}",
            f"    {axis}: {{type: control.PID, parameters: {{{inner}}}}}",
            "  connections:",
            f"    level.y: {axis}.reference",
            f"    {vessel}.{angle}: {axis}.measurement",
            f"    {vessel}.{rate}: {axis}.rate",
            f"    {axis}.output: {wrenches[0]}.{port}",
        )
    )


def _start_gains(made: Design, mode: Mode, vessel: str, rate: str) -> tuple[float, float] | None:
    """k_p = I ω² and k_d = 2 I ω of a rotation with the inertia I, ω twice what grows. None without an inertia."""
    mass = getattr(made.scenario.diagram.blocks().get(vessel), "mass_matrix", None)
    if mass is None or np.shape(mass) != (6, 6):
        return None
    k = "uvwpqr".index(rate[-2])
    omega = 2.0 * mode.value.real
    return float(mass[k, k]) * omega**2, 2.0 * float(mass[k, k]) * omega
