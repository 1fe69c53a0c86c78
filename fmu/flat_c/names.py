"""Names of a plan's quantities as members of C structs."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await co_return co_yield compl
concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export false friend mutable
namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires
static_assert static_cast template this thread_local throw true try typeid typename typeof typeof_unqual using virtual
wchar_t xor xor_eq
"""
_KEYWORDS = frozenset(_WORDS.split())
"""Those of C and of C++, which may include the header."""
_MACROS = re.compile(
    r"(?:KB|OWN|KEELBLOCKS|M)_\w*|STEP|DIFFERENCE_STEP|NULL|EOF|INFINITY|NAN|errno|offsetof|stdin|stdout|stderr|linux"
    r"|unix"
)
"""What the preprocessor may replace, wherever it stands: of the C file, the C library, and compilers of old."""
_HEADERS = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool
stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
"""
_NO_MODELS = frozenset({*_HEADERS.split(), "main", "grid"})
"""Headers of the C library, which ours would hide from others by -I, the example, and `grid_time` of the engine."""
_LONGEST = 100
"""Of a name, which files have."""


def identifier(name: str) -> str:
    """A name as a C identifier: `vessel.mass` is `vessel_mass`."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not re.match(r"[A-Za-z]", text):
        text = f"m_{text}"
    return f"{text}_" if text in _KEYWORDS or _MACROS.fullmatch(text) else text


def identifier_of_model(name: str) -> str:
    """What the files of a model are called, and what all its names begin with."""
    text = identifier(name)[:_LONGEST]
    return f"{text}_" if text.lower() in _NO_MODELS else text


def identifiers(names: Iterable[str], reserved: Iterable[str] = ()) -> dict[str, str]:
    """An identifier for each name, each its own, and none that is reserved."""
    found: dict[str, str] = {}
    taken = {*reserved}
    for name in names:
        text = identifier(name)
        while text in taken:
            text += "_"
        taken.add(text)
        found[name] = text
    return found
