"""Whether what kernels read by name is declared: a near miss, before Cython says that a struct has no such member."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from blocks.errors import did_you_mean
from blocks.kernel_views.declarations import title
from blocks.kernel_views.groups import WORDS, Form, groups_of
from blocks.kernel_views.source import Source, ViewError
from blocks.model.block import Block

_FUNCTION = re.compile(
    r"^cdef\b[^(\n]*?\b(?P<name>\w+)\((?P<arguments>[^)]*)\)[^\n]*:\n(?P<body>(?:[ \t].*\n|\n)*)", re.M
)
_VIEW = re.compile(r"\bconst\s+(\w+)View\s*\*\s*(\w+)")


def refuse_unknown_members(source: Source, classes: Sequence[type[Block]]) -> None:
    """Raise ViewError where a function takes a member of a view that the class does not declare."""
    views = {title(cls): cls for cls in classes}
    for file, text in source.kernel_files():
        for function in _FUNCTION.finditer(text):
            for view, argument in _VIEW.findall(function["arguments"]):
                if view in views:
                    _refuse_unknown(source, views[view], argument, function, file, text)


def _refuse_unknown(
    source: Source, cls: type[Block], argument: str, function: re.Match[str], file: Path, text: str
) -> None:
    groups = groups_of(cls)
    for member in re.finditer(rf"\b{argument}\.({'|'.join(groups)})\.(\w+)", function["body"]):
        group = groups[member[1]]
        names = [each.c_name for each in group.members]
        if group.form is Form.RAW or member[2] in names:
            continue
        start = function.start("body") + member.start()
        line = text.count("\n", 0, start) + 1
        lacking = (
            f"takes {member[0]}, which is not among the {WORDS[group.letter]} that {title(cls)} declares"
            f"{did_you_mean(member[2], names)}"
        )
        place = source.place(file, text, start, start + len(member[0]), f"{function['name']} {lacking}")
        raise ViewError(f"{function['name']} ({file}, line {line}) {lacking}", problems=place)
