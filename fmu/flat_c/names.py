"""Names of a plan's quantities as members of C structs."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
alignas alignof asm bool catch class const_cast constexpr decltype delete dynamic_cast explicit export false friend
mutable namespace new noexcept nullptr operator private protected public reinterpret_cast static_assert static_cast
template this thread_local throw true try typeid typename using virtual wchar_t
"""
_KEYWORDS = frozenset(_WORDS.split())
"""Those of C and of C++, which may include the header."""


def identifier(name: str) -> str:
    """A name as a C identifier: `vessel.mass` is `vessel_mass`."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not re.match(r"[A-Za-z]", text):
        text = f"m_{text}"
    return f"{text}_" if text in _KEYWORDS else text


def identifiers(names: Iterable[str]) -> dict[str, str]:
    """An identifier for each name, each its own."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        text = identifier(name)
        while text in taken:
            text += "_"
        taken.add(text)
        found[name] = text
    return found
