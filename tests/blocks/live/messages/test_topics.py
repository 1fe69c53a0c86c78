"""What topics publish and what they give, by their entries in a file."""

import math

import numpy as np
import pytest
from pydantic import BaseModel

from blocks import Diagram, simulate
from blocks.dynamics import Vessel3DOF
from blocks.errors import ScenarioError
from blocks.live.messages import MessageError, plain, publications, stamp_of, subscriptions
from blocks.live.messages.outgoing import Signals
from blocks.power import Battery
from blocks.scenario import topics_model
from blocks.sensors import Gnss, Imu
from blocks.yaml import findings
from blocks.yaml.reading import read


class File(BaseModel):
    topics: topics_model.Topics = {}
    inputs: topics_model.InputTopics = {}


def entries(text):
    return findings.validated(read(text, "live.yaml"), File, findings.Words())


@pytest.fixture(scope="module")
def boat():
    """A turning boat with instruments, and what it recorded."""
    diagram = Diagram("boat")
    vessel = diagram.add("vessel", Vessel3DOF.diagonal(m=(100, 150, 50), d=(20, 60, 30)))
    imu = diagram.add("imu", Imu(period=0.1, gyro_noise_density=0.02, accelerometer_drift=0.3))
    gnss = diagram.add("gnss", Gnss(0.9, 0.08, period=0.2, horizontal_noise=0.5, vertical_drift=2.0))
    battery = diagram.add("battery", Battery(capacity="10 A*h", open_circuit_voltage=12, initial_state_of_charge=0.5))
    diagram.inputs(force=vessel.force, power=battery.power)
    for sensor in (imu, gnss):
        diagram.connect(vessel.eta, sensor.eta)
        diagram.connect(vessel.nu, sensor.nu)
    diagram.connect(vessel.acceleration, imu.acceleration)
    run = simulate(diagram, 4.0, step=0.1, inputs={"force": [20, 5, 0, 0, 0, 10], "power": [24.0]})
    return run, Signals(run.places, diagram.blocks())


def one(topic, boat, row=-1):
    """The content of the last message of a topic."""
    run, signals = boat
    [made] = publications(entries(f"topics:\n  /t: {topic}\n").topics, signals)
    assert {name.partition("[")[0] for name in made.signals} <= set(run)
    return plain(made.message(lambda name: run.values(name)[row], stamp_of(run.time[row])))


def test_odometry_says_where_the_boat_is_in_east_north_up(boat):
    run, _ = boat
    x, y, z, _, _, psi = run.values("vessel.eta")[-1]
    u, v, _, _, _, r = run.values("vessel.nu")[-1]
    content = one("{type: nav_msgs/Odometry, eta: vessel.eta, nu: vessel.nu, child_frame_id: boat}", boat)
    pose, twist = content["pose"]["pose"], content["twist"]["twist"]
    assert content["header"] == {"stamp": {"sec": 4, "nanosec": 0}, "frame_id": "odom"}
    assert (pose["position"], content["child_frame_id"]) == ({"x": y, "y": x, "z": -z}, "boat")
    yaw = 2 * math.atan2(pose["orientation"]["z"], pose["orientation"]["w"])
    assert math.remainder(yaw - (math.pi / 2 - psi), 2 * math.pi) == pytest.approx(0.0, abs=1e-12)
    assert (twist["linear"]["x"], twist["linear"]["y"], twist["angular"]["z"]) == (u, -v, -r)
    [transform] = one("{type: tf2_msgs/TFMessage, transforms: {boat: vessel.eta}}", boat)["transforms"]
    assert transform["transform"]["translation"] == pose["position"]
    assert transform["transform"]["rotation"] == pose["orientation"]


def test_instruments_give_covariances_of_their_noise(boat):
    inertial = one("{type: sensor_msgs/Imu, block: imu, attitude: vessel.eta}", boat)
    assert inertial["linear_acceleration"]["z"] == pytest.approx(9.81, abs=2.0)
    np.testing.assert_allclose(inertial["angular_velocity_covariance"], 0.02**2 / 0.1 * np.eye(3).ravel())
    np.testing.assert_allclose(inertial["linear_acceleration_covariance"], 0.3**2 * np.eye(3).ravel())
    assert one("{type: sensor_msgs/Imu, block: imu}", boat)["orientation_covariance"][0] == -1.0
    fix = one("{type: sensor_msgs/NavSatFix, block: gnss}", boat)
    assert (fix["latitude"], fix["longitude"]) == pytest.approx((math.degrees(0.9), math.degrees(0.08)), abs=1e-3)
    assert (fix["position_covariance"], fix["status"]["status"]) == ([0.25, 0, 0, 0, 0.25, 0, 0, 0, 4.0], 0)


def test_a_battery_that_discharges_has_a_negative_current(boat):
    state = one("{type: sensor_msgs/BatteryState, block: battery}", boat)
    assert (state["voltage"], state["current"], state["capacity"]) == pytest.approx((12.0, -2.0, 10.0))
    assert (state["power_supply_status"], state["percentage"]) == (2, pytest.approx(0.5 - 4 * 2 / 36000))


def test_any_signal_goes_as_numbers_with_its_labels(boat):
    run, _ = boat
    content = one("{type: std_msgs/Float64MultiArray, data: [vessel.nu, battery.voltage]}", boat)
    [dimension] = content["layout"]["dim"]
    assert dimension["label"].startswith("vessel.nu[u],vessel.nu[v]")
    assert dimension["size"] == len(content["data"]) == 7
    assert one("{type: std_msgs/Float64, data: 'vessel.eta[psi]'}", boat) == {"data": run.values("vessel.eta[psi]")[-1]}


def test_a_run_makes_all_its_messages_at_once(boat):
    run, signals = boat
    [made] = publications(
        entries("topics:\n  o: {type: nav_msgs/Odometry, eta: vessel.eta, nu: vessel.nu}\n").topics, signals
    )
    content = made.message(run.values, stamp_of(run.time))
    single = made.message(lambda name: run.values(name)[7], stamp_of(run.time[7]))
    assert content["pose"]["pose"]["orientation"]["z"][7] == single["pose"]["pose"]["orientation"]["z"]
    assert content["header"]["stamp"]["nanosec"][7] == 700_000_000


def test_inputs_come_back_in_the_axes_of_keelblocks():
    text = """\
inputs:
  /cmd_vel: {type: geometry_msgs/Twist, surge: u, sway: "nu[v]", yaw_rate: r}
  /force: {type: geometry_msgs/WrenchStamped, force: force}
  /joy: {type: sensor_msgs/Joy, axes: {rudder: {index: 1, scale: 30 deg}}}
  /thrust: {type: std_msgs/msg/Float64MultiArray, data: [left, pair]}
"""
    shapes = {"u": (), "nu": (6,), "r": (1,), "force": (6,), "rudder": (1,), "left": (), "pair": (2,)}
    with pytest.raises(
        MessageError, match=r"topic /cmd_vel: input 'r' takes 6 numbers, and the topic gives one number"
    ):
        subscriptions(entries(text).inputs, shapes | {"r": (6,)})
    with pytest.raises(MessageError, match=r"topic /joy: 'r' is given by /cmd_vel already"):
        subscriptions(entries(text.replace("rudder", "r")).inputs, shapes)
    for more, said in (
        ("/a: {type: std_msgs/Float64, data: 'force[0]', priority: 1}", r"'force\[0\]' is given by /force, as 'force'"),
        ("/a: {type: std_msgs/Float64MultiArray, data: [left, left], priority: 1}", "it gives 'left' twice"),
        ("/a: {type: geometry_msgs/Twist, surge: r, sway: r, priority: 1}", "it gives 'r' twice"),
        ("/a: {type: nav_msgs/Odometry, eta: force, nu: force, priority: 1}", "it gives 'force' twice"),
        ("/a: {type: sensor_msgs/Joy, axes: {u: {index: 0, scale: .nan}}, priority: 1}", "'u': scale and offset must"),
    ):
        with pytest.raises(MessageError, match=f"topic /a: .*{said}"):
            subscriptions(entries(f"{text}  {more}\n").inputs, shapes)
    cmd, force, joy, thrust = subscriptions(entries(text).inputs, shapes)
    three = {"x": 1.0, "y": 2.0, "z": 3.0}
    assert cmd.values({"linear": three, "angular": three}) == {"u": 1.0, "nu[v]": -2.0, "r": -3.0}
    assert force.values({"wrench": {"force": three, "torque": three}})["force"].tolist() == [1, -2, -3, 1, -2, -3]
    assert joy.values({"axes": [0.0, -0.5]})["rudder"].tolist() == pytest.approx([-math.radians(15)])
    assert {k: v.tolist() for k, v in thrust.values({"data": [1, 2, 3]}).items()} == {"left": 1.0, "pair": [2.0, 3.0]}
    [pose] = subscriptions(entries("inputs:\n  /p: {type: geometry_msgs/PoseStamped, eta: force}").inputs, shapes)
    for source, message, said in (
        (thrust, {"data": [1.0]}, "has 1 numbers, and 3 are wanted"),
        (joy, {"axes": [0.0]}, "has 1 axes, and number 1 is wanted"),
        (force, {"wrench": {"force": three}}, "no field 'torque'"),
        (cmd, {"linear": three, "angular": {**three, "z": math.nan}}, "'r' that is not finite"),
        (pose, {"pose": {"position": three, "orientation": {**three, "w": math.inf}}}, "'force' that is not finite"),
        (pose, {"pose": {"position": three, "orientation": dict.fromkeys("xyzw", 0)}}, "'force' that is not finite"),
        (thrust, {"data": [10**400, 0, 0]}, "too large"),
    ):
        with pytest.raises(MessageError, match=said):
            source.values(message)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "topics:\n  /o: {type: nav_msgs/Odometri, eta: a.b}",
            "live.yaml:2: topics./o: no messages of type.*did you mean 'nav_msgs/Odometry'",
        ),
        (
            "topics:\n  /o: {type: nav_msgs/Odometry, eta: a.b, nu: c.d, ratio: 3}",
            "unknown key 'ratio' in topics./o; did you mean 'rate'",
        ),
        ("topics:\n  /o: {eta: a.b}", "a mapping with the type of its messages is wanted"),
        ("inputs:\n  /o: {type: sensor_msgs/Imu, block: a}", "no messages of type 'sensor_msgs/Imu' here"),
        ("inputs:\n  /j: {type: sensor_msgs/Joy, axes: {u: {index: -1}}}", "it must be ≥ 0"),
        ("topics:\n  /n: {type: std_msgs/Float64, data: a, rate: 0}", "rate: more than 0 Hz is wanted, not 0"),
        ("topics:\n  /n: {type: std_msgs/Float64, data: a, rate: .inf}", "rate: more than 0 Hz is wanted, not inf"),
        ("topics:\n  /n: {type: std_msgs/Float64, data: a, rate: 3 m}", "rate: '3 m' is in m, but Hz is wanted"),
        ("inputs:\n  /n: {type: std_msgs/Float64, data: a, timeout: .nan}", "timeout: more than 0 s is wanted"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(text, said):
    with pytest.raises(ScenarioError, match=said):
        entries(text)


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        (
            "{type: nav_msgs/Odometry, eta: vesel.eta, nu: vessel.nu}",
            "topic /t: no signal 'vesel.eta'; did you mean 'vessel.eta'",
        ),
        ("{type: nav_msgs/Odometry, eta: 'vessel.eta[psi]', nu: vessel.nu}", "has one number, and 6 numbers is wanted"),
        ("{type: std_msgs/Float64, data: 'vessel.eta[pis]'}", "vessel.eta has no element 'pis'; did you mean 'psi'"),
        ("{type: sensor_msgs/Imu, block: imo}", "no block 'imo' has signals here; did you mean 'imu'"),
        ("{type: sensor_msgs/Imu, specific_force: imu.specific_force}", "say which output 'angular_rate' is"),
    ],
)
def test_what_does_not_fit_the_diagram_is_told_with_its_topic(topic, said, boat):
    with pytest.raises(MessageError, match=said):
        publications(entries(f"topics:\n  /t: {topic}\n").topics, boat[1])
