"""Where a file names components and ports outside of its diagram: under `run`, `report`, `live` and `environment`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from blocks.yaml.places import ItemPath

Rename = Callable[[str, str], str | None]
"""From what a reference is to, "block" or "signal", and its dotted name to its new name; None: there is no more."""

_PORTS = (
    *("eta", "nu", "force", "specific_force", "angular_rate", "attitude", "latitude", "longitude", "height", "valid"),
    *("voltage", "current", "state_of_charge", "data", "surge", "sway", "heave", "roll_rate", "pitch_rate", "yaw_rate"),
    *("X", "Y", "Z", "K", "M", "N"),
)
_MESSAGE: dict[str, Any] = {
    "block": "block",
    "transforms": {"*": "signal"},
    "axes": {"keys": "signal"},
    "buttons": {"keys": "signal"},
    **dict.fromkeys(_PORTS, "signal"),
}
_FORMULAS = {"*": "formula"}
WHERE: dict[str, Any] = {
    "run": {"record": "signal", "stop": "signal", "inputs": {"keys": "signal"}},
    "report": {**dict.fromkeys(("guidance", "vessel", "thrusters", "meter"), "block"), "plots": "signal"},
    "live": {
        "show": "signal",
        "change": "signal",
        "sinks": {"*": {"signals": "signal"}},
        "topics": {"*": {"whole": _MESSAGE}},
        "ros2": {
            "topics": {"*": {"whole": _MESSAGE}},
            "inputs": {"*": {"any": _MESSAGE}},
            "parameters": "signal",
        },
        "ardupilot": {
            "whole": {"vessel": "block", "imu": "block", "servos": {"keys": "signal"}},
            "also": {"battery": "block", **dict.fromkeys(("wind", "rangefinders"), "signal")},
        },
    },
    "environment": {
        "derived": _FORMULAS,
        "observation": {"keys": "signal", "*": {"whole": {"": "formula", "of": "formula"}}},
        "action": {"keys": "signal"},
        "reward": _FORMULAS,
        "termination": {"*": {"whole": {"": "formula", "when": "formula", "reward": "formula"}}},
        "metrics": _FORMULAS,
        "final": _FORMULAS,
        "randomise": {"keys": "signal", "*": {"of": "signal"}},
    },
}
"""What stands where. "*": each of a mapping; "keys": its keys; "whole": what is of no use if one of these goes, "also":
what else it may hold; "any": what is of no use if all of these go; "": the entry itself, where it is no mapping."""

_EMPTY_SAYS_SOMETHING = [("live", "topics"), *(("live", "ros2", key) for key in ("topics", "inputs", "parameters"))]
_NAME = re.compile(r"(?<![\w.\]])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?!\w|\s*\()")
_GONE: Any = object()


class References:
    """Changes references in data; `renamed` are the keys that are called otherwise, by their place before."""

    def __init__(self, rename: Rename, renamed: dict[ItemPath, str]) -> None:
        self.rename, self.renamed = rename, renamed
        self.own: frozenset[str] = frozenset()
        """Names that expressions give to others."""

    def change(self, data: dict[str, Any]) -> None:
        """Change all references in the data of a file."""
        environment = data.get("environment")
        if isinstance(environment, dict):
            named = (environment.get(section) for section in ("derived", "metrics", "observation"))
            self.own = frozenset(name for section in named if isinstance(section, dict) for name in section)
        for section, where in WHERE.items():
            if isinstance(data.get(section), dict):
                now = self.mapping(data[section], where, (section,))
                if now or not data[section]:
                    data[section] = now
                else:
                    del data[section]

    def value(self, value: Any, where: Any, item: ItemPath) -> Any:
        """What stands for a value; _GONE if it is to go."""
        if isinstance(where, dict):
            if isinstance(value, dict):
                if "any" in where:
                    return self.any(value, where["any"], item)
                return self.whole(value, where, item) if "whole" in where else self.mapping(value, where, item)
            inner = where.get("whole", {}).get("")
            return value if inner is None else self.value(value, inner, item)
        if isinstance(value, list):
            found = [one for each in value if (one := self.value(each, where, item)) is not _GONE]
            return found if found or not value else _GONE
        if not isinstance(value, str):
            return value
        return self.formula(value) if where == "formula" else self.reference(value, where)

    def mapping(self, data: dict[str, Any], where: dict[str, Any], item: ItemPath) -> dict[str, Any]:
        """A mapping without what is to go."""
        found: dict[str, Any] = {}
        for key, value in data.items():
            name: Any = key
            if "keys" in where:
                name = self.reference(key, where["keys"])
                if name is _GONE:
                    continue
                if name != key:
                    self.renamed |= {(*item, key): name}
            inner = where.get(key, where.get("*"))
            now = value if inner is None else self.value(value, inner, (*item, key))
            if now is _GONE or (now == {} != value):
                if (*item, key) in _EMPTY_SAYS_SOMETHING:
                    found[name] = type(value)() if isinstance(value, (dict, list)) else []
                continue
            found[name] = now
        return found

    def whole(self, data: dict[str, Any], where: dict[str, Any], item: ItemPath) -> Any:
        """A mapping, or _GONE if a reference is that it cannot do without."""
        found = self.mapping(data, where["whole"] | where.get("also", {}), item)
        return _GONE if any(key in data and key not in found for key in where["whole"]) else found

    def any(self, data: dict[str, Any], where: dict[str, Any], item: ItemPath) -> Any:
        """A mapping, or _GONE if all references in it are."""
        found = self.mapping(data, where, item)
        return found if any(key in where for key in found) or not any(key in where for key in data) else _GONE

    def reference(self, text: str, kind: str) -> Any:
        """A reference with its elements: "plant.vessel.eta[psi]"."""
        name, bracket, element = text.partition("[")
        now = self.rename(kind, name)
        return _GONE if now is None else now + bracket + element

    def formula(self, text: str) -> Any:
        """An expression over signals."""
        gone = False

        def renamed(match: re.Match[str]) -> str:
            nonlocal gone
            now = match[0] if match[0] in self.own else self.rename("signal", match[0])
            gone |= now is None
            return now or ""

        found = _NAME.sub(renamed, text)
        return _GONE if gone else found


def moved(names: Mapping[str, str | None]) -> Rename:
    """References to components by their dotted names before and after; None: there are no more."""

    def rename(kind: str, name: str) -> str | None:
        for before, now in names.items():
            if (name == before and kind == "block") or name.startswith(f"{before}."):
                return None if now is None else now + name[len(before) :]
        return name

    return rename


def port_moved(names: Mapping[str, str | None]) -> Rename:
    """References to ports by their dotted names before and after; None: there are no more."""
    return lambda kind, name: names.get(name, name) if kind == "signal" else name
