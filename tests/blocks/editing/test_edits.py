"""Edits of a scenario: the lines that they change, and those that they leave."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

from blocks import Diagram
from blocks.basic import Gain, Integrator
from blocks.dynamics import Vessel6DOF
from blocks.errors import KeelblocksError, ScenarioError
from blocks.replacement import Replacement
from blocks.scenario import Scenario
from blocks.yaml.places import Span

TEXT = """\
# a loop
keelblocks: 1
name: loop
diagram:
  blocks:
    plant:
      diagram:
        blocks:
          # what is controlled,
          # of first order
          lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s}}   # as measured
        inputs: {u: lag.u}
        outputs: {y: lag.y}

    wanted:
      type: basic.Constant
      parameters:
        value: 1.0e+0     # m

    # sums up
    difference: {type: basic.Sum, parameters: {signs: '+-'}}
    vessel: {type: dynamics.Vessel3DOF, vehicle: otter}
    tow: {type: basic.Constant, parameters: {value: [9, 0, 0, 0, 0, 0]}}
  connections:
    tow.y: vessel.force
    wanted.y: difference.in1
    plant.y: difference.in2   # measured
    difference.y: plant.u
  outputs:
    y: plant.y
run:
  end: 2
  step: 10 ms
  record: [plant.lag.y, "vessel.eta"]
report: {plots: ['vessel.eta[psi]', y]}
"""


@pytest.fixture
def scenario() -> Scenario:
    return Scenario.from_text(TEXT, "loop.yaml")


def changed(scenario: Scenario, edit: Callable[[], object]) -> list[str]:
    """The lines that an edit takes out and puts in. What is read anew is the scenario as edited."""
    before = scenario.edit.text
    edit()
    after = scenario.edit.text
    again = Scenario.from_text(after, "loop.yaml")
    assert again == scenario
    assert list(again.diagram.blocks()) == list(scenario.diagram.blocks())
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


def test_a_file_is_its_text(tmp_path: Path) -> None:
    """Nothing changed: the same bytes. One set: one line."""
    content = b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").replace("a loop", "ø — 船\t").encode().rstrip()
    (tmp_path / "a.yaml").write_bytes(content)
    scenario = Scenario.load(tmp_path / "a.yaml")
    assert scenario.save(tmp_path / "b.yaml").read_bytes() == content
    scenario.set("plant.lag.time_constant", "0.8 s")
    assert scenario.save(tmp_path / "b.yaml").read_bytes() == content.replace(b"0.50 s", b"0.8 s")
    scenario.settings["end"], scenario.title = 3.0, "A loop"
    written = scenario.save(tmp_path / "b.yaml").read_bytes()
    assert written == content.replace(b"0.50 s", b"0.8 s").replace(b"end: 2", b"end: 3.0").replace(
        b"name: loop\r\n", b"name: loop\r\ntitle: A loop\r\n"
    )


def test_what_is_changed_in_python_is_written_by_name(scenario: Scenario) -> None:
    scenario.diagram.add("gain", Gain(2.0))
    scenario.diagram.connect("plant.y", "gain.u")
    scenario.diagram.layout["plant"] = (4, 2)
    scenario.diagram.replace("plant.lag", Integrator())
    text = scenario.to_yaml()
    assert Scenario.from_text(text) == scenario
    assert [line for line in difflib.ndiff(TEXT.splitlines(), text.splitlines()) if line[0] in "+-"] == [
        "-           lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s}}   # as measured",
        "+           lag: {type: basic.Integrator}   # as measured",
        "+     gain: {type: basic.Gain, parameters: {gain: 2.0}}",
        "-     plant.y: difference.in2   # measured",
        "+     plant.y: [difference.in2, gain.u]   # measured",
        "+   layout:",
        "+     plant: [4, 2]",
    ]


def test_another_order_is_written_anew(scenario: Scenario) -> None:
    """What was put into another order in Python cannot be said by lines that stay."""
    components = scenario.diagram.components
    components["plant"] = components.pop("plant")
    again = Scenario.from_text(scenario.to_yaml())
    assert list(again.diagram.components) == ["wanted", "difference", "vessel", "tow", "plant"]
    assert again.plan().stored == scenario.plan().stored
    assert scenario.to_yaml().startswith("# a loop\n")


def test_parameters(scenario: Scenario) -> None:
    edit, lag = scenario.edit, scenario.diagram["plant.lag"]
    assert changed(scenario, lambda: edit.set("wanted.value", "2 kn")) == [
        "-         value: 1.0e+0     # m",
        "+         value: 2 kn     # m",
    ]
    assert changed(scenario, lambda: edit.set({"plant.lag.initial_x": 1, "wanted.value": "1.0e+0"})) == [
        "-           lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s}}   # as measured",
        "+           lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s, initial_x: 1}}   # as measured",  # noqa: E501
        "-         value: 2 kn     # m",
        "+         value: '1.0e+0'     # m",
    ]
    assert changed(scenario, lambda: edit.reset("plant.lag.initial_x", "difference.signs"))[1::2] == [
        "+           lag: {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s}}   # as measured",
        "+     difference: {type: basic.Sum}",
    ]
    assert scenario.diagram["plant.lag"] is lag
    assert lag.values["initial_x"] == 0.0  # type: ignore[attr-defined]


def test_renaming_changes_every_reference(scenario: Scenario) -> None:
    plant = scenario.diagram["plant"]
    assert changed(scenario, lambda: scenario.edit.rename("plant", "ship")) == [
        "-     plant:", "+     ship:",
        "-     plant.y: difference.in2   # measured", "+     ship.y: difference.in2   # measured",
        "-     difference.y: plant.u", "+     difference.y: ship.u",
        "-     y: plant.y", "+     y: ship.y",
        '-   record: [plant.lag.y, "vessel.eta"]', '+   record: [ship.lag.y, "vessel.eta"]',
    ]  # fmt: skip
    assert scenario.diagram["ship"] is plant
    assert changed(scenario, lambda: scenario.edit.rename("y", "depth"))[1::2] == [
        "+     depth: ship.y",
        "+ report: {plots: ['vessel.eta[psi]', depth]}",
    ]
    assert changed(scenario, lambda: scenario.edit.rename("ship.u", "force"))[1::2] == [
        "+         inputs: {force: lag.u}",
        "+     difference.y: ship.force",
    ]


def test_removing_takes_what_names_it_along(scenario: Scenario) -> None:
    assert changed(scenario, lambda: scenario.edit.remove("difference")) == [
        "-     # sums up",
        "-     difference: {type: basic.Sum, parameters: {signs: '+-'}}",
        "-     wanted.y: difference.in1",
        "-     plant.y: difference.in2   # measured",
        "-     difference.y: plant.u",
    ]
    assert changed(scenario, lambda: scenario.edit.remove("vessel")) == [
        "-     vessel: {type: dynamics.Vessel3DOF, vehicle: otter}",
        "-   connections:",
        "-     tow.y: vessel.force",
        '-   record: [plant.lag.y, "vessel.eta"]',
        "+   record: [plant.lag.y]",
        "- report: {plots: ['vessel.eta[psi]', y]}",
        "+ report: {plots: [y]}",
    ]
    with pytest.raises(ScenarioError, match="'lag' is all that 'plant' holds; remove that instead"):
        scenario.edit.remove("plant.lag")


def test_adding_and_wiring(scenario: Scenario) -> None:
    edit = scenario.edit
    assert changed(scenario, lambda: edit.add("pump", "basic.Gain", {"gain": 2}, after="wanted")) == [
        "+     pump:",
        "+       type: basic.Gain",
        "+       parameters:",
        "+         gain: 2",
    ]
    assert changed(scenario, lambda: edit.connect("difference.y", "pump.u")) == [
        "-     difference.y: plant.u",
        "+     difference.y: [plant.u, pump.u]",
    ]
    assert changed(scenario, lambda: edit.connect("pump.y", "plant.u", replace=True)) == [
        "-     difference.y: [plant.u, pump.u]",
        "+     difference.y: [pump.u]",
        "+     pump.y: plant.u",
    ]
    assert changed(scenario, lambda: edit.disconnect("difference.in2")) == [
        "-     plant.y: difference.in2   # measured"
    ]
    assert changed(scenario, lambda: edit.output("plant.rate", "plant.lag.y")) == [
        "-         outputs: {y: lag.y}",
        "+         outputs: {y: lag.y, rate: lag.y}",
    ]
    edit.add("plant.second", Gain(2.0))
    assert changed(scenario, lambda: edit.input("plant.v", "plant.second.u"))[1:] == [
        "+         inputs: {u: lag.u, v: second.u}"
    ]


def test_a_type_is_swapped_with_its_wires(scenario: Scenario) -> None:
    assert changed(scenario, lambda: scenario.edit.swap("vessel", Vessel6DOF)) == [
        "-     vessel: {type: dynamics.Vessel3DOF, vehicle: otter}",
        "+     vessel: {type: dynamics.Vessel6DOF, vehicle: otter}",
    ]
    assert changed(scenario, lambda: scenario.edit.swap("difference", "basic.Gain", {"gain": 3})) == [
        "-     difference: {type: basic.Sum, parameters: {signs: '+-'}}",
        "+     difference: {type: basic.Gain, parameters: {gain: 3}}",
        "-     wanted.y: difference.in1",
        "-     plant.y: difference.in2   # measured",
    ]


def test_nesting_moves_text(scenario: Scenario) -> None:
    plan = scenario.plan()
    lines = changed(scenario, lambda: scenario.edit.nest(["wanted", "difference"], "control", "A control"))
    for line in (
        "+               value: 1.0e+0     # m",
        "+           # sums up",
        "-     difference.y: plant.u",
        "+     control.y: plant.u",
        "-     plant.y: difference.in2   # measured",
        "+     plant.y: control.in2   # measured",
    ):
        assert line in lines, line
    assert scenario.diagram["control"].title == "A control"  # type: ignore[attr-defined]
    assert "record: [plant.lag.y" in scenario.edit.text
    scenario.edit.nest(["plant"], "outer")
    assert "record: [outer.plant.lag.y" in scenario.edit.text
    scenario.edit.unnest("outer")
    scenario.edit.unnest("control")
    assert scenario.plan().stored == plan.stored
    for comment in ("# sums up", "# measured", "# m\n", "# as measured"):
        assert comment in scenario.edit.text


def test_nesting_under_a_name_that_is_taken_along(scenario: Scenario) -> None:
    """The new diagram is not the old one changed in its place: comments go with what they stand at."""
    before = scenario.edit.text
    changed(scenario, lambda: scenario.edit.nest(["plant", "wanted"], "plant"))
    commented = [line.split()[0] for line in before.splitlines() if "#" in line]
    assert [line.split()[0] for line in scenario.edit.text.splitlines() if "#" in line] == commented
    changed(scenario, lambda: scenario.edit.unnest("plant"))
    assert sorted(filter(None, scenario.edit.text.splitlines())) == sorted(filter(None, before.splitlines()))


def test_what_is_written_anew_takes_its_last_comment_along() -> None:
    scenario = Scenario.from_text(TEXT.replace("0, 0, 0, 0, 0]}}", "0, 0, 0, 0, 0]}}   # pulls"), "loop.yaml")
    changed(scenario, lambda: scenario.edit.nest(list(scenario.diagram.components), "all"))
    (line,) = (line for line in scenario.edit.text.splitlines() if "# pulls" in line)
    assert line.lstrip().startswith("tow:")


def test_the_layout_is_one_line_a_block_and_changes_no_run(scenario: Scenario) -> None:
    plan = scenario.plan()
    scenario.edit.move("vessel", 12, 4)
    assert changed(scenario, lambda: scenario.edit.move("plant", -2, 3)) == ["+     plant: [-2, 3]"]
    scenario.edit.move("plant.lag", 1, 1)
    assert scenario.diagram.layout == {"vessel": (12, 4), "plant": (-2, 3)}
    assert list(scenario.to_data()["diagram"]["layout"]) == ["plant", "vessel"]
    assert scenario.plan().stored == plan.stored
    scenario.edit.rename("vessel", "ship")
    scenario.edit.nest(["ship"], "outer")
    assert scenario.diagram["outer"].layout == {"ship": (12, 4)}  # type: ignore[attr-defined]
    assert scenario.diagram.copy().layout == {"plant": (-2, 3)}
    scenario.edit.tidy("plant")
    assert "layout" in scenario.edit.text
    scenario.edit.tidy()
    assert "layout" not in scenario.edit.text


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ("{vesel: [1, 2]}", r"l\.yaml:39: layout: there is no block 'vesel' here; did you mean 'vessel'\?"),
        (
            "{vessel: [1, 2.5]}",
            r"layout\.vessel: column and row, whole numbers up to 10000, such as \[12, 4\], are want",
        ),
        ("{vessel: 3}", r"l\.yaml:39: diagram\.layout\.vessel: column and row"),
    ],
)
def test_a_layout_that_is_wrong(layout: str, message: str) -> None:
    text = TEXT.replace("run:\n", f"  layout: {layout}\nrun:\n").replace("# a loop\n", "# a loop\n" * 9)
    with pytest.raises(ScenarioError, match=message):
        Scenario.from_text(text, "l.yaml")


def test_what_is_shared_stays_shared_or_is_written_out() -> None:
    shared = TEXT.replace("lag: {type", "lag: &lag {type").replace(
        "    vessel:", "    other: *lag\n    third: {<<: *lag, parameters: {time_constant: 3}}\n    vessel:"
    )
    scenario = Scenario.from_text(shared)
    assert changed(scenario, lambda: scenario.edit.set("other.initial_x", 2)) == [
        "-     other: *lag",
        "+     other: {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s, initial_x: 2}}",
    ]
    scenario = Scenario.from_text(shared)
    lines = changed(scenario, lambda: scenario.edit.set("plant.lag.time_constant", 7))
    assert lines[0::2][:2] == [
        "-           lag: &lag {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s}}   # as measured",
        "-     other: *lag",
    ]
    assert "+     other: {type: basic.FirstOrderLag, parameters: {time_constant: 0.50 s}}" in lines
    assert scenario.diagram["third"].values["time_constant"] == 3  # type: ignore[attr-defined]


def test_an_edit_that_cannot_be_read_leaves_all_as_it_was(scenario: Scenario) -> None:
    blocks, data = scenario.diagram.blocks(), scenario.to_data()
    for refused, message in (
        (lambda: scenario.edit.set("wanted.valu", 1), r"loop\.yaml:\d+: no parameter 'valu' on wanted .* did you mean"),
        (lambda: scenario.edit.set("wantd.value", 1), r"no parameter 'wantd\.value'; did you mean 'wanted\.value'"),
        (lambda: scenario.edit.set("plant.lag.time_constant", "3 m"), r"loop\.yaml:11: plant\.lag\.time_constant: "),
        (lambda: scenario.edit.rename("plant", "wanted"), "the diagram already has a component 'wanted'"),
        (lambda: scenario.edit.rename("plant", "über"), "'über' is not a name"),
        (lambda: scenario.edit.remove("plan"), r"no component or port 'plan' in the diagram; did you mean 'plant'\?"),
        (lambda: scenario.edit.add("a", "basic.Gian"), r"no block type 'basic\.Gian'; did you mean 'basic\.Gain'"),
        (lambda: scenario.edit.connect("wanted.y", "plant.u"), r"plant\.u is already connected to difference\.y"),
        (lambda: scenario.edit.connect("wanted.y", "plant.lag.u"), "wanted.y is not in 'plant'; wires lead to another"),
        (lambda: scenario.edit.connect("vessel.nu", "vessel.force", replace=True), "cannot connect vessel.nu "),
        (lambda: scenario.edit.disconnect("plant.lag.u"), "is all that input 'u' of 'plant' leads to"),
        (lambda: scenario.edit.unnest("vessel"), "vessel is a block, which holds nothing"),
        (lambda: scenario.edit.setting("end", "2 m"), r"loop\.yaml:\d+: end"),
        (lambda: scenario.edit.apply("keelblocks: 1\n"), "lacks 'name'"),
        (lambda: scenario.edit.set(3, 4), "the dotted name of a parameter is wanted"),  # type: ignore[arg-type]
        (lambda: scenario.edit.set("wanted.value", {1}), r"a number, text, a list or a mapping is wanted, not"),
        (lambda: scenario.edit.add("a", 3), "a type of block is wanted, such as basic.Gain, not 3"),  # type: ignore[arg-type]
        (lambda: scenario.edit.put(("run", 3), 1), "the place of an item is its keys"),
    ):
        with pytest.raises(KeelblocksError, match=message):
            refused()  # type: ignore[no-untyped-call]
        assert scenario.edit.text == TEXT
        assert scenario.to_data() == data
        assert all(scenario.diagram.blocks()[name] is block for name, block in blocks.items())


def test_edits_together_are_one(scenario: Scenario) -> None:
    """What comes in between need not be in order, and all is undone at once."""
    with scenario.edit.together() as edit:
        edit.rename("wanted", "n1")
        edit.remove("difference")
        edit.add("difference", "basic.Sum", {"signs": "+-"}, after="n1")
        edit.nest(["n1", "difference"], "control")
        edit.rename("control.n1", "wanted")
    blocks = ["plant.lag", "control.wanted", "control.difference", "vessel", "tow"]
    assert list(scenario.diagram.blocks()) == blocks
    with pytest.raises(ScenarioError, match="no component"), scenario.edit.together() as edit:  # noqa: PT012
        edit.remove("vessel")
        edit.remove("vessel")
    assert "vessel:" in scenario.edit.text
    assert scenario.edit.undo()
    assert scenario.edit.text == TEXT
    assert not scenario.edit.undo()
    assert scenario.edit.redo()
    assert "control:" in scenario.edit.text


def test_a_replacement_by_place(scenario: Scenario) -> None:
    at = TEXT.index("0.50 s")
    scenario.edit.apply([Replacement(Span(at, at + 4), "0.75")])
    assert scenario.diagram["plant.lag"].values["time_constant"] == 0.75  # type: ignore[attr-defined]


def test_a_scenario_made_in_python_can_be_edited() -> None:
    diagram = Diagram("made")
    gain = diagram.add("gain", Gain(2.0))
    scenario = Scenario(diagram, settings={"end": 1.0})
    assert changed(scenario, lambda: scenario.edit.set("gain.gain", 3)) == [
        "-         gain: 2.0",
        "+         gain: 3",
    ]
    assert scenario.diagram is diagram
    assert gain.values["gain"] == 3
