"""`keelblocks check` of topics under `live:`, which needs no ROS 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from blocks.cli.commands import cli

EXAMPLE = Path(__file__).parents[3] / "examples" / "otter_ros2.yaml"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "eta: vessel.eta, nu",
            "eta: vessel.etta, nu",
            "topic odom: no signal 'vessel.etta'; did you mean 'vessel.eta'",
        ),
        ("surge: surge, ", "surge: sirge, ", "topic cmd_vel: no input 'sirge'; did you mean 'surge'"),
        ("surge: surge, ", "surge: 'surge[X]', ", "surge has no element 'X'; valid: 0"),
        (
            "nav_msgs/Odometry",
            "nav_msgs/Odometri",
            "live.ros2.topics.odom: no messages of type 'nav_msgs/Odometri' here",
        ),
        ("deadband: 0.1", "deadzone: 0.1", "unknown key 'deadzone' in live.ros2.inputs.joy.axes.surge"),
        ("node: otter", "node: otter-1", "live.ros2.node: 'otter-1' is not a name of ROS 2"),
    ],
)
def test_check_finds_topics_that_do_not_fit_with_their_line(tmp_path, old, new, said):
    text = EXAMPLE.read_text(encoding="utf-8")
    file = tmp_path / "otter.yaml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    line = next(number for number, each in enumerate(file.read_text("utf-8").splitlines(), 1) if new in each)
    ran = CliRunner().invoke(cli, ["check", str(file)])
    assert ran.exit_code == 2
    assert f"otter.yaml:{line}: {said}" in " ".join(ran.stderr.split())
