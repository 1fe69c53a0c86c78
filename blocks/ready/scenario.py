"""A scenario for a vehicle: wired, tuned, with comments.

Gains are slowed down together until every loop has the margins wanted, as `blocks.lab.design` finds them where the
vehicle is under way, all other loops closed; if that never is, those with the best margins are taken.
"""

from __future__ import annotations

import json
import math
import re
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from blocks.diagram import Diagram
from blocks.errors import ScenarioError
from blocks.lab.design.look import LEAST_PHASE, Look, look
from blocks.ready.controllers import controllers, outputs_of
from blocks.ready.craft import KINDS, Craft, cruise_speed, drag
from blocks.ready.drive import Drive, Wires
from blocks.ready.drives import drive_of
from blocks.ready.gains import Axis, axis
from blocks.ready.text import Piece, Said, block_lines, comment, number, quantity, wires
from blocks.scenario import Scenario
from blocks.simulation import simulate

PHASE, GAIN = math.radians(45.0), 2.0
"""What every loop is to have: margin of phase, rad, and of gain."""
_PHASE_OF_GUIDANCE = 1.1 * LEAST_PHASE
"""What loops through guidance are to have, rad: a little more than what `keelblocks check` warns of."""
_SLOWER = (1.0, 0.7, 0.5, 0.35, 0.25, 1.4, 2.0)
_SLOWER_OF_FINS = (0.5, 0.35, 0.25, 0.18, 0.7, 1.0, 1.4)
"""In the order in which they are tried; hulls with fins aft tend to be unstable without quick ones."""
_FIRMER = 1.3
"""How much larger k_d of heading is tried than the rules have it, where fins steer."""
_STEPS = (0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_RATIO = 0.25
"""The damping ratio that modes of steering are to have at least."""
_SWING = 0.05
"""How far the track may weave on a leg, of the lookahead distance."""
_NO_TEXT = ("true", "false", "yes", "no", "on", "off", "null")
"""What is no name in YAML, unless it is quoted."""
_SLOWEST = 0.005
"""The least speed of a mission, lengths of the vehicle per second: less, and its legs take days."""
_DRIFT = 1e-3
"""Eigenvalues beyond this, 1/s, are unstable; those of what only drifts are 0."""
Found = dict[str, tuple[float, float]]
"""The margins of loops by their controllers: of phase in rad and of gain, infinite where there is no crossover."""


@dataclass(frozen=True)
class Made:
    """A scenario that was made: its text, its speed in m/s, and the margins of its loops."""

    text: str
    speed: float
    margins: Found


@dataclass(frozen=True)
class Plan:
    """The vehicle, its drive, where it goes and with what gains."""

    craft: Craft
    drive: Drive
    speed: float
    axes: dict[str, Axis]
    far: float = 1.0
    """How much farther it looks ahead than it would usually."""
    step: float = 0.01

    @property
    def lookahead(self) -> float:
        """Three lengths, and the way that the vehicle goes while it turns."""
        return _round(self.far * max(3.0 * self.craft.length, 4.0 * self.speed / self.axes["N"].wish))

    @property
    def leg(self) -> float:
        """Of the first leg, m."""
        return _round(max(80.0 * self.speed, 16.0 * self.lookahead))

    @property
    def waypoints(self) -> list[list[float]]:
        """Along, across and back; under sail across a wind from north, which is along the others' second leg."""
        leg, across = self.leg, _round(max(self.leg / 3.0, 2.0 * self.lookahead))
        depths = {"rov": (2.0, 4.0, 4.0, 3.0), "auv": (5.0, 8.0, 8.0, 6.0)}.get(self.craft.kind, (0.0,) * 4)
        plane = [(0.0, 0.0), (leg, 0.0), (leg, across), (0.0, across)]
        turned = [(-y, x) for x, y in plane] if self.craft.kind == "sailboat" else plane
        return [[x + 0.0, y + 0.0, z] for (x, y), z in zip(turned, depths, strict=True)]


def make(vessel: Craft, file: Path, speed: float | None = None) -> Made:
    """The scenario of a vehicle, for a file, which is not written; `speed`: through the water, m/s.

    Raises what blocks and vehicle files raise.
    """
    plans = _plans(vessel, speed)
    best: tuple[float, Plan] | None = None
    for plan in plans:
        reached = _examined(plan, file, least=1.0)[1]
        if best is None or reached > best[0]:
            best = reached, plan
        if reached >= 1.0:
            break
    assert best is not None
    found, _, step = _examined(best[1], file)
    plan = replace(best[1], step=step)
    return Made(_text(plan, file, found), plan.speed, found)


def _worst(found: Found) -> float:
    """The least margin of all loops, 1 where it is just what is wanted."""
    return min((min(phase / PHASE, gain / GAIN) for phase, gain in found.values()), default=-math.inf)


def _plans(vessel: Craft, speed: float | None) -> list[Plan]:
    at = speed or cruise_speed(vessel, drive_of(vessel).limits.get("X", (0.0, 0.0))[1])
    if at < _SLOWEST * vessel.length:
        raise ScenarioError(
            f"{at:g} m/s is no speed of a mission for {vessel.name}, which is {vessel.length:g} m long: "
            f"choose {number(_SLOWEST * vessel.length, 2)} m/s or more"
        )
    drive = drive_of(vessel, at)
    if "X" in drive.limits and (needed := drag(vessel.vessel, at)) > 0.9 * drive.limits["X"][1]:
        raise ScenarioError(
            f"{at:g} m/s takes {needed:.3g} N, and the thrusters of {vessel.name} give {drive.limits['X'][1]:.3g} N at "
            f"most there, of which a tenth is for control: choose a lower speed"
        )
    names = [name for name in "XYNZKM" if name in drive.limits and (name not in "YZ" or not vessel.floats)]
    if vessel.floats or ("M" not in names):
        names = [name for name in names if name not in "KM"]
    factors, of_speed = (_SLOWER_OF_FINS, 1.6) if drive.damping else (_SLOWER, 1.0)
    axes = {
        slower: {
            name: axis(vessel, drive, name, at, max(slower, of_speed) if name == "X" else slower) for name in names
        }
        for slower in factors
    }  # quick fins do not make a shaft quick
    tries = [(far, 1.0) for far in (1.0, 2.0, 3.0)]
    if "N" in drive.damping:
        tries.insert(1, (1.0, _FIRMER))
    return [Plan(vessel, drive, at, _firmer(axes[slower], firm), far) for far, firm in tries for slower in factors]


def _firmer(axes: dict[str, Axis], factor: float) -> dict[str, Axis]:
    """With so much more against the rate of turn: it gives phase to a hull that keeps no course by itself."""
    return {**axes, "N": replace(axes["N"], kd=factor * axes["N"].kd)} if factor != 1.0 else axes


def _examined(plan: Plan, file: Path, least: float = -math.inf) -> tuple[Found, float, float]:
    """The margins of all loops under way; how good they are; a step that the fastest mode allows.

    What is just good enough is 1, and how far steering is damped and the track straight counts, too, and the margins
    of loops through guidance. With less than `least` the track is not looked at; of a vehicle that is not stable the
    margin of heading is 0.
    """
    scenario = Scenario.from_text(_text(plan, file, {}), str(file))
    seen = look(scenario, also=outputs_of(plan.axes))
    if seen is None:
        return {}, -math.inf, plan.step
    found: Found = {}
    for controller, output in outputs_of(plan.axes).items():
        here = seen.margins.get(output)
        if here is None:
            continue
        factors = [math.inf if here.gain is None else here.gain, 1.0 / here.gain_down if here.gain_down else math.inf]
        found[controller] = math.inf if here.phase is None else here.phase, min(factors)
    damped = _damped(seen, 1.2 * plan.axes["N"].wish)
    if damped < 0.0 and "heading" in found:
        found["heading"] = 0.0, found["heading"][1]
    asked = [one.phase for name, one in seen.margins.items() if seen.steers(name) and one.phase is not None]
    good = min(damped, _worst(found), min(asked, default=math.inf) / _PHASE_OF_GUIDANCE)
    if good >= least:
        good = min(good, _calm(scenario.diagram, plan))
    fastest = max((abs(mode.value) for mode in seen.modes), default=1.0)
    return found, good, next((step for step in _STEPS if step * fastest <= 1.0), _STEPS[-1])


def _damped(seen: Look, below: float) -> float:
    """1 and more if no slow mode, that of steering, swings long; negative if the vehicle is not stable."""
    values = np.array([mode.value for mode in seen.modes])
    if bool((values.real > _DRIFT).any()):
        return -1.0
    slow = values[(np.abs(values) < below) & (values.imag != 0.0)]
    ratio = float((-slow.real / np.abs(slow)).min(initial=1.0))
    return ratio / _RATIO


def _calm(diagram: Diagram, plan: Plan) -> float:
    """1 and more if the last third of the first leg is straight.

    What is linear about one point does not tell of forces that have a kink at it.
    """
    end = 0.9 * plan.leg / plan.speed
    run = simulate(diagram, end, step=plan.step, every=20, record=["guidance.cross_track_error"])
    error = run.values("guidance.cross_track_error")
    swing = float(np.ptp(error[2 * len(error) // 3 :]))
    return _SWING * plan.lookahead / max(swing, 1e-9)


def _round(value: float) -> float:
    """To a number that one would write: 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten, the nearest above."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(
        f"{next(m for m in (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0) if m * power >= 0.999 * value) * power:.3g}"
    )


def _text(plan: Plan, file: Path, found: Found) -> str:
    name = re.sub(r"[^0-9A-Za-z_]+", "_", file.stem)
    if not re.match("[A-Za-z]", name) or name.lower() in _NO_TEXT:
        name = f"mission_{name}"
    vessel, drive = plan.craft, plan.drive
    pieces: list[Piece] = [_current(plan), _vessel(plan), _guidance(plan)]
    control, control_wires = controllers(plan.axes, drive, plan.speed, found, vessel)
    power = drive.power or "shaft.power"
    meters = [Piece("meter", "power.EnergyMeter", comment="for a battery that runs down: power.Battery")]
    extra: Wires = [(power, "meter.power")]
    if vessel.kind == "sailboat":
        meters, extra = [], []
    elif not drive.power:
        meters.insert(0, Piece("shaft", "power.ThrustPower", comment="the power that the thrust has in the water"))
        extra = [("vessel.nu_r", "shaft.nu_r"), (drive.force, "shaft.force"), *extra]
    joined = [
        ("current.current", "vessel.current"), ("vessel.eta", "guidance.eta"), ("vessel.nu", "guidance.nu"),
        *control_wires, *drive.wires, (drive.force, "vessel.force"), *extra,
    ]  # fmt: skip
    outputs = {
        "eta": "vessel.eta", "nu": "vessel.nu", "cross_track_error": "guidance.cross_track_error",
        "waypoint": "guidance.waypoint", "finished": "guidance.finished", **drive.shown,
    }  # fmt: skip
    if meters:
        outputs |= {"power": "meter.total_power", "energy": "meter.energy"}
    way = sum(math.dist(a[:2], b[:2]) for a, b in zip(plan.waypoints, plan.waypoints[1:], strict=False))
    slow = 5.0 if vessel.kind == "sailboat" else 2.5
    end = _round(slow * way / plan.speed)
    every = max(1, round(_round(max(end / 2000.0, plan.step)) / plan.step))
    called = vessel.file.title.partition(",")[0]
    body = "".join(block_lines(piece) for piece in [*pieces, *control, *drive.pieces, *meters])
    return (
        _head(plan, file)
        + f"keelblocks: 1\nname: {name}\ntitle: {_plain(f'{called} follows waypoints in a current')}\ndescription: >-\n"
        + comment(
            f"{KINDS[vessel.kind].capitalize()} goes {way:.0f} m along {len(plan.waypoints)} waypoints by line of "
            f"sight at {plan.speed:g} m/s through the water, in a current. Made by keelblocks new {vessel.kind}.", 2
        ).replace("# ", "")
        + "\ndiagram:\n  blocks:\n" + body
        + "  connections:\n" + wires(joined)
        + "  outputs:\n" + "".join(f"    {key}: {port}\n" for key, port in outputs.items())
        + f"\nrun:\n  solver: rk4\n  step: {plan.step:g}\n  end: {end:g}\n"
        + "  stop: guidance.finished           # at the last waypoint; without this line it holds there until the end\n"
        + f"  every: {every:<27} # {every * plan.step:g} s between points\n"
    )  # fmt: skip


def _plain(title: str) -> str:
    """Text as YAML takes it: quoted if anything in it may mean something else there."""
    return title if re.fullmatch(r"[^\W\d_][\w ./()-]*", title) else json.dumps(title, ensure_ascii=False)


def _head(plan: Plan, path: Path) -> str:
    vessel = plan.craft
    file = shlex.quote(path.as_posix())
    commands = {
        f"keelblocks run {file}": "a summary, figures, and the result as NetCDF",
        f"keelblocks check {file}": "after a change: what is wrong or improbable, and where",
        f"keelblocks share {file}": "one page that simulates again while one drags",
        f"keelblocks lab linearize {file}": "its modes; keelblocks lab --help has margins and more",
        f"keelblocks export {file}": "an FMU for other tools",
    }
    width = max(map(len, commands)) + 4
    lines = "# yaml-language-server: $schema=.keelblocks/schema.json\n#\n"
    lines += "".join(f"#     {command:{width}}{what}\n" for command, what in commands.items()) + "#\n"
    show = f"keelblocks show vehicle {shlex.quote(vessel.name)}"
    return lines + comment(
        f"The numbers of the vehicle are in its file, each with its source: {show}. A parameter given here takes the "
        "place of one there. To change first: waypoints, cruise_speed and current. The gains were computed for "
        f"{plan.speed:g} m/s by rules of docs/first_scenario.md; beside them stand the margins of each loop, all "
        "others closed. With another speed or payload, make the file anew (--speed) or look at its margins."
    )  # fmt: skip


def _current(plan: Plan) -> Piece:
    speed = float(f"{0.15 * plan.speed:.1g}")
    towards = 180 if plan.craft.kind == "sailboat" else 90
    flow = {"speed": quantity(speed, "m/s"), "direction": Said(f"{towards} deg", "where it flows to, from north")}
    return Piece("current", "environment.UniformCurrent", flow)


def _vessel(plan: Plan) -> Piece:
    vessel = plan.craft
    start: dict[str, object] = {}
    first = plan.waypoints[0]
    heading = "90 deg" if vessel.kind == "sailboat" else "0"
    if any(first) or heading != "0":
        start["initial_eta"] = Said(f"[0, 0, {first[2]:g}, 0, 0, {heading}]", "at the first waypoint")
    if plan.drive.steers_under_way:
        start["initial_nu"] = Said(f"[{plan.speed:g}, 0, 0, 0, 0, 0]", "under way: it does not steer at rest")
    note = ""
    if vessel.section == "planar" or ("planar" in vessel.file.sections and "dynamics" in vessel.file.sections):
        other = vessel.file.sections["dynamics"].type
        note = f"surge, sway and yaw; with heave, roll and pitch: type: {other}"
    return Piece("vessel", vessel.vessel.type_name(), start, vessel.name, vessel.section, note)


def _guidance(plan: Plan) -> Piece:
    taper = not plan.drive.steers_under_way
    parameters: dict[str, object] = {
        "waypoints": Said([list(point) for point in plan.waypoints], "north, east, down, m"),
        "acceptance_radius": quantity(_round((0.4 if taper else 0.6) * plan.lookahead), "m"),
        "switching": Said("along_track", "abeam counts, too: it does not turn back"),
        "cruise_speed": quantity(plan.speed, "m/s"),
        "lookahead": Said(quantity(plan.lookahead, "m"), "shorter: back on the leg sooner, until it weaves"),
        "speed_taper": Said(taper, "slow down to turn" if taper else "it has to keep its speed to steer"),
    }
    parameters["integral_gain"] = Said(quantity(0.2 * plan.speed, "m/s"), "finds the crab angle in a current")
    if not plan.craft.floats:
        parameters["depth_reference"] = Said("leg", "descend along the leg, not at its beginning")
    return Piece("guidance", "guidance.IntegralLineOfSight", parameters)
