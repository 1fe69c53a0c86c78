"""What is said of two scenarios that differ, and of two that do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from blocks.difference import scenario_difference, scenario_text
from blocks.errors import ScenarioError
from blocks.scenario import Scenario

LOOP = """\
keelblocks: 1
name: loop
diagram:
  blocks:
    wanted:
      type: basic.Constant
      parameters: {value: 30 deg}
    heading:
      type: control.PID
      parameters: {kp: 2.0, kd: 10}
    ship:
      diagram:
        blocks:
          vessel:
            type: basic.FirstOrderLag
            parameters:
              time_constant: 20 s
        inputs: {rudder: vessel.u}
        outputs: {psi: vessel.y}
  connections:
    wanted.y: heading.reference
    ship.psi: heading.measurement
    heading.output: ship.rudder
run: {end: 60 s, step: 0.1}
"""

Differ = Callable[..., list[str]]


@pytest.fixture
def differ(tmp_path: Path) -> Differ:
    """The lines about two versions of the loop: as it is, and with replacements."""

    def between(*replacements: tuple[str, str], text: str = LOOP) -> list[str]:
        changed = text
        for old, new in replacements:
            assert old in changed
            changed = changed.replace(old, new)
        paths = tmp_path / "a.yaml", tmp_path / "b.yaml"
        for path, content in zip(paths, (text, changed), strict=True):
            path.write_text(content)
        return str(scenario_difference(*paths)).splitlines()

    return between


def test_values_are_said_with_units_as_written_and_in_si(differ: Differ) -> None:
    assert differ(("30 deg", "0.5"), ("20 s", "0.5 min"), ("60 s", "90")) == [
        "~ parameter wanted.value: 30 deg (0.523598776 in SI) → 0.5",
        "~ parameter ship.vessel.time_constant: 20 s → 0.5 min (30 s)",
        "~ setting run.end: 60 s → 90 s",
        "3 differences",
    ]


def test_notation_order_comments_and_defaults_make_no_difference(differ: Differ) -> None:
    assert differ(("20 s", "20.0  # slow"), ("{kp: 2.0, kd: 10}", "{kd: 10, kp: 2, ki: 0}"), ("60 s", "1 min")) == [
        "same plan: only comments, order or notation differ"
    ]
    assert differ() == ["the same text"]
    ordered = LOOP.replace("name: loop", "name: loop\nlibraries: [one, two]")
    assert differ(("[one, two]", "[two, one]"), text=ordered)[0].startswith("the same said: only")


def test_a_block_between_two_others_and_one_less(differ: Differ) -> None:
    lines = differ(
        ("    wanted:\n", "    slow: {type: basic.FirstOrderLag, parameters: {time_constant: 5}}\n    wanted:\n"),
        ("wanted.y: heading.reference", "wanted.y: slow.u\n    slow.y: heading.reference"),
        ("outputs: {psi: vessel.y}", "outputs: {psi: vessel.y, r: vessel.y}"),
    )
    assert lines == [
        "+ block slow: basic.FirstOrderLag",
        "+ parameter slow.time_constant: 5 s",
        "+ output ship.r: from vessel.y",
        "~ wire heading.reference: from wanted.y → slow.y",
        "+ wire slow.u: from wanted.y",
        "5 differences",
    ]


def test_renamed_blocks_are_known_by_their_type_and_wires(differ: Differ) -> None:
    lines = differ(("heading", "autopilot"), ("ship", "craft"), ("vessel", "hull"), ("20 s", "25 s"))
    assert lines == [
        "> block autopilot: heading → autopilot",
        "> diagram craft: ship → craft",
        "> block craft.hull: craft.vessel → craft.hull",
        "~ parameter craft.hull.time_constant: 20 s → 25 s",
        "4 differences",
    ]
    swapped = differ(("control.PID\n      parameters: {kp: 2.0, kd: 10}", "basic.Sum\n      parameters: {signs: '+-'}"))
    assert swapped[0] == "~ block heading: control.PID → basic.Sum"


def test_what_cannot_be_built_is_compared_and_what_is_no_scenario_is_not(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken.yaml", tmp_path / "whole.yaml"
    whole.write_text(LOOP)
    broken.write_text(LOOP.replace("ship.psi:", "ship.yaw:"))
    found = scenario_difference(whole, broken)
    assert found.same_plan is None
    assert [str(change) for change in found.changes] == ["~ wire heading.measurement: from ship.psi → ship.yaw"]
    broken.write_text("keelblocks: 1\nname: loop\n")
    with pytest.raises(ScenarioError, match=r"broken.yaml:\d+: .*diagram"):
        scenario_difference(whole, broken)


def test_scenarios_in_python_are_compared_too() -> None:
    one, other = Scenario.from_text(LOOP), Scenario.from_text(LOOP)
    assert not scenario_difference(one, other)
    other.set("heading.kp", 3.0)
    found = scenario_difference(one, other)
    assert [change.path for change in found.changes] == ["heading.kp"]
    assert found.same_plan is False


def test_text_for_git_has_a_fact_a_line_whatever_their_order() -> None:
    text = scenario_text(LOOP)
    assert "  wanted.value: 30 deg = 0.523598776 in SI\n" in text
    assert "wire heading.reference ← wanted.y\n" in text
    assert text.splitlines() == [*dict.fromkeys(text.splitlines())]
    turned = LOOP.replace("{kp: 2.0, kd: 10}", "{kd: 10, kp: 2.0}").replace("run: {end: 60 s, step: 0.1}\n", "")
    assert scenario_text("# A comment\n" + turned + "run:\n  step: 0.1\n  end: 60 s\n") == text
    assert scenario_text("no: scenario\n") == "no: scenario\n"
