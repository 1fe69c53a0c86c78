"""YAML text as plain data that knows its line numbers, and back.

Scalars are read by the core schema of YAML 1.2: `yes`, `1:30` and `2024-01-01` are text, and `1e-3` is a number. Tags
that stand for anything but plain data are refused, as are duplicate keys.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

import yaml

from blocks.errors import ScenarioError

Place = tuple[str | int, ...]
"""The way to an item: keys of mappings and numbers of list items."""

_MOST_ITEMS = 1_000_000
"""More than any scenario has; aliases of aliases would fill the memory."""

_PLAIN_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float", "str", "seq", "map", "merge")}
_CORE_SCALARS = {
    "tag:yaml.org,2002:null": (r"(?:~|null|Null|NULL|)\Z", "~nN\0"),
    "tag:yaml.org,2002:bool": (r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
    "tag:yaml.org,2002:int": (r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z", "-+0123456789"),
    "tag:yaml.org,2002:float": (
        r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z",
        "-+.0123456789",
    ),
    "tag:yaml.org,2002:merge": (r"<<\Z", "<"),
}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


class _Dumper(yaml.SafeDumper):
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}  # type: ignore[misc]

    def ignore_aliases(self, data: Any) -> bool:
        """Equal lists are written out each time: anchors would be noise."""
        return True


for _tag, (_pattern, _first) in _CORE_SCALARS.items():
    for _class in (_Loader, _Dumper):
        _class.add_implicit_resolver(_tag, re.compile(_pattern), ["" if c == "\0" else c for c in _first])


@dataclass
class Document:
    """What a YAML text says, and on which line it says it."""

    file: str
    text: str
    data: Any = None
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """The line of an item, or of the nearest item around it that stands in the text."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def where(self, place: Place) -> str:
        """The start of a message about an item: "file.yaml:12"."""
        return f"{self.file}:{self.line(place)}"

    def error(self, place: Place, message: str) -> ScenarioError:
        """An error that begins with file and line."""
        return ScenarioError(f"{self.where(place)}: {message}")


def decode(content: bytes, file: str) -> str:
    """The text of a file. Raises ScenarioError if it is binary, empty or in another encoding."""
    if content.startswith(b"PK\x03\x04"):
        raise ScenarioError(
            f"{file} is a zip file, not a scenario: an FMU is a block in one, type: fmu.FmuBlock (keelblocks show "
            f"prints it); an SSP is opened in Python, with fmu.read_ssp"
        )
    if b"\0" in content:
        raise ScenarioError(f"{file} is not a text file: it holds binary data")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise ScenarioError(
            f"{file}:{line}: not UTF-8: {problem.reason} at byte {problem.start}; save the file as UTF-8"
        ) from None


def read(text: str, file: str, begins: str = "a scenario begins with 'keelblocks: 1'") -> Document:
    """Read YAML text; `begins` is told where there is none.

    Raises ScenarioError, with file and line, for anything that is not plain data.
    """
    document = Document(file, text)
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = mark.line + 1 if mark else 1
        said = ", ".join(part for part in (problem.context, problem.problem) if part)
        raise ScenarioError(f"{file}:{line}: not valid YAML: {said}") from None
    except (yaml.YAMLError, ValueError) as problem:
        raise ScenarioError(f"{file} is not valid YAML: {str(problem).splitlines()[0]}") from None
    except RecursionError:
        raise ScenarioError(f"{file} is nested too deeply") from None
    if node is None:
        raise ScenarioError(f"{file} is empty; {begins}")
    try:
        document.data = _Reader(document).value(node, ())
    except RecursionError:
        raise ScenarioError(f"{file} is nested too deeply") from None
    return document


class _Reader:
    """Turns YAML nodes into plain data and notes their lines."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.scalars = yaml.constructor.SafeConstructor()
        self.count = 0
        self.open: set[int] = set()

    def fail(self, node: Any, message: str) -> ScenarioError:
        return ScenarioError(f"{self.document.file}:{node.start_mark.line + 1}: {message}")

    def value(self, node: Any, place: Place) -> Any:
        self.document.lines.setdefault(place, node.start_mark.line + 1)
        self.count += 1
        if self.count > _MOST_ITEMS:
            raise self.fail(node, f"more than {_MOST_ITEMS} items, counting what aliases repeat")
        if node.tag not in _PLAIN_TAGS:
            name = node.tag.replace("tag:yaml.org,2002:", "!!")
            raise self.fail(node, f"the tag '{name}' is not allowed: a scenario is plain data")
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node)
        if id(node) in self.open:
            raise self.fail(node, "an alias to something that contains it")
        self.open.add(id(node))
        try:
            if isinstance(node, yaml.SequenceNode):
                return [self.value(item, (*place, i)) for i, item in enumerate(node.value)]
            return self.mapping(node, place)
        finally:
            self.open.discard(id(node))

    def scalar(self, node: Any) -> Any:
        kind = node.tag.rpartition(":")[2]
        text = node.value
        try:
            if kind == "int":
                return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
            if kind == "float":
                return float(re.sub(r"\.(?=inf|nan)", "", text.lower()))
            if kind == "bool":
                return {"true": True, "false": False}[text.lower()]
        except (ValueError, KeyError):
            raise self.fail(node, f"'{text}' is not of the kind that its tag says ({kind})") from None
        return None if kind == "null" else text

    def mapping(self, node: Any, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        first: dict[str, int] = {}
        merged: list[Any] = []
        for key, item in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                merged += item.value if isinstance(item, yaml.SequenceNode) else [item]
                continue
            name = self.scalar(key) if isinstance(key, yaml.ScalarNode) and key.tag in _PLAIN_TAGS else key
            if not isinstance(name, str):
                shown = repr(name) if isinstance(key, yaml.ScalarNode) else "a list or mapping"
                raise self.fail(key, f"a key must be text, not {shown}")
            line = key.start_mark.line + 1
            if name in first:
                raise self.fail(key, f"the key '{name}' stands here twice; the first is on line {first[name]}")
            first[name] = line
            here: Place = (*place, name)
            self.document.lines[here] = line
            found[name] = self.value(item, here)
        for item in merged:
            if not isinstance(item, yaml.MappingNode):
                raise self.fail(item, "'<<' takes a mapping, or a list of mappings")
            for name, value in self.value(item, (*place, "<<")).items():
                found.setdefault(name, value)
        return found


def write(data: dict[str, Any]) -> str:
    """Plain data as YAML text, with an empty line between the items of the outermost mapping.

    Raises ScenarioError if there is more than can be read again.
    """
    count = _count(data)
    if count > _MOST_ITEMS:
        raise ScenarioError(
            f"there are {count} items to be written, and a file may have {_MOST_ITEMS}: let blocks with large tables "
            f"take them from a file, by from_file in Python or 'file' in a scenario"
        )
    form: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 118, "default_flow_style": False}
    parts = [yaml.dump({key: value}, Dumper=_Dumper, **form) for key, value in data.items()]
    return "".join(
        ("\n" if i and ("\n" in part.rstrip() or "\n" in parts[i - 1].rstrip()) else "") + part
        for i, part in enumerate(parts)
    )


def _count(item: Any) -> int:
    """How many items the reader will count."""
    if isinstance(item, dict):
        return 1 + sum(map(_count, item.values()))
    if isinstance(item, list):
        return 1 + (sum(map(_count, item)) if item and isinstance(item[0], (list, dict)) else len(item))
    return 1


def _write_float(dumper: Any, value: float) -> Any:
    if not math.isfinite(value):
        text = ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    else:
        text = repr(value)
    return dumper.represent_scalar("tag:yaml.org,2002:float", text)


def _write_text(dumper: Any, value: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


def _write_list(dumper: Any, value: list[Any]) -> Any:
    flat = not any(isinstance(item, (list, dict)) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flat)


def _write_mapping(dumper: Any, value: dict[str, Any]) -> Any:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=set(value) == {"diag"})


_Dumper.add_representer(float, _write_float)
_Dumper.add_representer(str, _write_text)
_Dumper.add_representer(list, _write_list)
_Dumper.add_representer(dict, _write_mapping)
