"""Topics that are given in Python, as a file would say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from blocks.errors import shown
from blocks.live.messages.contents import MessageError
from blocks.scenario.topics_model import InputTopics, Topics


def topic_entries(topics: Mapping[str, Any]) -> dict[str, Any]:
    """Entries of topics that are published: {"/odom": {"type": "nav_msgs/Odometry", …}}. Raises MessageError."""
    return _checked(Topics, topics)


def input_entries(topics: Mapping[str, Any]) -> dict[str, Any]:
    """Entries of topics that give inputs. Raises MessageError."""
    return _checked(InputTopics, topics)


def _checked(kind: Any, topics: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(topics, Mapping):
        raise MessageError(f"topics are a mapping, {{'/odom': {{'type': …}}}}, not {shown(topics)}")
    try:
        found: dict[str, Any] = TypeAdapter(kind).validate_python(dict(topics))
    except ValidationError as problem:
        lines = (f"{_place(one['loc'])} {_said(one)}" for one in problem.errors())
        raise MessageError("\n".join(dict.fromkeys(lines))) from None
    return found


def _said(finding: Any) -> str:
    """What is wrong, in words."""
    if finding["type"] == "missing":
        return "is missing"
    if finding["type"] == "string_pattern_mismatch":
        return f"cannot be '{finding['input']}': letters, digits and underscores, with / in topics and . in signals"
    return f"is not in order: {finding['msg']}"


def _place(loc: tuple[Any, ...]) -> str:
    """The topic and the key in it, without the type, which pydantic puts between them."""
    topic, *inner = (str(part) for part in loc)
    return ".".join([f"topic {topic}", *(part for part in inner if "/" not in part and part != "[key]")])
