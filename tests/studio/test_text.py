"""The text that is copied from a page says the changed scenario, and else what it said before, line by line."""

from __future__ import annotations

import difflib
import re
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from page_parts import in_node

from blocks.cli.run import changed as changed_on_the_command_line
from blocks.errors import KeelblocksError
from blocks.scenario import Scenario
from blocks.scenario.places import item_of
from blocks.yaml.reading import read
from studio.errors import ShareError
from studio.model import model_of
from studio.quantities import parameters
from studio.subject import of_result, of_scenario
from studio.text import text_of

ROOT = Path(__file__).parents[2]

SMALL = """\
# ψ and 🚢: what stands ahead counts
keelblocks: 1
name: small
title: "ψ 🚢"
diagram:
  inputs: {eta: guide.eta, nu: guide.nu}
  blocks:
    guide:  # 🚢
      type: guidance.LineOfSight
      parameters:
        waypoints:   # north, east, down
          - [0, 0, 0]   # the start
          # the first leg
          - [50 m, 0.0, 5]
          - [50, 15, 5]   # the last
        cruise_speed: "0.5 m/s"   # over ground
        acceptance_radius: 2 m
    step: {type: basic.Step, parameters: {time: 5 s, 'after': 0.3}}
    more: {type: basic.Compare, parameters: {relation: '>='}}
    gain:
      type: basic.Gain
      parameters: {gain: 2}
    other: {type: basic.Gain, parameters: {gain: 3}}
    load:
      type: basic.TransferFunction
      parameters:
        numerator: [1]
        denominator: [
          2.0,  # s
          1,
        ]
    late:
      type: control.PID
  connections:
    step.y: [more.u1, gain.u, other.u, load.u, late.reference]
    gain.y: [more.u2, late.measurement]
run: {end: 10, inputs: {eta: [0, 0, 0, 0, 0, 0], nu: [0.5, 0, 0, 0, 0, 0]}}
"""

SHARED = """\
keelblocks: 1
name: shared
diagram:
  blocks:
    one: {type: basic.Step, parameters: &step {time: 5 s, after: &high 0.3}}
    two: {type: basic.Step, parameters: *step}
    three:
      type: basic.Step
      parameters:
        <<: *step
        before: *high
    four: {type: basic.Step}
run: {end: 10}
"""

EXAMPLES = ["minerva_los", "minerva_survey", "otter_los", "otter_ros2", "bluerov2_ardupilot", "tito_neri_ardupilot",
            "towing"]  # fmt: skip


class Shared:
    """A scenario as a page has it."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.subject = of_scenario(scenario)
        self.parameters = list(parameters(self.subject.plan, self.subject.inputs))
        self.found = text_of(self.subject, self.parameters)
        self.text, self.edits = self.found["yaml"], self.found["edits"]

    @classmethod
    def of(cls, text: str) -> Shared:
        return cls(Scenario.from_text(text))

    def __getitem__(self, path: str) -> dict:
        return next(one for one in self.parameters if one["path"] == path)

    def given(self, path: str) -> list[float]:
        one = self[path]
        return one["values"][: one["rows"]["now"] * one.get("columns", 1)] if "rows" in one else one["values"]

    def changed(self, changes: dict[str, list[float]]) -> str:
        """What yaml.ts makes of changes that have edits."""
        text = self.text.encode("utf-16-le")
        made = []
        for number, one in enumerate(self.parameters):
            if (path := one["path"]) in changes:
                edit, values, before = self.edits[path], changes[path], self.given(path)
                if "parts" in edit and len(values) == len(before):
                    pairs = zip(edit["parts"], values, before, strict=True)
                    made += [(*span, 0, number, _number(value), 0) for span, value, old in pairs if value != old]
                else:
                    said = edit["before"] + self.flow(path, values) + edit["after"]
                    made.append((edit["start"], edit["end"], 1, number, said, edit["head"]))
        parts, at, last = [], 0, -1
        for start, end, rank, _, said, head in sorted(made):
            parts += [text[2 * at : 2 * start], said[head if start == end == last else 0 :].encode("utf-16-le")]
            at = end
            last = start if start == end and rank else last
        return b"".join([*parts, text[2 * at :]]).decode("utf-16-le")

    def flow(self, path: str, values: list[float]) -> str:
        one = self[path]
        if "choices" in one:
            return one["choices"][values[0]]
        if one["kind"] == "switch":
            return "true" if values[0] else "false"
        numbers = list(map(_number, values))
        if columns := one.get("columns"):
            rows = [numbers[at : at + columns] for at in range(0, len(numbers), columns)]
            return f"[{', '.join(f'[{chr(44).join(row)}]' for row in rows)}]"
        return numbers[0] if one["count"] == 1 and "rows" not in one else f"[{', '.join(numbers)}]"

    def value(self, path: str, values: list[float]):
        """As it is said in Python."""
        one = self[path]
        if "choices" in one:
            return one["choices"][values[0]]
        if one["kind"] == "switch":
            return bool(values[0])
        if "columns" in one:
            return np.reshape(values, (-1, one["columns"])).tolist()
        return values[0] if one["count"] == 1 and "rows" not in one else list(values)

    def reference(self, changes: dict[str, list[float]]) -> Scenario:
        """The scenario with changes made in Python. Raises KeelblocksError for what cannot be."""
        reference = Scenario.from_text(self.text)
        for path, values in changes.items():
            if self[path]["kind"] == "input":
                reference.settings["inputs"] = reference.settings["inputs"] | {path: self.value(path, values)}
            else:
                reference.set(path, self.value(path, values))
        return reference

    def at_random(self, random: np.random.Generator, most: int) -> dict[str, list[float]]:
        """Changes that the scenario can have."""
        chosen: dict[str, list[float]] = {}
        trial = Scenario.from_text(self.text)
        for number in random.permutation(len(self.parameters))[:most]:
            one = self.parameters[number]
            values = list(self.given(path := one["path"]))
            if path.endswith(".angle"):  # decides which ports a controller can be wired to
                continue
            at = int(random.integers(len(values)))
            if "choices" in one:
                values = [int(random.integers(len(one["choices"])))]
            elif one["kind"] == "switch":
                values = [1.0 - values[0]]
            elif one["kind"] == "integer":
                values[at] += 1.0
            else:
                values[at] = float(values[at] * (1.0 + 0.1 * random.random()) or 1e-7 * random.random())
            try:
                if one["kind"] != "input":
                    trial.set(path, self.value(path, values))
            except KeelblocksError:
                continue
            if values != self.given(path):
                chosen[path] = values
        return chosen


def _number(value: float) -> str:
    return repr(int(value) if value == int(value) and abs(value) < 1e15 else value)


def _agree(one: Scenario, other: Scenario) -> None:
    """Both have one plan, to the last bit, and say else the same."""
    plans = [of_scenario(scenario) for scenario in (one, other)]
    assert plans[0].plan.stored == plans[1].plan.stored
    assert {name: list(value) for name, value in plans[0].inputs.items()} == {
        name: list(value) for name, value in plans[1].inputs.items()
    }
    for name in ("name", "title", "description", "settings", "report", "live", "environment", "comment"):
        assert getattr(one, name) == getattr(other, name), name


THRUSTERS = """\
keelblocks: 1
name: words
diagram:
  blocks:
    command: {type: basic.Constant, parameters: {value: [30, 5]}}
    thrusters:
      type: thrust.KnownThrusters
      parameters:
        thrusters:
          - {at: [0.2, 0.1, 0], along: [1, 0, 0], max: 40 N}
          - {at: [0.2, -0.1, 0], along: [1, 0, 0], max: 40 N}
  connections: {command.y: thrusters.command}
run: {end: 1, step: 0.1}
"""


def _lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that went and those that came."""
    found = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return [line[2:] for line in found if line[0] == "-"], [line[2:] for line in found if line[0] == "+"]


def _lines_meant(shared: Shared, changes: dict[str, list[float]]) -> tuple[int, int]:
    """How many lines have to go and to come: that of each value, and one for what is not said yet."""
    document, blocks = read(shared.text, "text"), shared.scenario.diagram.blocks()
    lines: set[int] = set()
    new: set[str] = set()
    for path, values in changes.items():
        owner, _, name = path.rpartition(".")
        if owner in blocks:
            item = item_of(document, owner)
            entry = document.data
            for part in item:
                entry = entry[part]
            names = {blocks[owner].parameter_name(one): one for one in entry.get("parameters", {})}
            item = (*item, "parameters", names.get(name, name))
        else:
            item, names = ("run", "inputs", path), {name: name}
        if name not in names:
            start = document.spot(item[:-2]).value.start
            if shared.text[start] == "{":
                lines.add(document.line(item))
            elif names:
                start = document.spot(item[:-1]).value.start
                lines |= {document.line(item)} if shared.text[start] == "{" else set()
                new |= set() if shared.text[start] == "{" else {path}
            else:
                new |= {path, f"{owner}.parameters"}
            continue
        columns, old = shared[path].get("columns", 1), shared.given(path)
        in_rows = "columns" in shared[path] and "parts" in shared.edits[path]
        differing = {at // columns for at, value in enumerate(values) if value != old[at]}
        lines |= {document.line((*item, row)) for row in differing} if in_rows else {document.line(item)}
    return len(lines), len(lines) + len(new)


@pytest.mark.parametrize("name", EXAMPLES)
def test_random_changes_of_examples(name):
    shared = Shared(Scenario.load(ROOT / "examples" / f"{name}.yaml"))
    assert set(shared.edits) == {one["path"] for one in shared.parameters}
    random = np.random.default_rng(7)
    for most in (1, 3, len(shared.parameters)):
        changes = shared.at_random(random, most)
        text = shared.changed(changes)
        _agree(Scenario.from_text(text), shared.reference(changes))
        assert tuple(map(len, _lines(shared.text, text))) == _lines_meant(shared, changes)


@pytest.mark.parametrize("form", ["", "CRLF", "no end", "mark"])
def test_random_changes_of_a_text_with_all_styles(form):
    text = {"": SMALL, "CRLF": SMALL.replace("\n", "\r\n"), "no end": SMALL.rstrip("\n"), "mark": "\ufeff" + SMALL}[
        form
    ]
    shared = Shared.of(text)
    assert shared.text == text
    random = np.random.default_rng(11)
    for most in (1, 2, 5, 100):
        changes = {path: v for path, v in shared.at_random(random, most).items() if path in shared.edits}
        made = shared.changed(changes)
        _agree(Scenario.from_text(made), shared.reference(changes))
        assert (made.count("\r\n") == made.count("\n")) == (form == "CRLF")
        if form != "CRLF":
            assert tuple(map(len, _lines(text, made))) == _lines_meant(shared, changes)


def test_each_change_alone():
    shared = Shared.of(SMALL)
    made = {
        "guide.waypoints": ([0, 0, 0, 50, 7.5, 5, 50, 15, 5], "          - [50 m, 7.5, 5]"),
        "guide.cruise_speed": ([0.6], "        cruise_speed: 0.6   # over ground"),
        "step.after": ([1e-7], "    step: {type: basic.Step, parameters: {time: 5 s, 'after': 1e-07}}"),
        "step.before": ([1], "    step: {type: basic.Step, parameters: {time: 5 s, 'after': 0.3, before: 1}}"),
        "more.relation": ([0], "    more: {type: basic.Compare, parameters: {relation: '<'}}"),
        "gain.gain": ([2.5], "      parameters: {gain: 2.5}"),
        "eta": ([0, 0, 0, 0, 0, 1],
                "run: {end: 10, inputs: {eta: [0, 0, 0, 0, 0, 1], nu: [0.5, 0, 0, 0, 0, 0]}}"),
    }  # fmt: skip
    for path, (values, line) in made.items():
        gone, came = _lines(SMALL, shared.changed({path: values}))
        assert (len(gone), came) == (1, [line])


def test_what_is_new_gets_one_section():
    shared = Shared.of(SMALL)
    _, came = _lines(SMALL, shared.changed({"late.ki": [2], "late.kp": [3]}))
    assert came == ["      parameters:", "        kp: 3", "        ki: 2"]


def test_what_is_shared_changes_where_that_can_be_told_and_else_is_left_to_the_command():
    shared = Shared.of(SHARED)
    assert "one.after" not in shared.edits  # others say it by its name
    assert "two.after" not in shared.edits  # it is another's
    assert "four.after" not in shared.edits  # a section in { } that several would begin
    changes = {"three.after": [4.0], "three.before": [5.0]}
    assert _lines(SHARED, shared.changed(changes))[1] == ["        before: 5", "        after: 4"]
    _agree(Scenario.from_text(shared.changed(changes)), shared.reference(changes))


def test_thrusters_in_words_do_not_give_way_to_a_matrix():
    shared = Shared.of(THRUSTERS)
    assert "thrusters.allocation_matrix" not in shared.edits  # it would take `max` along
    assert "thrusters.thrust_limit_forward" in shared.edits


def test_what_was_changed_on_the_command_line_is_in_the_text():
    file = ROOT / "examples" / "minerva_survey.yaml"
    settings = {"solver": "dopri5", "step": "20 ms", "start": None, "end": None}
    scenario = changed_on_the_command_line(file, ["plant.current.speed=0.4 kn", "autopilot.surge.kp=900"], settings)
    shared = Shared(scenario)
    _, came = _lines(file.read_text(), shared.text)
    assert [line.split("#")[0].strip() for line in came] == [
        "speed: 0.4 kn", "parameters:", "kp: 900", "solver: dopri5", "step: 20 ms",
    ]  # fmt: skip
    _, came = _lines(file.read_text(), shared.changed({"plant.current.speed": [0.3], "autopilot.surge.ki": [9.0]}))
    assert [line.strip() for line in came][:4] == ["speed: 0.3", "parameters:", "kp: 900", "ki: 9"]


def test_a_scenario_made_in_python():
    made = Scenario.from_text(SMALL)
    shared = Shared(Scenario(made.diagram, "made", settings=made.settings))
    changes = {"gain.gain": [4.0], "late.kp": [3.0], "guide.waypoints": [0, 0, 0, 50, 7.5, 5, 50, 15, 5]}
    _agree(Scenario.from_text(shared.changed(changes)), shared.reference(changes))


def test_a_text_that_is_not_what_ran_is_refused():
    scenario = Scenario.from_text(SMALL)
    shorter, result = of_result(scenario.run(end=5)), of_result(scenario.run())
    model = model_of(result)
    assert text_of(result, model["parameters"])["yaml"] == SMALL
    with pytest.raises(ShareError, match=r"ran with other settings than its own; share the scenario"):
        text_of(shorter, model["parameters"])
    other = of_result(scenario.run(inputs={"eta": [1, 0, 0, 0, 0, 0], "nu": [0.5, 0, 0, 0, 0, 0]}))
    with pytest.raises(ShareError, match=r"with other settings"):
        text_of(other, model_of(other)["parameters"])
    scenario.set("gain.gain", 7)
    with pytest.raises(ShareError, match=r"changed after it ran"):
        text_of(result, model["parameters"])


# --- the page itself -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The TypeScript of the page: texts and commands of many changes."""
    changed = in_node(
        tmp_path_factory.mktemp("yaml"),
        "page/yaml.ts",
        "({ changedText, command }) => ({ data, model, all }) => all.map(\n"
        "  (one) => [changedText(data, model, new Map(one)), command(data, model, new Map(one))])",
    )

    def run(shared: Shared, all_changes: list[dict[str, list[float]]]) -> list[list[str]]:
        numbers = {one["path"]: number for number, one in enumerate(shared.parameters)}
        given = {
            "data": {"text": shared.found, "command": "keelblocks run small.yaml"},
            "model": {"parameters": shared.parameters},
            "all": [[[numbers[path], values] for path, values in one.items()] for one in all_changes],
        }
        return changed(given)

    return run


@pytest.mark.parametrize("form", ["LF", *(pytest.param(form, marks=pytest.mark.slow) for form in ("CRLF", "no end"))])
def test_the_page_copies_random_changes(page, form):
    text = {"LF": SMALL, "CRLF": SMALL.replace("\n", "\r\n"), "no end": SMALL.rstrip("\n")}[form]
    shared, random = Shared.of(text), np.random.default_rng(3)
    many = [shared.at_random(random, most) for most in [1, 2, 4, 8, 100] * 4]
    for changes, (made, _) in zip(many, page(shared, many), strict=True):
        known = {path: values for path, values in changes.items() if path in shared.edits}
        _agree(Scenario.from_text(made), shared.reference(known))
        said = re.findall(r"--set (\w[\w.]*)=", made)
        assert said == [one["path"] for one in shared.parameters if one["path"] in changes.keys() - known.keys()]


@pytest.mark.slow
def test_the_page_copies_changes_of_examples(page):
    for name in ("minerva_survey", "towing"):
        shared, random = Shared(Scenario.load(ROOT / "examples" / f"{name}.yaml")), np.random.default_rng(5)
        many = [shared.at_random(random, most) for most in (1, 4, 100)]
        for changes, (made, _) in zip(many, page(shared, many), strict=True):
            _agree(Scenario.from_text(made), shared.reference(changes))
            assert tuple(map(len, _lines(shared.text, made))) == _lines_meant(shared, changes)


START, FIRST, LAST = [0, 0, 0], [50, 0, 5], [50, 15, 5]
ROWS = [
    ([START, FIRST, LAST, [0, 15, 5]], [], ["- [0, 15, 5]"]),
    ([[9, 9, 9], START, FIRST, LAST], [], ["- [9, 9, 9]"]),
    ([START, FIRST, [50, 7, 5], LAST], [], ["- [50, 7, 5]"]),
    ([START, FIRST], ["- [50, 15, 5]   # the last"], []),
    ([START, LAST], ["# the first leg", "- [50 m, 0.0, 5]"], []),
    ([FIRST, LAST], ["- [0, 0, 0]   # the start", "# the first leg"], []),
    ([START, [40, 0, 5], LAST, [1, 2, 3], [4, 5, 6.5]], ["- [50 m, 0.0, 5]"],
     ["- [40, 0.0, 5]", "- [1, 2, 3]", "- [4, 5, 6.5]"]),
]  # fmt: skip
"""Waypoints, and the lines that go and come by them."""


def _waypoints(shared: Shared, page) -> list[str]:
    many = [{"guide.waypoints": list(chain(*rows))} for rows, _, _ in ROWS]
    made = [text for text, _ in page(shared, many)]
    for text, changes in zip(made, many, strict=True):
        _agree(Scenario.from_text(text), shared.reference(changes))
    return made


def test_the_page_adds_and_removes_waypoints(page):
    for (_, gone, came), text in zip(ROWS, _waypoints(Shared.of(SMALL), page), strict=True):
        assert [[line.strip() for line in lines] for lines in _lines(SMALL, text)] == [gone, came]


@pytest.mark.parametrize("between", [", ", ",\n            "], ids=["one line", "lines"])
def test_the_page_adds_and_removes_waypoints_in_brackets(page, between):
    block = SMALL[SMALL.index("   # north") : SMALL.index("        cruise_speed")]
    shared = Shared.of(SMALL.replace(block, f" [{between.join(map(str, (START, FIRST, LAST)))}]\n"))
    for (rows, _, _), text in zip(ROWS, _waypoints(shared, page), strict=True):
        assert f" waypoints: [{between.join(map(str, rows))}]\n" in text


@pytest.mark.parametrize("end", ["", "\n", "  # the last", "  # the last\n"])
def test_the_page_adds_a_waypoint_and_a_parameter_at_the_end_of_a_file(page, end):
    text = """\
keelblocks: 1
name: last
run: {end: 10, inputs: {eta: [0, 0, 0, 0, 0, 0], nu: [0.5, 0, 0, 0, 0, 0]}}
diagram:
  inputs: {eta: guide.eta, nu: guide.nu}
  blocks:
    guide:
      type: guidance.LineOfSight
      parameters:
        acceptance_radius: 2
        cruise_speed: 0.5
        waypoints:
          - [0, 0, 0]
          - [50, 0, 5]"""
    shared = Shared.of(text + end)
    changes = {"guide.waypoints": [0, 0, 0, 50, 0, 5, 50, 15, 5], "guide.taper_angle": [0.25], "guide.at_end": [1]}
    ((made, _),) = page(shared, [changes])
    _agree(Scenario.from_text(made), shared.reference(changes))
    assert made.startswith(text + end.rstrip("\n") + "\n          - [50, 15, 5]\n        ")
    assert sorted(made[len(text + end.rstrip("\n")) :].split("\n")[2:4]) == [
        "        at_end: loop", "        taper_angle: 0.25",
    ]  # fmt: skip
    assert made.endswith("\n") == end.endswith("\n")


def test_the_page_says_in_a_command_what_the_text_cannot(page):
    shared = Shared.of(SHARED.rstrip("\n"))
    changes = {"one.after": [1e-9], "three.before": [2.5]}
    (((made, command)),) = page(shared, [changes])
    assert made.endswith("run: {end: 10}\n# and: keelblocks run … --set one.after=1.0e-9\n")
    _agree(Scenario.from_text(made), shared.reference({"three.before": [2.5]}))
    assert command == "keelblocks run small.yaml --set one.after=1.0e-9 --set three.before=2.5"
    shared = Shared.of(SMALL)
    ((_, command),) = page(shared, [{"more.relation": [0], "eta": [1, 2, 3, 4, 5, 6]}])
    assert command == (
        """keelblocks run small.yaml --set more.relation='"<"' # with inputs: {eta: [1, 2, 3, 4, 5, 6]} under run"""
    )
