"""The binary format of components of WebAssembly, as far as the component of an FMU needs it.

WebAssembly Component Model, design/mvp/Binary.md: sections, types, and what has an index. A `Scope` is a place in which
indices count: a component, one within it, or the type of an instance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .format import as_number
from .interfaces import Type

MAGIC = b"\0asm\x0d\0\1\0"
MODULE, CORE_INSTANCE, COMPONENT, INSTANCE, ALIAS, TYPE, CANON, IMPORT, EXPORT = 1, 2, 4, 5, 6, 7, 8, 10, 11
"""Sections."""
FUNC, TYPES, INSTANCES = b"\x01", b"\x03", b"\x05"
"""Sorts of what is aliased and exported."""
_PRIMITIVE = {
    "bool": 0x7F, "s8": 0x7E, "u8": 0x7D, "s16": 0x7C, "u16": 0x7B, "s32": 0x7A, "u32": 0x79, "s64": 0x78, "u64": 0x77,
    "f32": 0x76, "f64": 0x75, "string": 0x73,
}  # fmt: skip
_RECORD, _LIST, _TUPLE, _ENUM, _OPTION, _RESULT = b"\x72", b"\x70", b"\x6f", b"\x6d", b"\x6b", b"\x6a"
_OWN, _BORROW, _FUNCTION = b"\x69", b"\x68", b"\x40"


def text(name: str) -> bytes:
    """A name, with its length ahead."""
    return as_number(len(name.encode())) + name.encode()


def plain(name: str) -> bytes:
    """A name of an import or export."""
    return b"\0" + text(name)


def vector(items: Iterable[bytes]) -> bytes:
    """Items, with their number ahead."""
    found = [*items]
    return as_number(len(found)) + b"".join(found)


def section(kind: int, content: bytes) -> bytes:
    """A section of a component."""
    return bytes([kind]) + as_number(len(content)) + content


def type_index(index: int) -> bytes:
    """The index of a type where a primitive type could stand as well: signed."""
    digits = []
    while index >= 0x40:
        digits.append(index & 0x7F | 0x80)
        index >>= 7
    return bytes([*digits, index])


class Scope:
    """Types that are defined, imported and exported in one place, by their names in WIT."""

    def __init__(self, emit: Callable[[bytes], None]) -> None:
        """emit: puts the definition of a type into this place."""
        self._emit = emit
        self._count = 0
        self._known: dict[tuple[object, ...], int] = {}
        self.named: dict[str, int] = {}
        """The indices of types that have names here."""
        self.resources: set[str] = set()

    def added(self) -> int:
        """The index of a type that came into this place otherwise, as by an alias."""
        self._count += 1
        return self._count - 1

    def define(self, definition: bytes) -> int:
        """The index of a new type."""
        self._emit(definition)
        return self.added()

    def structure(self, kind: Type) -> int:
        """A new type of this structure, for a name of its own."""
        if isinstance(kind, tuple):
            return self.define(_ENUM + vector(map(text, kind)))
        if isinstance(kind, dict):
            return self.define(_RECORD + vector([text(name) + self.value(of) for name, of in kind.items()]))
        if kind in _PRIMITIVE:
            return self.define(bytes([_PRIMITIVE[kind]]))
        return self.define(self._composed(kind))

    def value(self, kind: str) -> bytes:
        """A type as it stands in other types: defined where it is not there yet."""
        if kind in _PRIMITIVE:
            return bytes([_PRIMITIVE[kind]])
        if kind in self.resources:
            return type_index(self._once(kind, _OWN + as_number(self.named[kind])))
        if kind in self.named:
            return type_index(self.named[kind])
        return type_index(self._once(kind, self._composed(kind)))

    def function(self, parameters: Iterable[tuple[str, str]], result: str, self_of: str = "") -> int:
        """The type of a function; self_of: of a method, the resource."""
        listed = [text(name) + self.value(kind) for name, kind in parameters]
        if self_of:
            borrowed = self._once(f"borrow<{self_of}>", _BORROW + as_number(self.named[self_of]))
            listed.insert(0, text("self") + type_index(borrowed))
        answer = b"\0" + self.value(result) if result else b"\1\0"
        return self.define(_FUNCTION + vector(listed) + answer)

    def _once(self, kind: str, definition: bytes) -> int:
        key = (kind, definition)
        if key not in self._known:
            self._known[key] = self.define(definition)
        return self._known[key]

    def _composed(self, kind: str) -> bytes:
        found = re.fullmatch(r"(\w+)<(.*)>", kind)
        assert found, kind
        outer, inner = found[1], found[2]
        parts = [self.value(part) for part in _parts(inner)]
        if outer == "list":
            return _LIST + parts[0]
        if outer == "option":
            return _OPTION + parts[0]
        if outer == "tuple":
            return _TUPLE + vector(parts)
        assert outer == "result", kind
        return _RESULT + b"".join(b"\1" + part for part in parts)


def _parts(inner: str) -> list[str]:
    """What stands between commas that are in no brackets."""
    parts, depth = [""], 0
    for character in inner:
        depth += {"<": 1, ">": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
