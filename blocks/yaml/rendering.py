"""Plain data as pieces of YAML text, to be put between what stands there already."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from blocks.yaml.scalars import TEXT, tag_of
from blocks.yaml.writing import Dumper

_WIDE = 10**9
_SIMPLE = re.compile(r"[A-Za-z0-9_.](?:[\w.*/^²³°·+() -]*[\w.*/^²³°·+()])?\Z")
"""Text that stands as it is, in a flow collection too, unless it reads as something else."""


class Moved(dict[str, Any]):
    """A mapping whose text stands elsewhere, and is to be taken from there: the lines of its entry, key first."""

    def __init__(self, data: dict[str, Any], lines: list[str]) -> None:
        super().__init__(data)
        self.lines = lines
        """Without indentation and without ends of lines; the comments above the key with them."""


def scalar(value: Any, quote: str = "", *, flow: bool = True) -> str:
    """A scalar, on one line; quote: the quotes of a text that it takes the place of."""
    if isinstance(value, str):
        if quote == "'" and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        if quote == '"':
            return json.dumps(value, ensure_ascii=False)
        if _SIMPLE.match(value) and tag_of(value) is TEXT:
            return value
        if not value.isprintable():
            return json.dumps(value)
    if flow:
        return _dumped([value], True)[1:-1]
    return _dumped({"k": value}, False).partition(": ")[2]


def flow(value: Any, *, json_like: bool = False) -> str:
    """Data on one line. json_like: with all text in double quotes."""
    if isinstance(value, dict):
        pairs = (f"{key(name, json_like)}: {flow(item, json_like=json_like)}" for name, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item, json_like=json_like) for item in value) + "]"
    return scalar(value, '"' if json_like else "")


def key(name: str, json_like: bool = False) -> str:
    """A key of a flow mapping."""
    return scalar(name, '"' if json_like else "")


def entry(name: str, value: Any, step: int, in_flow: bool = False, literal: bool = True) -> list[str]:
    """The lines of an entry of a block mapping, without indentation; what it holds is indented by `step`.

    in_flow: a mapping is written as `{…}`, as those beside it. literal: text of several lines is written as such, which
    needs an end of line behind it and no comment.
    """
    if isinstance(value, Moved):
        return list(value.lines)
    if isinstance(value, dict) and value and set(value) != {"diag"}:
        if in_flow:
            return [f"{scalar(name, flow=False)}: {flow(value)}"]
        inner = [line for item in value.items() for line in entry(*item, step, literal=literal)]
        return [f"{scalar(name, flow=False)}:", *(" " * step + line if line else line for line in inner)]
    if not literal and not isinstance(value, (int, float)):
        return [f"{scalar(name, flow=False)}: {flow(value)}"]
    return _dumped({name: value}, False).split("\n")


def _dumped(value: Any, in_flow: bool) -> str:
    form: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": _WIDE if in_flow else 118}
    text: str = yaml.dump(value, Dumper=Dumper, default_flow_style=in_flow, **form)
    return text.rstrip("\n")
