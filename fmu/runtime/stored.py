"""A runtime as it is stored: a library in sections, each deflated, so that an FMU gets the kernels that it needs.

The file is a line of JSON, which says of each section its name, its kernels, its size and that of its stream, and then
the streams. What an FMU does not need is filled with zeros: all else stays where it was linked to be, and zeros take no
room in a zip. Nothing of Keelblocks is imported here, because the build uses this file before anything is installed.
"""

import functools
import itertools
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .code_signature import signature_place, signed
from .deflated import deflate, inflate

ALWAYS = ""
"""The name of the first section, which every FMU has: the engine, the functions of FMI."""
SIGNATURE = "signature"
"""The name of the last section of a library that is signed; others have none."""

_LEVEL = 9
_MEMORIES = range(5, 10)

Part = tuple[bytes, bytes]
"""A content and its stream."""


@dataclass(frozen=True)
class Section:
    """A part of the library. One without kernels is in every FMU."""

    name: str
    kernels: tuple[str, ...]
    size: int
    stream: bytes

    @functools.cached_property
    def content(self) -> bytes:
        """The bytes of the library."""
        return inflate(self.stream)


@dataclass(frozen=True)
class Runtime:
    """A library in sections."""

    sections: tuple[Section, ...]

    @property
    def kernels(self) -> frozenset[str]:
        """Every kernel that it has."""
        return frozenset(kernel for section in self.sections for kernel in section.kernels)

    def library(self, kernels: Collection[str]) -> list[Part]:
        """The parts of the library with these kernels, and with those that are in the same sections."""
        parts: list[Part] = []
        for kept, sections in itertools.groupby(self.sections, lambda s: _is_needed(s, kernels)):
            if kept:
                parts += [(section.content, section.stream) for section in sections]
            else:
                zeros = bytes(sum(section.size for section in sections))
                parts.append((zeros, deflate(zeros)))
        if self.sections[-1].name == SIGNATURE:
            content = b"".join(content for content, _ in parts)
            anew = signed(content)[-self.sections[-1].size :]
            if anew != parts[-1][0]:
                parts[-1] = anew, deflate(anew)
        return parts


def _is_needed(section: Section, kernels: Collection[str]) -> bool:
    return section.name == ALWAYS or not section.kernels or any(kernel in kernels for kernel in section.kernels)


def file_name(version: str) -> str:
    """The file of the runtime for a version of FMI, "2" or "3"."""
    return f"fmi{version}.runtime"


def stored(library: bytes, starts: Iterable[tuple[str, Iterable[str], int]]) -> bytes:
    """The bytes to store of a library: of each section, the first of which starts at 0, name, kernels and start."""
    begun = [(name, tuple(kernels), start) for name, kernels, start in starts]
    signature = signature_place(library)
    if signature is not None:
        begun.append((SIGNATURE, (), signature))
    ends = [start for _, _, start in begun[1:]] + [len(library)]
    sections = [
        Section(name, kernels, end - start, _smallest(library[start:end]))
        for (name, kernels, start), end in zip(begun, ends, strict=True)
    ]
    head = [{"name": s.name, "kernels": s.kernels, "size": s.size, "stream": len(s.stream)} for s in sections]
    return json.dumps(head).encode() + b"\n" + b"".join(section.stream for section in sections)


def _smallest(content: bytes) -> bytes:
    """The smallest stream: what code and tables share a code for makes a hundredth of them."""
    return min((deflate(content, _LEVEL, memory) for memory in _MEMORIES), key=len)


def read(content: bytes) -> Runtime:
    """A runtime from the bytes that were stored of it."""
    head, _, streams = content.partition(b"\n")
    sections, place = [], 0
    for item in json.loads(head):
        stream = streams[place : place + item["stream"]]
        sections.append(Section(item["name"], tuple(item["kernels"]), item["size"], stream))
        place += item["stream"]
    return Runtime(tuple(sections))
