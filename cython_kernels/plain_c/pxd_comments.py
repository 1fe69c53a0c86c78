"""Docstrings and comments of Cython declarations, as C comments: Cython leaves them out of the C that it writes."""

import re
import textwrap
from functools import cache
from pathlib import Path


class Comments:
    """What the Cython files below `root` say about what they declare; nothing without a `root`."""

    def __init__(self, root: Path | None) -> None:
        self._root = root
        self._text = cache(self._read)

    def banner(self, file: str) -> str:
        """A heading for what follows from a file, with the first line of its docstring."""
        match = re.match(r'"""(.*?)(?:\n|""")', self._text(file))
        about = f": {match[1].strip()}" if match else ""
        return _comment(f"---- {file}{about}", "") + "\n" if file else ""

    def docstring(self, file: str, line: int) -> list[str]:
        """The docstring of the function declared at a line, as lines of C."""
        match = re.match(r'[^:"]*:\n\s*"""(.*?)"""', self._from(file, line), re.S)
        return _comment(textwrap.dedent("    " + match[1]).strip(), "").split("\n") if match else []

    def beside_fields(self, declaration: list[str], file: str, line: int) -> str:
        """A struct or enum with the comments that stand beside its fields, and above it the one beside its head."""
        said = _beside_names(self._from(file, line))
        lines = []
        for text in declaration:
            match = re.match(r"\s+.*?(\w+)(?:\[\w+\])*(?: = [^,]*)?[;,]?$", text)
            beside = said.get(match[1]) if match else None
            lines.append(f"{text:<36}{_comment(beside, ' ' * 36).lstrip()}" if beside else text)
        if "" in said:
            lines.insert(0, _comment(said[""], ""))
        return "\n".join(lines)

    def _read(self, file: str) -> str:
        path = self._root / file if self._root and file else None
        return path.read_text(encoding="utf-8") if path and path.is_file() else ""

    def _from(self, file: str, line: int) -> str:
        return "".join(self._text(file).splitlines(keepends=True)[max(line - 1, 0) :])


def _beside_names(text: str) -> dict[str, str]:
    """name -> comment, of the indented lines after the first; a comment may go on in the lines below it."""
    said: dict[str, str] = {}
    name = ""
    for i, line in enumerate(text.splitlines()):
        code, _, comment = line.partition("#")
        if i and line.strip() and not line.startswith(" "):
            break
        match = re.search(r"(\w+)(?:\[\w+\])*(?: *=.*)?\s*$", code)
        if i and match:
            name = match[1]
        elif i and not (line.strip().startswith("#") and line.index("#") > 4):
            name = ""
            continue
        if comment:
            said[name] = f"{said.get(name, '')} {comment.strip()}".strip()
    return said


def _comment(text: str, indent: str) -> str:
    """A C comment no wider than 120 columns."""
    safe = text.replace("*/", "* /").replace("/*", "/ *")
    lines = [part for line in safe.split("\n") for part in (textwrap.wrap(line, 114 - len(indent)) or [""])]
    return "/* " + f"\n{indent} * ".join(lines).replace(" * \n", " *\n") + " */"
