"""Whether the functions that kernels call are declared so that they can be called without Python."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from blocks.kernel_views.source import Source, ViewError

_DEFINITION = re.compile(
    r"^[ \t]*(?P<form>cdef[ \t][^\n=:()#]*?\b(?P<name>\w+)[ \t]*\((?:[^()]|\([^()]*\))*\))(?P<how>[^:\n#]*):", re.M
)
_CALL = re.compile(r"\b(\w+)[ \t]*\(")


def refuse_what_may_raise(source: Source, functions: Collection[str]) -> None:
    """Raise ViewError for a function of a kernel, or one that is called, that is not `noexcept nogil`."""
    texts = dict(source.kernel_files())
    suspects = [
        (file, match)
        for file, text in texts.items()
        for match in _DEFINITION.finditer(text)
        if not {"noexcept", "nogil"} <= {*match["how"].split()}
    ]
    if not suspects:
        return
    found = [name for text in texts.values() for name in _CALL.findall(text)]
    for file, match in suspects:
        if match["name"] in functions or found.count(match["name"]) > 1:
            _refuse(source, file, texts[file], match)


def _refuse(source: Source, file: Path, text: str, match: re.Match[str]) -> None:
    form = re.sub(
        r"^cdef (?:inline )?", "cdef inline ", re.sub(r"(?<=\() | (?=\))", "", " ".join(match["form"].split()))
    )
    lacking = f"is not declared 'noexcept nogil', as all is that kernels call: write '{form} noexcept nogil:'"
    start = match.start("name")
    place = source.place(file, text, start, start + len(match["name"]), f"{match['name']} {lacking}")
    raise ViewError(f"{match['name']} ({file}, line {place[0].line}) {lacking}", problems=place)
