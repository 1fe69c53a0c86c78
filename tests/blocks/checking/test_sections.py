"""Faults of `report`, `live` and `environment`: all of them, with the diagram in order and without."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks.checking import check_text, fix_text

TEXT = """\
keelblocks: 1
name: helm
diagram:
  blocks:
    vessel: {type: dynamics.Vessel3DOF, vehicle: otter}
    heading: {type: control.PID, parameters: {kp: 200, kd: 150, derivative: rate, angle: true}}
    wrench: {type: control.ComposeWrench}
    spare: {type: basic.Gain, parameters: {gain: 2}}
  inputs: {wanted: heading.reference, ahead: wrench.X, play: spare.u}
  connections:
    vessel.eta[psi]: heading.measurement
    vessel.nu[r]: heading.rate
    heading.output: wrench.N
    wrench.force: vessel.force
  outputs: {eta: vessel.eta}
run: {step: 0.02, end: 10, inputs: {wanted: 0, ahead: 70, play: 0}}
report:
  plots: ["vessel.eta[psi]", vessel.etta]
live:
  show: ["vessel.nu[q9]", eta]
  change: [wanted, heading.kq]
  sinks:
    screen: {udp: 5006, signals: [vessel.mu]}
    file: {file: a.csv, signals: ["vessel.*", "vassel.*"]}
  topics:
    odom: {type: nav_msgs/Odometry, eta: vessel.eta, nu: vessel.nuu}
    twist: {type: geometry_msgs/Twist, nu: vesel.nu}
  ros2:
    inputs:
      go: {type: std_msgs/Float64, data: ahed}
  ardupilot:
    vessel: wrench
    imu: spare
    rangefinders: [spare.z]
    servos:
      wanted[2]: {channel: 1, low: -1, high: 1}
environment:
  interval: 0.03 s
  episode: 20 s
  derived:
    error: wrap(vessel.eta[psj])
    twice: 2 * error
  action:
    wrench.N: [-60 N*m, 60 kg]
    wrench.Q: [-1, 1]
  observation:
    psi: {of: "wrap(vessel.eta[psi])", range: [-180 deg, 180 deg]}
    vessel.nuu: [-1, 1]
  reward:
    heading: -abs(error)
    effort: -wrench.N ** 2 - vessel.speed
  randomise:
    vessel.initial_etta[psi]: {uniform: [-90 deg, 90 deg]}
"""
FAULTS = {
    "vessel.etta": "plots: no output 'vessel.etta'",
    "q9": "vessel.nu has no element 'q9'",
    "heading.kq": "no input or parameter 'heading.kq'",
    "vessel.mu": "no signal 'vessel.mu'",
    "vassel.*": "no signal 'vassel.*'",
    "nu: vessel.nuu}": "topic odom: no signal 'vessel.nuu'",
    "vesel.nu}": "topic twist: no signal 'vesel.nu'",
    "ahed": "topic go: no input 'ahed'",
    "vessel: wrench": "live.ardupilot.vessel: 'wrench' must be a dynamics block",
    "imu: spare": "live.ardupilot.imu: 'spare' must be a sensors.Imu",
    "spare.z": "live.ardupilot.rangefinders: there is no output 'spare.z'",
    "wanted[2]": "live.ardupilot.servos: wanted[2]: 'wanted' has no element '2'",
    "interval:": "interval: 0.03 s must be a whole number of steps of 0.02 s",
    "[psj]": "derived.error: vessel.eta has no element 'psj'",
    "60 kg": "action.wrench.N: '60 kg' is in kg, but N*m is wanted",
    "wrench.Q": "action.wrench.Q: ",
    "vessel.nuu: [": "observation.vessel.nuu: no signal 'vessel.nuu'",
    "effort": "reward.effort: no signal 'vessel.speed'",
    "initial_etta": "randomise.vessel.initial_etta[psi]: no parameter 'vessel.initial_etta'",
}
OF_SIZES = ("q9", "wanted[2]", "[psj]", "vessel: wrench", "imu: spare", "wrench.Q")
"""What is not told where a block could not be made."""


def line_of(words: str) -> int:
    return next(number for number, line in enumerate(TEXT.splitlines(), 1) if words in line)


@pytest.mark.parametrize(
    ("old", "new", "more", "untold"),
    [
        ("", "", None, ()),
        ("ahead: wrench.X, ", "", "unknown-input", ()),
        ("    vessel.nu[r]: heading.rate\n", "", "unconnected-input", ()),
        ("basic.Gain", "basic.Gian", "unknown-type", OF_SIZES),
    ],
)
def test_all_faults_are_told_once_each(old: str, new: str, more: str | None, untold: tuple[str, ...]) -> None:
    text = TEXT.replace(old, new, 1) if old else TEXT
    found = check_text(text, "helm.yaml").problems
    moved = text.count("\n") - TEXT.count("\n")
    told = [(problem.line, problem.message) for problem in found if problem.path[0] not in ("diagram", "run")]
    for words, message in FAULTS.items():
        line = line_of(words) + moved
        those = [one for one in told if one[0] == line and one[1].startswith(message)]
        if words in untold:
            told = [one for one in told if one not in those]
            continue
        assert len(those) == 1, (words, message, told)
        told.remove(those[0])
    assert not told
    assert (more is None) or any(problem.code == more for problem in found)


def test_lines_are_those_of_the_text_that_is_checked(tmp_path: Path) -> None:
    """Not those of the file, which may say something else by then, as it does while it is mended."""
    file = tmp_path / "helm.yaml"
    file.write_text("keelblocks: 1\n", encoding="utf-8")
    found = check_text(TEXT, str(file)).problems
    assert {problem.line for problem in found} == {line_of(words) for words in FAULTS}
    fixed = fix_text(TEXT, str(file))
    assert "nu: vessel.nu}" in fixed.checked.text
    assert "heading.kp]" not in fixed.checked.text  # which of kp, ki and kd is not plain


@pytest.mark.parametrize("wrong", ["basic.Nothing", "control.ComposeWrench, vehicle: minrva"])
def test_without_a_block_the_rest_is_told_still(wrong: str) -> None:
    """A copy without it, on which an environment is tried, is not made."""
    codes = {one.path[0] for one in check_text(TEXT.replace("control.ComposeWrench", wrong), "helm.yaml").problems}
    assert codes == {"diagram", "report", "live"}
