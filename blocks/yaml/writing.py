"""Plain data as YAML text that reads as the same."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import yaml

from blocks.errors import ScenarioError
from blocks.yaml.nodes import DEEPEST, MOST_NODES
from blocks.yaml.scalars import CORE


class Dumper(yaml.SafeDumper):
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}  # type: ignore[misc]

    def ignore_aliases(self, data: Any) -> bool:
        """Equal lists are written out each time: anchors would be noise."""
        return True


for _tag, (_pattern, _first) in CORE.items():
    Dumper.add_implicit_resolver(_tag, _pattern, ["" if c == "\0" else c for c in _first])


def write(data: dict[str, Any]) -> str:
    """Plain data as YAML text, with an empty line between the items of the outermost mapping.

    Raises ScenarioError if there is more than can be read again.
    """
    count, depth = _count(data)
    if count > MOST_NODES:
        raise ScenarioError(
            f"there are {count} items to be written, and a file may have {MOST_NODES}: let blocks with large tables "
            f"take them from a file, by from_file in Python or 'file' in a scenario"
        )
    if depth > DEEPEST:
        raise ScenarioError(f"what is to be written is nested {depth} deep, and a file may be {DEEPEST}")
    form: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": 118, "default_flow_style": False}
    parts = [yaml.dump({key: value}, Dumper=Dumper, **form) for key, value in data.items()]
    return "".join(
        ("\n" if i and ("\n" in part.rstrip() or "\n" in parts[i - 1].rstrip()) else "") + part
        for i, part in enumerate(parts)
    )


def _count(item: Any) -> tuple[int, int]:
    """How many nodes the reader will count, and how deep they go."""
    if isinstance(item, list) and not (item and isinstance(item[0], (list, dict))):
        return 1 + len(item), 1 + bool(item)
    if not isinstance(item, (dict, list)):
        return 1, 1
    keys, inner = (len(item), item.values()) if isinstance(item, dict) else (0, item)
    found = [_count(one) for one in inner]
    return 1 + keys + sum(count for count, _ in found), 1 + max((depth for _, depth in found), default=0)


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


Dumper.add_representer(float, _write_float)
Dumper.add_representer(str, _write_text)
Dumper.add_representer(list, _write_list)
Dumper.add_representer(dict, _write_mapping)
