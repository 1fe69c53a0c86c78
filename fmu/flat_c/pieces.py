"""The C of an engine with some kernels, in pieces: what stands ahead of the functions, and the functions.

What is read is what `EngineC.only` writes of `readable/engine.c`; what is written back has only what is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

_BANNER = re.compile(r"^/\* ---- (\w+/[\w/]+\.pxd).*?\*/\n", re.M | re.S)
_FUNCTION = re.compile(
    r"((?:^/\*(?:[^*]|\*(?!/))*\*/\n)?)^(static [^;{}]*?\b(\w+)\([^;{}]*\)) \{\n(.*?)^\}\n", re.M | re.S
)
"""Comment, declaration, name, body."""
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_STRING = re.compile(r'"[^"\n]*"')
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
_TAG = re.compile(r"\b(?:struct|enum|union) (\w+)\s*(?:\{|;)")
_TYPEDEF = re.compile(r"\btypedef\b[^;{]*?\b(\w+);|\btypedef\b[^;]*?\(\*(\w+)\)\(|\}\s*(\w+);", re.S)
_ENUMERATOR = re.compile(r"\b([A-Z_][A-Z0-9_]*)\s*(?:=|,|\})")
_CALLED = re.compile(r"\b(\w+)\(")
_HANDED = re.compile(r"\bKB_\w+\(([^()]*)")
"""To a macro, which may call it."""


@dataclass(frozen=True)
class Function:
    """A function. file: the `.pxd` that it comes from; head: without the brace; body: indented lines."""

    file: str
    comment: str
    head: str
    name: str
    body: str

    @property
    def words(self) -> set[str]:
        """The names in it."""
        return words(self.head + self.body)

    @property
    def text(self) -> str:
        """As it is written."""
        return f"{self.comment}{self.head} {{\n{self.body}}}\n"


@dataclass(frozen=True)
class Item:
    """Something ahead of the functions: macros, a type, names of constants. names: what it defines."""

    text: str
    names: frozenset[str]


def words(text: str) -> set[str]:
    """The names in C, without those in comments and strings."""
    return set(_WORD.findall(_STRING.sub("", _COMMENT.sub("", text))))


def called(text: str) -> set[str]:
    """The functions and macros that C calls."""
    code = _STRING.sub("", _COMMENT.sub("", text))
    return {*_CALLED.findall(code), *_WORD.findall(" ".join(_HANDED.findall(code)))}


class Pieces:
    """An engine's C, taken apart."""

    def __init__(self, text: str) -> None:
        banners = [*_BANNER.finditer(text)]
        self.banners = {match[1]: match[0] for match in banners}
        self.functions: dict[str, Function] = {}
        ends = [*(match.start() for match in banners[1:]), len(text)]
        for banner, end in zip(banners, ends, strict=True):
            for match in _FUNCTION.finditer(text, banner.end(), end):
                comment, head, name, body = match.groups()
                self.functions[name] = Function(banner[1], comment, head, name, body)
        self.items = [*_items(text[: banners[0].start()], self.functions)]

    def replace(self, name: str, body: str) -> None:
        """Give a function another body. Raises ValueError if there is no such function."""
        if name not in self.functions:
            raise ValueError(f"the engine has no function {name}: fmu/flat_c does not fit it")
        self.functions[name] = replace(self.functions[name], body=body)

    def needed(self, entry_points: Iterable[str]) -> tuple[list[Item], list[Function]]:
        """What these functions need, in the order of the engine."""
        of_item = {name: item for item in self.items for name in item.names}
        ahead, found = [*entry_points], set[str]()
        while ahead:
            name = ahead.pop()
            if name in found:
                continue
            found.add(name)
            if name in self.functions:
                ahead += self._uses(self.functions[name].text) - found
            if name in of_item:
                ahead += (self._uses(of_item[name].text) | of_item[name].names) - found
        functions = [function for name, function in self.functions.items() if name in found]
        return [item for item in self.items if item.names & found], functions

    def _uses(self, text: str) -> set[str]:
        """The names in C; of functions those that it calls, for variables and members may be called the same."""
        return (words(text) - self.functions.keys()) | called(text)


def _items(head: str, functions: Iterable[str]) -> Iterator[Item]:
    """The items ahead of the functions; prototypes of functions that follow are left out, and so are includes."""
    those = set(functions)
    for text in _cut(head):
        bare = _COMMENT.sub("", text)
        names = set(_MACRO.findall(bare))
        if bare.lstrip().startswith("#include") or not bare.strip():
            continue
        if not names:
            names |= set(_TAG.findall(bare))
            names |= {name for match in _TYPEDEF.findall(bare) for name in match if name}
            if re.search(r"\benum\b", bare):
                names |= set(_ENUMERATOR.findall(bare))
        if bare.lstrip().startswith("static"):
            name = _CALLED.findall(bare)[0]
            if name in those and "{" not in bare and bare.strip().removesuffix(";")[-1:] == ")":
                continue
            names |= {name}
        yield Item(text, frozenset(names))


def _cut(head: str) -> Iterator[str]:
    """The head in pieces: each comment with what follows, directives from #if to #endif as one."""
    piece: list[str] = []
    depth, nested, continued, commented = 0, 0, False, False
    for line in head.splitlines(keepends=True):
        text = line.strip()
        if not piece and not text:
            continue
        piece.append(line)
        if commented or (text.startswith("/*") and not nested and "*/" not in text):
            commented = "*/" not in text
            continue
        macro = text.startswith("#") or continued
        if continued:
            continued = text.endswith("\\")
        elif text.startswith("#"):
            depth += text.startswith("#if")
            depth -= text.startswith("#endif")
            continued = _COMMENT.sub("", text).endswith("\\")
        else:
            nested += _COMMENT.sub("", line).count("{") - _COMMENT.sub("", line).count("}")
            nested += _COMMENT.sub("", line).count("(") - _COMMENT.sub("", line).count(")")
        bare = _COMMENT.sub("", text).rstrip()
        if not depth and not nested and not continued and (macro or bare.endswith((";", "}"))) and bare:
            yield "".join(piece)
            piece = []
    if "".join(piece).strip():
        yield "".join(piece)
