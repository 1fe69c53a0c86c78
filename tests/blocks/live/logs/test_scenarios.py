"""Logs as inputs of scenarios, by the command line too."""

import sys
import types
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from blocks import Result
from blocks.cli.commands import cli
from blocks.errors import ScenarioError
from blocks.live.logs import BagError, bag_inputs
from blocks.scenario import Scenario

BOAT = """\
keelblocks: 1
name: boat
diagram:
  blocks:
    vessel:
      type: dynamics.NomotoVessel
      parameters: {{gain: 1, time_constant: 2, rudder_moment: 3, surge_gain: 1, surge_time_constant: 4}}
  inputs: {{force: vessel.force}}
  outputs: {{eta: vessel.eta}}
run:
  step: 0.05
  end: 6
  inputs:
    force: {force}
"""
SERIES = (
    "{times: [0, 2, 4], values: [[9, 0, 0, 0, 0, 2], [0, 3, 0, 0, 0, -4], [5, 0, 0, 0, 0, 0]], interpolation: hold}"
)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    (tmp_path / "boat.yaml").write_text(BOAT.format(force=SERIES))
    done = CliRunner().invoke(cli, ["run", "boat.yaml", "--no-figures", "--format", "mcap", "--format", "nc", "-q"])
    assert done.exit_code == 0, done.output
    return tmp_path / "results" / "boat"


def test_a_recorded_run_is_had_again_by_the_command_line(recorded, tmp_path):
    (tmp_path / "again").mkdir()
    log = "{file: ../results/boat/boat.mcap, topic: /force_series/y}"
    (tmp_path / "again" / "boat.yaml").write_text(BOAT.format(force=log))
    for scenario, folder in (("again/boat.yaml", "one"), ("one/boat.yaml", "two")):  # as it was run, it runs again
        done = CliRunner().invoke(cli, ["run", scenario, "--no-figures", "--output", folder, "-q"])
        assert done.exit_code == 0, done.output
        first, again = (Result.load(path / "boat.nc")["vessel.eta"] for path in (recorded, tmp_path / folder))
        assert first.values.tobytes() == again.values.tobytes()
    assert "file: ../results/boat/boat.mcap" in (tmp_path / "two" / "boat.yaml").read_text()
    assert Scenario.load("two/boat.yaml") == Scenario.load("two/boat.yaml")


def test_a_live_run_is_had_again_by_the_command_line(tmp_path, monkeypatch):
    """Steered from outside at every turn, with its log named in the scenario."""
    helms = types.ModuleType("helms")
    random = np.random.default_rng(8)
    helms.steer = lambda simulator, t: simulator.__setitem__("force", random.normal(size=6))
    monkeypatch.setitem(sys.modules, "helms", helms)
    live = "live: {factor: free, rate: 5 Hz, log: live.mcap, sources: {helm: {python: helms.steer}}}\n"
    (tmp_path / "live.yaml").write_text(BOAT.format(force=[0, 0, 0, 0, 0, 0]) + live)
    (tmp_path / "again.yaml").write_text(BOAT.format(force="{file: live/live.mcap, topic: /force}"))
    for command in (
        ["live", "live.yaml", "--plain", "-o", "live"],
        ["run", "again.yaml", "--no-figures", "-o", "again"],
    ):
        done = CliRunner().invoke(cli, command)
        assert done.exit_code == 0, done.output
    first, again = (Result.load(tmp_path / name / "boat.nc")["vessel.eta"].values for name in ("live", "again"))
    assert np.ptp(first[:, 5]) > 0.0
    assert first.tobytes() == again.tobytes()


def test_a_log_is_held_unless_it_is_said_to_be_linear(recorded):
    log = "{file: results/boat/boat.mcap, topic: /force_series/y, interpolation: linear}"
    inputs = bag_inputs(recorded / "boat.mcap", {"force": "/force_series/y"})
    for force, way in ((log, "linear"), (log.replace(", interpolation: linear", ""), "hold")):
        scenario = Scenario.from_text(BOAT.format(force=force), "boat.yaml")
        with scenario.simulator() as simulator:
            simulator.advance(until=2.0 - 0.025)
            wanted = 4.5 if way == "linear" else 9.0
            simulator.refresh()
            assert float(simulator["force_series.y"][0]) == pytest.approx(wanted)
    assert np.ptp(inputs["force"][1][:, 0]) == 9.0


def test_what_is_wrong_has_its_line(recorded):
    for keys, said in (
        ("boat.mcp, topic: /x", "there is no file .*boat.mcp; did you mean 'boat.mcap'"),
        ("boat.mcap, topic: /forse_series/y", "no messages on the topic .*did you mean '/force_series/y'"),
        ("boat.mcap", "say which topic of it gives the input"),
        ("boat.nc, topic: /x", r"no files with this ending can be an input; those that can: \.db3, \.mcap"),
        ("boat.mcap, topik: /x", "unknown key 'topik' in run.inputs.force; did you mean 'topic'"),
        ("boat.mcap, topic: /vessel/eta, interpolation: [hold]", "one for each of its elements: 6"),
    ):
        with pytest.raises(ScenarioError, match=rf"boat\.yaml:14: .*{said}"):
            Scenario.from_text(BOAT.format(force=f"{{file: results/boat/{keys}}}"), "boat.yaml")


def test_topics_of_a_scenario_are_in_its_logs(tmp_path):
    """As far as their signals were recorded, besides every signal's own."""
    topics = """\
live:
  topics:
    /heading: {type: std_msgs/Float64, data: "vessel.eta[psi]", rate: 1 Hz}
    /speed: {type: geometry_msgs/TwistStamped, nu: vessel.nu}
"""
    scenario = Scenario.from_text(BOAT.format(force=[1, 0, 0, 0, 0, 1]) + topics)
    path = scenario.run(record="vessel.eta").save(tmp_path / "run.mcap")
    assert len(bag_inputs(path, {"psi": "/heading", "eta": "/vessel/eta"})["psi"][0]) == 7
    with pytest.raises(BagError, match="no messages on the topic '/speed'; valid: /heading, /vessel/eta"):
        bag_inputs(path, {"nu": "/speed"})
    for good, bad, said in (
        ("data", "date", "scenario:17: live.topics./heading lacks 'data'"),
        ("/speed", "/my speed", "live.topics./my speed: '/my speed' is not a topic: /name"),
        ("vessel.nu", "vessel nu", "nu: 'vessel nu' is not a signal: block.port"),
        ("nu: ", "frame_id: b l, nu: ", "frame_id: 'b l' is not the name of a frame"),
    ):
        with pytest.raises(ScenarioError, match=said):
            Scenario.from_text(BOAT.format(force=[1, 0, 0, 0, 0, 1]) + topics.replace(good, bad))
