"""Random sequences of edits: what the text says is what was meant, and only the lines that say it have changed.

`check` makes one sequence. After each edit the text is read anew and compared with the edited scenario; what each kind
of edit may change in the text is said here once more, line by line, without the code that makes edits.
"""

from __future__ import annotations

import difflib
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError
from blocks.model.component import Component
from blocks.model.wiring import disagreement
from blocks.scenario import Scenario
from blocks.scenario.writing import wires_data
from blocks.yaml.reading import read

FILE = "examples/edited.yaml"
NEW_BLOCKS = (
    ("basic.Gain", {"gain": 2.0}),
    ("basic.Integrator", {}),
    ("basic.FirstOrderLag", {"time_constant": "3 s"}),
)
NAMES = ("ship", "n1", "first_of_all", "Pump", "vessel", "gain", "über")


class Wrong(AssertionError):
    """An edit that did something else than was meant."""


def check(seed: int, texts: dict[str, str], edits: int = 4) -> Counter[str]:
    """Make a sequence of edits, and undo them all. Returns how many of each kind were made, and refused.

    Raises Wrong, with the seed and the edit.
    """
    rng = random.Random(seed)
    name = rng.choice(sorted(texts))
    return Sequence(texts[name], rng, f"seed {seed} ({name})").run(edits)


class Sequence:
    def __init__(self, text: str, rng: random.Random, called: str) -> None:
        self.text, self.rng, self.called = text, rng, called
        self.scenario = Scenario.from_text(text, FILE)
        self.made: list[str] = []
        self.done: Counter[str] = Counter()

    def run(self, edits: int) -> Counter[str]:
        for _ in range(edits):
            kind = self.rng.choice(KINDS)
            before = self.scenario.edit.text
            data, blocks = self.scenario.to_data(), self.scenario.diagram.blocks()
            try:
                may_change = kind(self)
            except KeelblocksError as problem:
                self.made.append(f"refused: {problem}")
                self.done[f"{kind.__name__} refused"] += 1
                self.expect(self.scenario.edit.text == before, "a refused edit changed the text")
                self.expect(self.scenario.to_data() == data, "a refused edit changed the scenario")
                now = self.scenario.diagram.blocks()
                self.expect(now.keys() == blocks.keys() and all(now[n] is blocks[n] for n in now), "blocks are others")
                continue
            if may_change is None:
                continue
            self.done[kind.__name__] += 1
            self.compare(before, may_change)
        self.same_plan()
        while self.scenario.edit.undo():
            pass
        self.expect(self.scenario.edit.text == self.text, "not all of it was undone")
        self.expect(self.scenario == Scenario.from_text(self.text, FILE), "undone, it is another scenario")
        return self.done

    # --- what must hold after each edit ------------------------------------------------------------------------------

    def compare(self, before: str, may_change: Callable[[list[str], list[str]], bool]) -> None:
        after = self.scenario.edit.text
        again = Scenario.from_text(after, FILE)
        self.expect(again == self.scenario, "the text read anew is another scenario")
        order = [list(one.diagram.blocks()) for one in (again, self.scenario)]
        self.expect(order[0] == order[1], "the text read anew has another order")
        self.expect(before.startswith("\ufeff") == after.startswith("\ufeff"), "the byte order mark")
        self.expect(("\r\n" in before) == ("\r\n" in after), "the ends of lines")
        self.expect("\r\n" not in before or "\n" not in after.replace("\r\n", ""), "the ends of lines are mixed")
        self.expect(before.endswith("\n") == after.endswith("\n"), "the end of the last line")
        removed, added = changed_lines(before, after)
        if not may_change(removed, added):
            raise Wrong(f"{self.story()}: other lines have changed:\n{diff(before, after)}")

    def same_plan(self) -> None:
        again = Scenario.from_text(self.scenario.edit.text, FILE)
        try:
            plan = again.plan().stored
        except KeelblocksError:
            return
        self.done["planned"] += 1
        self.expect(self.scenario.plan().stored == plan, "the text read anew has another plan")

    def expect(self, true: bool, what: str) -> None:
        if not true:
            raise Wrong(f"{self.story()}: {what}")

    def story(self) -> str:
        return f"{self.called}: {'; '.join(self.made)}"

    def say(self, words: str) -> None:
        self.made.append(words)

    # --- what there is to be edited ----------------------------------------------------------------------------------

    def components(self) -> dict[str, Component]:
        return {one.path: one for one in self.scenario.diagram.all_components()}

    def diagrams(self) -> dict[str, Diagram]:
        found = {path: one for path, one in self.components().items() if isinstance(one, Diagram)}
        return {"": self.scenario.diagram, **found}

    def some(self, given: Any) -> Any:
        return self.rng.choice(list(given))

    # --- edits -------------------------------------------------------------------------------------------------------

    def set(self) -> Any:
        """A number that stands in the file takes one line; one that does not, up to two more."""
        found = [
            (path, name)
            for path, block in self.scenario.diagram.blocks().items()
            for name, parameter in block.all_parameters().items()
            if not parameter.shape
            and not parameter.choices
            and not parameter.switch
            and isinstance(block.values[name], float)
        ]
        if not found:
            return None
        path, name = self.some(found)
        block = self.scenario.diagram[path]
        assert isinstance(block, Block)
        value = float(f"{float(block.values[name]) * self.rng.uniform(0.5, 1.5) + 0.01:.3g}")  # type: ignore[arg-type]
        self.say(f"set {path}.{name} {value}")
        self.scenario.edit.set(f"{path}.{name}", value)
        self.expect(self.scenario.diagram[path] is block, "the block is another one")
        self.expect(float(block.values[name]) == value, "the value is another one")  # type: ignore[arg-type]
        return lambda removed, added: len(removed) <= 1 and len(added) - len(removed) in (0, 1, 2)

    def waypoint(self) -> Any:
        """A number in a list takes one line."""
        found = [
            (path, name, block.values[name])
            for path, block in self.scenario.diagram.blocks().items()
            for name in block.values
            if name in ("waypoints", "matrix", "charge") and "file" not in path
        ]
        if not found:
            return None
        path, name, value = self.some(found)
        data = value.tolist()
        row = self.rng.randrange(len(data))
        if isinstance(data[row], list):
            data[row][0] += 0.5
        else:
            data[row] += 1e-3 * (row == 0)
        self.say(f"set {path}.{name} {data}")
        self.scenario.edit.set(f"{path}.{name}", data)
        return lambda removed, added: len(removed) == len(added) <= 1

    def setting(self) -> Any:
        name, value = self.some([("end", "7 min"), ("end", 12.5), ("step", "20 ms"), ("every", 3), ("start", 0.5)])
        self.say(f"setting {name} {value}")
        self.scenario.edit.setting(name, value)
        self.expect(self.scenario.settings[name] == value, "the setting is another one")
        return lambda removed, added: len(removed) <= 1 and len(added) - len(removed) in (0, 1)

    def rename(self) -> Any:
        """Every line that has changed is as before, but for the name."""
        path, new = self.some(self.components()), self.some(NAMES)
        old = path.rpartition(".")[2]
        component = self.components()[path]
        self.say(f"rename {path} {new}")
        self.scenario.edit.rename(path, new)
        self.expect(component.name == new, "the component is another one")
        if old == new:
            return None
        word = re.compile(rf"(?<!\w){old}(?!\w)")
        return lambda removed, added: (
            len(removed) == len(added)
            and all(
                word.search(one) and bare(word.sub(new, one)) == bare(word.sub(new, other))
                for one, other in zip(removed, added, strict=True)
            )
        )

    def rename_port(self) -> Any:
        ports = [
            (f"{path}.{port}" if path else port)
            for path, one in self.diagrams().items()
            for port in (*one.boundary_inputs, *one.boundary_outputs)
        ]
        if not ports:
            return None
        path, new = self.some(ports), self.some(("n2", "eta_2"))
        old = path.rpartition(".")[2]
        self.say(f"rename {path} {new}")
        self.scenario.edit.rename(path, new)
        word = re.compile(rf"(?<!\w){old}(?!\w)")
        return lambda removed, added: (
            len(removed) == len(added)
            and all(
                word.search(one) and Counter(re.findall(r"\w+", one))[old] > Counter(re.findall(r"\w+", other))[old]
                for one, other in zip(removed, added, strict=True)
            )
        )

    def add(self) -> Any:
        where, (kind, parameters) = self.some(self.diagrams()), self.some(NEW_BLOCKS)
        name = f"new{self.rng.randrange(9)}"
        path = f"{where}.{name}" if where else name
        after = self.some([None, *self.diagrams()[where].components])
        self.say(f"add {path} {kind} after {after}")
        self.scenario.edit.add(path, kind, parameters, after=after)
        names = list(self.diagrams()[where].components)
        self.expect(names.index(name) == (len(names) - 1 if after is None else names.index(after) + 1), "the place")
        lines = 2 + (1 + len(parameters) if parameters else 0)
        return lambda removed, added: (not removed and len(added) in (1, lines)) or in_one_line(removed, added)

    def remove(self) -> Any:
        path = self.some(self.components())
        name = path.rpartition(".")[2]
        self.say(f"remove {path}")
        comments, before, ports = self.comments(), self.scenario.edit.text, self.ports()
        item: tuple[str, ...] = ("diagram",)
        for part in path.split("."):
            item = (*item, "blocks", part, "diagram")
        first = read(before, FILE).line(item[:-1])
        self.scenario.edit.remove(path)
        gone = {name, *(port for _, port in ports - self.ports())}
        self.expect(path not in self.components(), "it is still there")
        left = self.comments()
        self.expect(all(left[one] <= count for one, count in comments.items()), "there are new comments")
        if any(f"{one}:" in before.replace("'", "") for one in ("{diagram", "<<")) or before.lstrip("\ufeff")[0] == "{":
            return lambda removed, added: len(added) <= len(removed)
        own = entry(before, first)
        for number, line in enumerate(before.splitlines(), 1):  # wires of what is gone, with their sinks line by line
            if gone & set(re.findall(r"\w+", line.partition(":")[0])):
                own += entry(before, number)
        text = self.scenario.edit.text
        if "ros2:" in before:  # topics that give nothing any more, or have lost what they give
            own += entry(before, read(before, FILE).line(("live", "ros2")))
        if "ardupilot:" in before and "ardupilot:" not in text:  # it cannot do without the block
            own += entry(before, read(before, FILE).line(("live",)))

        def may_change(removed: list[str], added: list[str]) -> bool:
            """What goes is its entry, what names it, keys of what is empty, and the empty lines between."""
            return len(added) <= len(removed) and all(
                line.rstrip("\r\n") in own
                or "*" in line
                or line.strip()[:1] in ("", "#")
                or bare_key(line)
                or any(line.strip() in other for other in added)
                or gone & set(re.findall(r"\w+", line))
                for line in removed
            )

        return may_change

    def ports(self) -> set[tuple[str, str]]:
        """All inputs and outputs of diagrams."""
        found = self.diagrams().items()
        return {(path, port) for path, one in found for port in (*one.boundary_inputs, *one.boundary_outputs)}

    def connect(self) -> Any:
        where = self.some(self.diagrams())
        diagram = self.diagrams()[where]
        lead = f"{where}." if where else ""
        sources = [f"{n}.{p}" for n, one in diagram.components.items() for p in one.output_ports]
        sources += list(diagram.boundary_inputs)
        sinks = [f"{n}.{p}" for n, one in diagram.components.items() for p in one.input_ports]
        if not sources or not sinks:
            return None
        source, sink, replace = self.some(sources), self.some(sinks), self.rng.random() < 0.7
        if self.rng.random() < 0.8:  # rather what fits
            start = diagram._source_signal(diagram._source(source))
            fits = [one for one in sinks if not disagreement(start, diagram._component_port(one).signal)]
            sink = self.some(fits or sinks)
        copy = diagram.copy()
        wired = any(f"{one.name}.{port}" == sink for one, port in diagram.wires)
        try:
            if wired and replace:
                copy.disconnect(sink)
            copy.connect(source, sink)
            wanted: Any = wires_data(copy)
        except KeelblocksError:
            wanted = None
        self.say(f"connect {lead}{source} {lead}{sink}{' replace' * replace}")
        self.scenario.edit.connect(lead + source, lead + sink, replace=replace)
        self.expect(wanted is None or unordered(wires_data(self.diagrams()[where])) == unordered(wanted), "the wires")
        return lambda removed, added: len(removed) <= 4 and len(added) <= 3

    def disconnect(self) -> Any:
        where = self.some(self.diagrams())
        diagram = self.diagrams()[where]
        if not diagram.wires:
            return None
        component, port = self.some(diagram.wires)
        sink = f"{component.name}.{port}"
        self.say(f"disconnect {where}: {sink}")
        copy = diagram.copy()
        try:
            copy.disconnect(sink)
            wanted: Any = wires_data(copy)
        except KeelblocksError:
            wanted = None
        self.scenario.edit.disconnect(f"{where}.{sink}" if where else sink)
        self.expect(wanted is not None, "it was all that an input leads to")
        self.expect(unordered(wires_data(self.diagrams()[where])) == unordered(wanted), "the wires")
        return lambda removed, added: len(removed) <= 3 and len(added) <= 1

    def swap(self) -> Any:
        path, block = self.some(self.scenario.diagram.blocks().items())
        kind = self.some(
            ("dynamics.Vessel6DOF", "dynamics.Vessel3DOF", "basic.Integrator", "basic.Gain", "control.PID")
        )
        self.say(f"swap {path} {kind}")
        self.scenario.edit.swap(path, kind)
        now = self.scenario.diagram[path]
        assert isinstance(now, Block)
        self.expect(now.type_name() == kind, "the type")
        self.expect((now is block) == (type(now) is type(block)), "the block")
        return lambda removed, added: True

    def nest(self) -> Any:
        where = self.some(self.diagrams())
        names = list(self.diagrams()[where].components)
        members = self.rng.sample(names, self.rng.randint(1, min(3, len(names))))
        lead = f"{where}." if where else ""
        self.say(f"nest {where}: {members}")
        comments = self.comments()
        copy = self.diagrams()[where].copy()
        try:
            copy.nest("group", *members)
        except KeelblocksError:
            copy = None  # type: ignore[assignment]
        self.scenario.edit.nest([lead + member for member in members], "group")
        self.expect(copy is not None, "it cannot be nested")
        self.expect(unordered(wires_data(self.diagrams()[where])) == unordered(wires_data(copy)), "the wires around")
        group = self.diagrams()[f"{lead}group"]
        wanted = copy.components["group"]
        assert isinstance(wanted, Diagram)
        self.expect(unordered(wires_data(group)) == unordered(wires_data(wanted)), "the wires within")
        if "*" not in self.text:
            self.expect(self.comments() == comments or "{" in self.text, "comments are lost")
        return lambda removed, added: True

    def unnest(self) -> Any:
        inner = [path for path in self.diagrams() if path]
        if not inner:
            return None
        path = self.some(inner)
        self.say(f"unnest {path}")
        plan = self.plan()
        self.scenario.edit.unnest(path)
        self.expect((plan is None) == (self.plan() is None), "it can no longer be planned")
        return lambda removed, added: True

    def plan(self) -> Any:
        try:
            return self.scenario.plan()
        except KeelblocksError:
            return None

    def move(self) -> Any:
        path = self.some(self.components())
        cell = (self.rng.randint(-9, 30), self.rng.randint(-9, 30))
        self.say(f"move {path} {cell}")
        plan = self.plan()
        self.scenario.edit.move(path, *cell)
        outer, _, name = path.rpartition(".")
        self.expect(self.diagrams()[outer].layout[name] == cell, "the place")
        now = self.plan()
        self.expect(now is None if plan is None else plan.stored == now.stored, "another plan")
        return lambda removed, added: len(removed) <= 1 and len(added) - len(removed) in (0, 1, 2)

    def tidy(self) -> Any:
        placed = [one.path for one in self.components().values() if one.name in one.parent.layout]  # type: ignore
        if not placed:
            return None
        path = self.some(placed)
        self.say(f"tidy {path}")
        inner = self.components()[path]
        more = len(inner.layout) + 1 if isinstance(inner, Diagram) and inner.layout else 0
        self.scenario.edit.tidy(path)
        return lambda removed, added: len(added) <= 2 and len(removed) <= 3 + more

    def python(self) -> Any:
        """A change in Python and an edit after it."""
        path, name = self.some(self.components()), f"made{self.rng.randrange(9)}"
        self.say(f"python {name}, move {path}")
        before = self.scenario.edit.text
        if name in self.scenario.diagram.components:
            return None
        from blocks.basic import Gain

        self.scenario.diagram.add(name, Gain(3.0))
        self.scenario.settings["end"] = 77.0
        self.compare(before, lambda removed, added: len(removed) <= 2 and len(added) <= 7)
        self.scenario.edit.move(path, 1, 2)
        return lambda removed, added: len(added) <= 9

    def comments(self) -> Counter[str]:
        return Counter(line.strip() for line in re.findall(r"(?:^|\s)(#.*)", self.scenario.edit.text))


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """What git diff shows: the lines taken out, and those put in."""
    end = "" if before.endswith("\n") else "\r\n" if "\r\n" in before else "\n"
    one, two = (before + end).splitlines(keepends=True), (after + end).splitlines(keepends=True)
    removed: list[str] = []
    added: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind != "equal":
            removed += one[a:b]
            added += two[c:d]
    return removed, added


def diff(before: str, after: str) -> str:
    return "".join(difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), n=0))


def entry(text: str, first: int) -> list[str]:
    """The lines of an entry by the number of its first, with the comments directly above it."""
    lines = text.splitlines()
    column = indent(lines[first - 1])
    start, end = first - 1, first
    while start > 0 and lines[start - 1].startswith(" " * column + "#"):
        start -= 1
    while end < len(lines) and (
        not lines[end].strip()
        or indent(lines[end]) > column
        or (indent(lines[end]) == column and lines[end][column] in "-#")
    ):
        end += 1
    return lines[start:end]


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def bare_key(line: str) -> bool:
    """Whether a line is a key with nothing behind it but a comment."""
    return re.fullmatch(r"\s*[\w.'\"]+:\s*(#.*)?", line.rstrip("\r\n")) is not None


def bare(line: str) -> str:
    """A line without quotes, which a name may need or not."""
    return re.sub(r"['\"\r\n]", "", line)


def in_one_line(removed: list[str], added: list[str]) -> bool:
    """Whether something was put into one line, or behind it with a comma."""
    return len(removed) == 1 and len(added) in (1, 2)


def unordered(wires: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        section: {name: set(one) if isinstance(one, list) else {one} for name, one in data.items()}
        for section, data in wires.items()
        if section != "layout"
    }


KINDS: tuple[Callable[[Sequence], Any], ...] = (
    *(Sequence.set, Sequence.set, Sequence.waypoint, Sequence.setting, Sequence.rename, Sequence.rename_port),
    *(Sequence.add, Sequence.remove, Sequence.connect, Sequence.connect, Sequence.disconnect, Sequence.swap),
    *(Sequence.nest, Sequence.unnest, Sequence.move, Sequence.tidy, Sequence.python),
)
