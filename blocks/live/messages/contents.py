"""The contents of messages: dictionaries by the names of fields, with arrays, numbers, text and lists of such."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.errors import KeelblocksError
from blocks.units import to_unit

Message = dict[str, Any]


class MessageError(KeelblocksError):
    """A message, or a topic that is wanted, does not fit the diagram's signals."""


class MissingSignalError(MessageError):
    """A topic wants a signal that there is not, or that was not recorded."""


def stamp_of(time: ArrayLike) -> Message:
    """builtin_interfaces/Time of a time, s, to the nearest nanosecond."""
    return stamp_of_nanoseconds(np.rint(np.asarray(time, np.float64) * 1e9).astype(np.int64))


def stamp_of_nanoseconds(nanoseconds: ArrayLike) -> Message:
    """builtin_interfaces/Time of whole nanoseconds."""
    seconds, rest = np.divmod(np.asarray(nanoseconds, np.int64), 1_000_000_000)
    return {"sec": seconds, "nanosec": rest}


def header(stamp: Message, frame_id: str) -> Message:
    """std_msgs/Header."""
    return {"stamp": stamp, "frame_id": frame_id}


def vector(values: NDArray[np.float64], names: str = "xyz") -> Message:
    """A Vector3, Point or Quaternion: the elements of the last dimension by name."""
    return {name: values[..., number] for number, name in enumerate(names)}


def field(message: Any, path: str) -> Any:
    """A field of a message by its dotted name, where that is a dictionary or an object of rclpy or of rosbags.

    Raises MessageError, with the fields that there are.
    """
    found = message
    for name in path.split("."):
        try:
            found = found[name] if isinstance(found, Mapping) else getattr(found, name)
        except (KeyError, AttributeError):
            names = found if isinstance(found, Mapping) else [n for n in dir(found) if not n.startswith("_")]
            raise MessageError(
                f"the message has no field '{path}'", code="unknown-name", wrong=name, valid=names
            ) from None
    return found


def elements(message: Any, path: str, names: str = "xyz") -> NDArray[np.float64]:
    """The elements of a Vector3, Point or Quaternion along a new last dimension."""
    whole = field(message, path) if path else message
    return np.stack([np.asarray(field(whole, name), dtype=np.float64) for name in names], axis=-1)


def plain(content: Any) -> Any:
    """The contents of one message with numbers of Python instead of arrays, as rclpy wants them."""
    if isinstance(content, dict):
        return {name: plain(item) for name, item in content.items()}
    if isinstance(content, list):
        return [plain(item) for item in content]
    return content.tolist() if isinstance(content, (np.ndarray, np.generic)) else content


def quantity(value: Any, unit: str | None) -> float:
    """A number of a file: in this unit, or text with another one; with None in SI. Raises ParameterError."""
    return to_unit(value, unit) if isinstance(value, str) else float(value)
