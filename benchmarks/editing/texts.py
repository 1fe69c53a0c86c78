"""Texts of scenarios that are hard to edit: in flow style, with anchors, tabs, other ends of lines."""

from __future__ import annotations

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"

FLOW = """\
{keelblocks: 1, name: flow, diagram: {blocks: {
  plant: {diagram: {blocks: {state: {type: basic.FirstOrderLag, parameters: {time_constant: 500 ms}},
                             gain: {type: basic.Gain, parameters: {gain: 2.50}}},   # a comment
          inputs: {u: gain.u}, connections: {gain.y: state.u}, outputs: {y: state.y}}},
  meter: {type: basic.Integrator}, second: {type: basic.Gain, parameters: {gain: 1.0e-3}}},
  inputs: {u: plant.u}, connections: {plant.y: [meter.u, second.u]}, outputs: {y: plant.y}},
run: {step: 10 ms, end: 1, inputs: {u: 0}, record: [plant.state.y, meter.y]}}
"""

JSON = """\
{
  "keelblocks": 1,
  "name": "json",
  "diagram": {
    "blocks": {
      "source": {"type": "basic.Constant", "parameters": {"value": 1.50}},
      "gain": {
        "type": "basic.Gain",
        "parameters": {"gain": 3}
      },
      "state": {"type": "basic.Integrator"},
      "other": {"type": "basic.Gain"}
    },
    "connections": {
      "source.y": "gain.u",
      "gain.y": ["state.u", "other.u"]
    },
    "outputs": {"y": "state.y"}
  },
  "run": {"step": 0.1, "end": "1 s", "record": ["state.y", "gain.y"]}
}
"""

ANCHORS = """\
# lags that are alike
keelblocks: 1
name: anchors
title: Gezeiten — ø, π, 船	# a tab before this
diagram:
    blocks:

        first: &lag     # the one that others are like
            type: basic.FirstOrderLag
            parameters: &numbers
                time_constant: &tau 0.50 s\t# tabbed
                initial_x: 1
        second: *lag
        third:
            <<: *lag
            # its own
            parameters: {<<: *numbers, initial_x: 2.0}

        # a gain, in
        # two lines
        'gain': {"type": basic.Gain, parameters: {gain: 1e+0}}
        delay: {type: basic.FirstOrderLag, parameters: {time_constant: *tau}}
    inputs:
        u: [first.u, second.u]
    connections:
        first.y:   # two
        - third.u
        # and
        - gain.u
        "gain.y": delay.u
    outputs: {y: delay.y, z: third.y}
    layout:
        gain: [12, 4]   # by hand
        first: [-2, 3]
run:
    end: 0x2
    step: 10 ms
    inputs: {u: 1}
    record: &shown [first.y, delay.y]
    stop: gain.y
report:
    plots: *shown
"""

SECTIONS = """\
keelblocks: 1
name: sections
diagram:
  title: What names blocks
  blocks:
    vessel:
      type: dynamics.Vessel3DOF
      vehicle: otter
    imu: {type: sensors.Imu, parameters: {period: 20 ms}}
    thrusters: {type: thrust.DifferentialThrust, vehicle: otter}
    course:   # what is wanted
      type: basic.Constant
      parameters:
        value: 0.3     # rad
    difference: {type: basic.Sum, parameters: {signs: '+-'}}
    drive:
      type: basic.MatrixGain
      parameters:
        matrix:
          - [-100.0]   # port
          - [+100.0]   # starboard
    battery:
      type: power.Battery
      parameters: {capacity: 62 A*h, charge: [0, 1], open_circuit_voltage: [24, 33.6], internal_resistance: 5e-2}
  connections:
    vessel.nu_r: thrusters.nu_r
    vessel.eta: imu.eta
    vessel.nu: imu.nu
    vessel.acceleration: imu.acceleration
    course.y: difference.in1
    vessel.eta[psi]: difference.in2     # measured
    difference.y: drive.u
    drive.y: thrusters.command
    thrusters.force: vessel.force
    thrusters.power: battery.power
  outputs: {eta: vessel.eta, nu: 'vessel.nu', heading: "vessel.eta[5]"}

run: {solver: rk4, step: 0.02, end: 1 min, stop: battery.empty, record: ["vessel.*", battery.state_of_charge]}

report:
  vessel: vessel
  thrusters: thrusters     # both
  plots: ['vessel.eta[psi]', battery.voltage]

live:
  show: ["vessel.eta[x]", battery.current]
  change: [course.value]
  sinks:
    display: {udp: 5006, signals: [vessel.eta, heading]}
    file: {file: vessel.csv}
  ros2:
    topics:
      odom: {type: nav_msgs/Odometry, eta: vessel.eta, nu: vessel.nu}
      imu: {type: sensor_msgs/Imu, block: imu, attitude: vessel.eta}
      battery: {type: sensor_msgs/BatteryState, block: battery}
    parameters: [course.*, vessel.initial_eta]
environment:
  interval: 0.1
  episode: 10 s
  derived: {far: "abs(vessel.eta[y])"}
  observation:
    vessel.nu[u]: [0, 2]
    far: [0, 10]
  action: {"thrusters.command": [-100, 100]}
  reward: {near: "-abs(vessel.eta[y])", saving: -0.001*battery.current}
  metrics: {rms_y: "rms(vessel.eta[y])"}
"""

HARD = {"flow": FLOW, "json": JSON, "anchors": ANCHORS, "sections": SECTIONS}


def texts() -> dict[str, str]:
    """Texts by their names: the examples, those that are hard, and all with other ends of lines and files."""
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.yaml"))}
    found |= HARD
    for name, text in list(found.items()):
        found[f"{name}, crlf"] = text.replace("\n", "\r\n")
        found[f"{name}, byte order mark"] = "\ufeff" + text
        found[f"{name}, no last end of line"] = text.rstrip("\n")
    return found
