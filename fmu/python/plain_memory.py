"""Values of attributes as text, for saved states: plain data, which can be read from strangers without running it.

Each value is a node, a list that begins with its kind; lists and mappings name their parts by number, so that what was
one thing is one thing again. Objects are taken apart only if their class is of the FMU's own modules and is made of
attributes; Python's own way of saving them, which runs what it is told to run, is never used.
"""

from __future__ import annotations

import base64
import enum
import math
import random
import re
import sys
from collections import deque
from typing import Any

import numpy as np

_KINDS = re.compile(r"[<>|=](?:[biufcSU]\d+|[mM]8(?:\[\w+\])?)")
_GENERATORS = {"PCG64": None, "PCG64DXSM": None, "MT19937": 624, "Philox": 4, "SFC64": None}
"""And up to where each may stand in its buffer, which NumPy does not look at."""
_GATHERED: dict[str, type] = {"tuple": tuple, "set": set, "frozenset": frozenset}
_CUSTOM = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")

Node = list[Any]


class Unsavable(Exception):
    """A value is no plain data."""


class Writer:
    """Takes values of one block apart; `own` is the name of the package of its classes."""

    def __init__(self, own: str) -> None:
        self.own = own
        self.nodes: list[Node] = []
        self._numbers: dict[int, int] = {}
        self._alive: list[Any] = []

    def add(self, value: Any) -> int:
        """The number of a value. Raises Unsavable, and has taken nothing then."""
        before, alive = len(self.nodes), len(self._alive)
        try:
            return self._number(value)
        except (Unsavable, RecursionError, ValueError) as problem:
            del self.nodes[before:], self._alive[alive:]
            self._numbers = {key: number for key, number in self._numbers.items() if number < before}
            raise Unsavable from problem

    def _number(self, value: Any) -> int:
        known = self._numbers.get(id(value))
        if known is not None:
            return known
        number = len(self.nodes)
        self.nodes.append([])
        self._numbers[id(value)] = number
        self._alive.append(value)
        self.nodes[number] = self._node(value)
        return number

    def _node(self, value: Any) -> Node:
        kind = type(value)
        if value is None:
            return ["none"]
        if kind is bool or kind is str:
            return [kind.__name__, value]
        if kind is int:
            return ["int", hex(value)]
        if kind is float:
            return ["float", value.hex()]
        if kind is complex:
            return ["complex", value.real.hex(), value.imag.hex()]
        if kind is bytes or kind is bytearray:
            return [kind.__name__, _text(bytes(value))]
        if kind is list or kind in _GATHERED.values():
            return [kind.__name__, [self._number(item) for item in value]]
        if kind is deque:
            return ["deque", value.maxlen, [self._number(item) for item in value]]
        if kind is dict:
            return ["dict", [[self._number(key), self._number(item)] for key, item in value.items()]]
        if kind is np.ndarray or isinstance(value, np.generic):
            return _array_node(value)
        if kind is np.random.Generator and type(value.bit_generator).__name__ in _GENERATORS:
            state = value.bit_generator.state
            return ["generator", state["bit_generator"], self._number(state)]
        if kind is random.Random:
            return ["random", self._number(value.getstate())]
        return self._object(value, kind)

    def _object(self, value: Any, kind: type) -> Node:
        if own_class(self.own, kind.__module__, kind.__qualname__) is not kind:
            raise Unsavable
        if isinstance(value, enum.Enum):
            return ["member", kind.__module__, kind.__qualname__, value.name]
        if not is_plain(kind):
            raise Unsavable
        return ["object", kind.__module__, kind.__qualname__, [[n, self._number(v)] for n, v in vars(value).items()]]


class Reader:
    """Puts values together again. Raises ValueError, KeyError, TypeError and the like for what is no such value."""

    def __init__(self, own: str, nodes: list[Node]) -> None:
        self.own, self.nodes = own, nodes
        self._made: dict[int, Any] = {}

    def value(self, number: int) -> Any:
        """The value with a number."""
        if number not in self._made:
            if type(number) is not int or number < 0:
                raise ValueError("a part of it is not there")
            kind, *given = self.nodes[number]
            self._made[number] = self._value(number, kind, given)
        return self._made[number]

    def _value(self, number: int, kind: str, given: list[Any]) -> Any:
        if kind == "none":
            return None
        if kind in ("bool", "str"):
            return _of(given[0], bool if kind == "bool" else str)
        if kind == "int":
            return int(given[0], 16)
        if kind == "float":
            return float.fromhex(given[0])
        if kind == "complex":
            return complex(*map(float.fromhex, given))
        if kind in ("bytes", "bytearray"):
            return (bytes if kind == "bytes" else bytearray)(_data(given[0]))
        if kind in _GATHERED:
            return _GATHERED[kind](self.value(item) for item in given[0])
        if kind in ("array", "scalar"):
            return _array(kind, *given)
        if kind == "generator":
            return self._generator(*given)
        if kind == "random":
            made_random = random.Random()
            made_random.setstate(self.value(given[0]))
            return made_random
        if kind == "member":
            return self._class(given[0], given[1], enum.Enum)[_of(given[2], str)]
        return self._filled(number, kind, given)

    def _filled(self, number: int, kind: str, given: list[Any]) -> Any:
        """What may hold itself: made empty first."""
        made: Any
        if kind == "list":
            made = self._made[number] = []
            made.extend(self.value(item) for item in given[0])
        elif kind == "deque":
            made = self._made[number] = deque(maxlen=given[0])
            made.extend(self.value(item) for item in given[1])
        elif kind == "dict":
            made = self._made[number] = {}
            made.update((self.value(key), self.value(item)) for key, item in given[0])
        elif kind == "object":
            made = self._made[number] = object.__new__(self._class(given[0], given[1], object))
            made.__dict__.update((_of(name, str), self.value(item)) for name, item in given[2])
        else:
            raise ValueError(f"it has a part of the kind {kind!r}")
        return made

    def _generator(self, name: str, state: int) -> np.random.Generator:
        if name not in _GENERATORS:
            raise ValueError(f"it has a generator {name!r}")
        given = self.value(state)
        place, most = given["state"].get("pos", given.get("buffer_pos", 0)), _GENERATORS[name]
        if most is not None and not 0 <= _of(place, int) <= most:
            raise ValueError(f"a generator in it stands at {place}")
        bits = getattr(np.random, name)()
        bits.state = given
        return np.random.Generator(bits)

    def _class(self, module: str, name: str, base: type) -> Any:
        found = own_class(self.own, module, name)
        if found is None or not issubclass(found, base) or (base is object and not is_plain(found)):
            raise ValueError(f"it has an object of {module}.{name}, which is no plain class of this FMU")
        return found


def own_class(own: str, module: str, name: str) -> Any:
    """A class of a module of a package that has been imported already; None if there is none."""
    if not isinstance(module, str) or not isinstance(name, str) or module.partition(".")[0] != own:
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = vars(found).get(part) if hasattr(found, "__dict__") else None
    return found if isinstance(found, type) and found.__module__ == module else None


def is_plain(kind: type) -> bool:
    """Whether objects of a class are their attributes and nothing else."""
    from blocks.block import Block

    if issubclass(kind, (Block, type, enum.Enum)) or not hasattr(kind, "__dict__"):
        return False
    for base in kind.__mro__[:-1]:
        if base.__module__ == "builtins" or "__slots__" in vars(base) or any(name in vars(base) for name in _CUSTOM):
            return False
    return True


def _array_node(value: Any) -> Node:
    kind = value.dtype.str
    if not _KINDS.fullmatch(kind) or value.dtype.names is not None:
        raise Unsavable
    if isinstance(value, np.generic):
        return ["scalar", kind, [], False, _text(value.tobytes())]
    turned = bool(value.flags.f_contiguous and not value.flags.c_contiguous)
    return ["array", kind, list(value.shape), turned, _text(value.tobytes("F" if turned else "C"))]


def _array(what: str, kind: str, shape: list[int], turned: bool, text: str) -> Any:
    if not _KINDS.fullmatch(_of(kind, str)) or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("an array in it cannot be")
    data, dtype = _data(text), np.dtype(kind)
    if len(data) != dtype.itemsize * math.prod(shape):
        raise ValueError("an array in it is not whole")
    array = np.frombuffer(data, dtype) if data else np.empty(math.prod(shape), dtype)
    array = array.reshape(shape, order="F" if turned else "C").copy(order="K")
    return array[()] if what == "scalar" else array


def _of(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise ValueError(f"it has {value!r} for {kind.__name__}")
    return value


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _data(text: str) -> bytes:
    return base64.b64decode(_of(text, str), validate=True)
