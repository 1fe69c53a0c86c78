"""Run the Python of a page in Markdown: python run_page.py PAGE [PAGE …]; says what is wrong and where, or nothing.

The blocks that are marked `python` run one after the other in one namespace; those marked `py` are shown only. A block
of text right below one is what it prints; an error that it ends with is the last line of that. "..." there stands for
anything.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Fence:
    """A fenced block of a page."""

    language: str
    text: str
    line: int
    """Of its first line of text."""
    follows: bool
    """True if it stands right below another one."""


def fences(page: str) -> list[Fence]:
    """The fenced blocks of a page, in order."""
    found, end = [], -1
    for match in _FENCE.finditer(page):
        line = page.count("\n", 0, match.start()) + 2
        found.append(Fence(match[1], match[2], line, match.start() == end + 1))
        end = match.end()
    return found


def run(path: Path) -> list[str]:
    """What is wrong with the Python of a page, each with its line."""
    problems: list[str] = []
    namespace: dict[str, Any] = {"__name__": "page"}
    blocks = fences(path.read_text(encoding="utf-8"))
    for fence, below in zip(blocks, [*blocks[1:], None], strict=True):
        if fence.language != "python":
            continue
        where = f"{path.name}:{fence.line}"
        printed, trouble = _execute(fence, str(path), namespace)
        if below is not None and below.follows and below.language == "text":
            expected = below.text.strip()
            if not _agrees(printed.strip(), expected):
                problems.append(f"{where}: expected\n{expected}\nbut got\n{printed.strip()}\n{trouble}")
        elif trouble:
            problems.append(f"{where}: {trouble}")
    return problems


def _agrees(printed: str, expected: str) -> bool:
    return re.fullmatch(re.escape(expected).replace(r"\.\.\.", ".*"), printed, re.DOTALL) is not None


def _execute(fence: Fence, file: str, namespace: dict[str, Any]) -> tuple[str, str]:
    """What a block prints, with the error that it ends with, and the traceback of that."""
    code = compile("\n" * (fence.line - 1) + fence.text, file, "exec")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            exec(code, namespace)
        except Exception as problem:
            print(f"{type(problem).__name__}: {problem}")
            return out.getvalue(), traceback.format_exc()
    return out.getvalue(), ""


if __name__ == "__main__":
    found = [problem for page in sys.argv[1:] for problem in run(Path(page))]
    print("\n\n".join(found))
    sys.exit(bool(found))
