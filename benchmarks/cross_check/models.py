"""What is exported: few models, each with much of what FMUs of Keelblocks have in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.fmu.contenders import handwritten
from blocks import Diagram
from blocks.basic import Constant, Gain, LimitedIntegrator, Saturation, Sum, ZeroOrderHold
from blocks.control import PID, ComposeWrench
from blocks.dynamics import NomotoVessel, Vessel3DOF
from blocks.guidance import ReferenceModel
from blocks.scenario import Scenario
from blocks.sensors import Compass
from blocks.thrust import DifferentialThrust
from cython_kernels.plain_c.compilers import own_compiler
from fmu import FmuBlock

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Moves = Mapping[str, Sequence[tuple[float, Any]]]


@dataclass(frozen=True)
class Model:
    """A model of the set.

    make: a fresh diagram; it gets a folder for FMUs that are parts of it. shown: variables of the reference results, by
    their names in FMI 2.0, at most 10, as the rules recommend. step: of the solver, s. interval: from one row of the
    results to the next, and between communication points, s. inputs: for each, (time, value), held until the next one.
    tolerance: of results, by interface, as a fraction of the range of each variable. versions: of FMI, with what else
    is given to `fmu.export`. own_binary: has C in it that is compiled here, and for no other platform.
    missing: what has to be installed to export it, or an empty text.
    """

    name: str
    about: str
    make: Callable[[Path], Diagram]
    shown: tuple[str, ...]
    end: float
    step: float = 0.01
    interval: float = 0.1
    inputs: Moves = field(default_factory=dict)
    tolerance: Mapping[str, float] = field(default_factory=lambda: _tolerance(1e-4))
    versions: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: dict(BOTH))
    interfaces: tuple[str, ...] = ("cs", "me")
    own_binary: bool = False
    missing: Callable[[], str] = lambda: ""


PLAIN = {"arrays": False, "clocks": False}
"""What some tools want of FMI 3.0; one model of the set has arrays and clocks."""
BOTH = {"2.0": {}, "3.0": PLAIN}


def _tolerance(exchange: float) -> dict[str, float]:
    """Co-simulation brings our solver along; in model exchange the solvers of others find events at other instants."""
    return {"cs": 1e-9, "me": exchange}


def _container_needs() -> str:
    if find_spec("fmu_manipulation_toolbox") is None:
        return "fmu-manipulation-toolbox: pip install 'keelblocks[container]'"
    return "" if own_compiler() else "a C compiler: apt-get install gcc"


def ship(**steering: float) -> NomotoVessel:
    """A ship that steers by Nomoto's equation; yaw moments are rudder angles."""
    return NomotoVessel(rudder_moment=1.0, surge_gain=1.0, surge_time_constant=10.0, **steering)


def steering() -> Diagram:
    """A ship steers a course: reference model, PID with anti-windup, steering gear with limits of rate and angle."""
    made = Diagram("steering", title="A ship steers a course")
    made.add("course", ReferenceModel(frequency=0.3, rate_limit=0.05, angle=True))
    made.add("pid", PID(kp=1.2, ki=0.05, kd=6.0, derivative="rate", angle=True, lower=-0.6, upper=0.6))
    made.add("lag", Sum("+-"))
    made.add("drive", Gain(4.0))
    made.add("pump", Saturation(lower=-0.08, upper=0.08))
    made.add("rudder", LimitedIntegrator(lower=-0.35, upper=0.35))
    made.add("moment", Gain(1.0))
    made.add("wrench", ComposeWrench())
    made.add("speed", Constant(4.0))
    made.add("ship", ship(gain=0.12, time_constant=12.0))
    for source, sink in (
        ("course.reference", "pid.reference"), ("ship.eta[psi]", "pid.measurement"), ("ship.nu[r]", "pid.rate"),
        ("pid.output", "lag.in1"), ("rudder.y", "lag.in2"), ("lag.y", "drive.u"), ("drive.y", "pump.u"),
        ("pump.y", "rudder.u"), ("rudder.y", "moment.u"), ("moment.y", "wrench.N"), ("speed.y", "wrench.X"),
        ("wrench.force", "ship.force"),
    ):  # fmt: skip
        made.connect(source, sink)
    made.inputs(course="course.setpoint")
    made.outputs(eta="ship.eta", yaw_rate="ship.nu[r]", rudder="rudder.y", wanted="course.reference")
    return made


def otter(_: Path) -> Diagram:
    """Propellers and hull of the Otter."""
    made = Diagram("otter", title="Otter USV: propellers and hull")
    made.add("thrusters", DifferentialThrust.from_vehicle("otter"))
    made.add("vessel", Vessel3DOF.from_vehicle("otter"))
    made.connect("thrusters.force", "vessel.force")
    made.connect("vessel.nu_r", "thrusters.nu_r")
    made.inputs(command="thrusters.command", current="vessel.current")
    made.outputs(eta="vessel.eta", nu="vessel.nu")
    return made


def sampled_heading(_: Path) -> Diagram:
    """A compass with noise ten times a second, and a controller that acts on its samples."""
    made = Diagram("sampled_heading", title="Heading by samples of a compass with noise")
    made.add("wanted", Constant(0.5))
    made.add("compass", Compass(period=0.1, noise=0.01, bias=0.02, delay=1))
    filtered = {"derivative": "measurement", "filter_coefficient": 3.0}
    made.add("pid", PID(kp=0.8, kd=4.0, angle=True, lower=-0.5, upper=0.5, **filtered))
    made.add("hold", ZeroOrderHold(period=0.1))
    made.add("wrench", ComposeWrench())
    made.add("ship", ship(gain=0.2, time_constant=6.0))
    for source, sink in (
        ("ship.eta", "compass.eta"), ("wanted.y", "pid.reference"), ("compass.heading", "pid.measurement"),
        ("pid.output", "hold.u"), ("hold.y", "wrench.N"), ("wrench.force", "ship.force"),
    ):  # fmt: skip
        made.connect(source, sink)
    made.outputs(heading="ship.eta[psi]", yaw_rate="ship.nu[r]", shown="compass.heading", rudder="hold.y")
    return made


def escort(folder: Path) -> Diagram:
    """A ship that steers the heading of another one, which is an FMU written by hand in C."""
    made = Diagram("escort", title="A ship steers the heading of another one, an FMU written by hand")
    made.add("leader", FmuBlock(handwritten(folder), 0.1, feedthrough=False))
    made.add("follower", steering())
    made.connect("leader.psi", "follower.course")
    made.outputs(led="leader.psi", eta="follower.eta", rudder="follower.rudder")
    return made


def minerva(_: Path) -> Diagram:
    """The mission of the ROV Minerva, plant and autopilot in a closed loop."""
    return Scenario.load(EXAMPLES / "minerva_los.yaml").diagram


def survey(_: Path) -> Diagram:
    """The Otter along its waypoints, with a compass that is looked at ten times a second."""
    made = Scenario.load(EXAMPLES / "otter_los.yaml").diagram
    made.add("compass", Compass(period=0.1, noise=0.01))
    made.connect("vessel.eta", "compass.eta")
    made.outputs(compass="compass.heading")
    return made


MODELS = (
    Model(
        "steering", "PID with anti-windup, reference model, steering gear with end stops; its input jumps",
        lambda _: steering(), ("eta[1]", "eta[2]", "eta[6]", "yaw_rate", "rudder", "wanted[1]"), 120.0, 0.05, 0.5,
        {"course": [(0.0, [0.0]), (5.0, [1.2]), (60.0, [-2.4])]}, _tolerance(1e-4),
    ),
    Model(
        "otter", "propellers and hull; five inputs that jump", otter,
        ("eta[1]", "eta[2]", "eta[6]", "nu[1]", "nu[2]", "nu[6]"), 30.0, 0.02, 0.1,
        {
            "command": [(0.0, [60.0, 60.0]), (10.0, [80.0, 20.0]), (20.0, [-20.0, 40.0])],
            "current": [(0.0, [0.0, 0.3, 0.0]), (15.0, [0.1, -0.2, 0.0])],
        },
        tolerance=_tolerance(1e-5),
    ),
    Model(
        "minerva_los", "the mission of the ROV Minerva in a closed loop", minerva,
        ("eta[1]", "eta[2]", "eta[3]", "eta[6]", "nu[1]", "power", "energy", "cross_track_error", "waypoint"),
        160.0, 0.01, 0.5, tolerance=_tolerance(1e-3),
    ),
    Model(
        "sampled", "a compass with noise and a controller, ten times a second", sampled_heading,
        ("heading", "yaw_rate", "shown", "rudder"), 30.0, 0.01, 0.05,
    ),
    Model(
        "survey", "FMI 3.0 with arrays, a clock, and room for more waypoints", survey,
        ("eta", "nu", "cross_track_error", "waypoint", "compass"), 400.0, 0.02, 1.0, tolerance=_tolerance(1e-3),
        versions={"3.0": {"capacities": {"guidance.n": 20}}},
    ),
    Model(
        "escort", "an FMU that was written by hand in C, inside of one FMU with what is around it", escort,
        ("led", "eta[1]", "eta[2]", "eta[6]", "rudder"), 60.0, 0.05, 0.1,
        versions={"2.0": {}}, interfaces=("cs",), own_binary=True, missing=_container_needs,
    ),
)  # fmt: skip
"""The set."""
