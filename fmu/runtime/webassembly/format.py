"""WebAssembly's binary format, as far as needed to take functions out of a module: sections, numbers, names.

WebAssembly Core Specification 2.0, chapter 5. Nothing of Keelblocks is imported here, because the build uses this file
before anything is installed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

CUSTOM, IMPORTS, EXPORTS, CODE = 0, 2, 7, 10
_MAGIC = b"\0asm\1\0\0\0"
_FUNCTION_NAMES = 1  # the part of the custom section "name" that has them


@dataclass(frozen=True)
class Section:
    """A section by its number, without its size."""

    kind: int
    content: bytes


def number(data: bytes, place: int) -> tuple[int, int]:
    """An unsigned LEB128 number at a place, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def as_number(value: int) -> bytes:
    """A number as unsigned LEB128, as short as it can be."""
    digits = []
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def sections(module: bytes) -> list[Section]:
    """The sections of a module. Raises ValueError if it is none."""
    if not module.startswith(_MAGIC):
        raise ValueError("this is no WebAssembly module of version 1")
    found, place = [], len(_MAGIC)
    while place < len(module):
        size, first = number(module, place + 1)
        if first + size > len(module):
            raise ValueError("the WebAssembly module is truncated")
        found.append(Section(module[place], module[first : first + size]))
        place = first + size
    return found


def module_of(parts: Iterable[Section]) -> bytes:
    """A module of sections."""
    return _MAGIC + b"".join(bytes([part.kind]) + _sized(part.content) for part in parts)


def bodies(code: bytes) -> list[bytes]:
    """The functions of the code section, each without its size."""
    count, place = number(code, 0)
    found = []
    for _ in range(count):
        body, place = _sized_at(code, place)
        found.append(body)
    return found


def code_of(functions: Iterable[bytes]) -> Section:
    """The code section of functions."""
    sized = [_sized(body) for body in functions]
    return Section(CODE, as_number(len(sized)) + b"".join(sized))


def custom(name: str, content: bytes) -> Section:
    """A section that only those read who know its name."""
    return Section(CUSTOM, _sized(name.encode()) + content)


def custom_content(parts: Iterable[Section], name: str) -> bytes:
    """What stands in the custom section of this name. Raises ValueError if there is none."""
    for part in parts:
        if part.kind == CUSTOM:
            found, place = _sized_at(part.content, 0)
            if found == name.encode():
                return part.content[place:]
    raise ValueError(f"the WebAssembly module has no section '{name}'")


def function_names(parts: Iterable[Section]) -> dict[str, int]:
    """The numbers of functions by the names that the linker has left. Raises ValueError if it has left none."""
    content, place = custom_content(parts, "name"), 0
    while place < len(content):
        kind = content[place]
        part, place = _sized_at(content, place + 1)
        if kind == _FUNCTION_NAMES:
            return dict(_names(part))
    raise ValueError("the WebAssembly module has no names of functions")


def exports(content: bytes) -> dict[str, bytes]:
    """What the export section has, by name: its kind and number as they are stored."""
    count, place = number(content, 0)
    found = {}
    for _ in range(count):
        name, first = _sized_at(content, place)
        _, place = number(content, first + 1)
        found[name.decode()] = content[first:place]
    return found


def exports_of(entries: dict[str, bytes]) -> Section:
    """The export section of entries."""
    stored = b"".join(_sized(name.encode()) + entry for name, entry in entries.items())
    return Section(EXPORTS, as_number(len(entries)) + stored)


def _names(part: bytes) -> Iterator[tuple[str, int]]:
    count, place = number(part, 0)
    for _ in range(count):
        function, place = number(part, place)
        name, place = _sized_at(part, place)
        yield name.decode(), function


def _sized(content: bytes) -> bytes:
    return as_number(len(content)) + content


def _sized_at(data: bytes, place: int) -> tuple[bytes, int]:
    size, first = number(data, place)
    return data[first : first + size], first + size
