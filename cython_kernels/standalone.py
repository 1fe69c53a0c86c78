"""The engine and its kernels as one readable C99 file that needs no Python: `python -m cython_kernels.standalone OUT`.

Cython writes functions that touch no Python object as plain C, between C that serves Python. `extract` takes the plain
part out by Cython's section markers, gives everything its own name again and refuses what would need Python.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cython_kernels.tidy_c import tidy

DIRECTIVES = {
    "language_level": "3",
    "cdivision": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
}
"""How every kernel is compiled. They hold for inline functions of `.pxd` files only if given globally."""

_NEEDS_PYTHON = re.compile(r"\b(Py[A-Z_]\w*|__Pyx_\w+|__PYX_\w+|__pyx_\w+|CYTHON_\w+)\b")
_REASONS = {
    "__Pyx_pow": "an integer power: multiply, or take the power of a double",
    "__Pyx_abs": "abs() of an integer: write it as a conditional expression",
    "__Pyx_div": "a division with Python's rounding: compile with cdivision=True",
    "__Pyx_mod": "a remainder with Python's sign: compile with cdivision=True",
    "__Pyx_memview": "a memoryview: take a pointer and a size",
    "__Pyx_TypeInfo": "a memoryview: take a pointer and a size",
    "__PYX_NAN": "float('nan'): take NAN from libc.math",
    "__Pyx_ErrOccurred": "an exception: declare the function noexcept",
    "__Pyx_AddTraceback": "an exception: declare the function noexcept",
    "__Pyx_WriteUnraisable": "an exception: declare the function noexcept",
    "__pyx_vp": "a variable of another module: make it an enum, a #define or an inline function",
    "__pyx_v_": "a variable of the module: make it an enum, a #define or an inline function",
}
_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while".split()
)
_MARKER = re.compile(r'/\* "([^"\n]+)":(\d+)\n.*?\*/', re.S)
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_SECTION = re.compile(r"^/\* #### Code section: (\w+) ### \*/$", re.M)
_MANGLED = re.compile(r"__pyx_(?:f|t|e|k|opt_args)_((?:\d+[a-zA-Z_]\w*))")
_FUNCTION = re.compile(r"^static (?:CYTHON_INLINE )?([^\n;=]*?)(\w+)\(([^\n]*)\) \{\n(.*?)^\}$", re.M | re.S)


class StandaloneError(Exception):
    """C that cannot stand without Python: says which function, and what in it needs Python."""


@dataclass
class _Function:
    symbol: str
    returns: str
    arguments: str
    body: str
    file: str
    line: int

    def uses(self) -> set[str]:
        return set(re.findall(r"__pyx_f_\w+", self.body))


def extract(c_source: str, *, below: str | None = None, root: Path | None = None) -> str:
    """The plain C in what Cython wrote, as one C99 file.

    `below` names a function: only what it uses is taken, and not the function itself. `root` is the folder in which
    Cython ran; with it the docstrings are found and become comments. Raises StandaloneError if something that is taken
    needs Python.
    """
    sections = _sections(c_source)
    functions = {f.symbol: f for f in _functions(sections["module_code"])}
    if below is not None:
        functions = _reachable(functions, below)
    strings = dict(re.findall(r'^static const char (__pyx_k_\w+)\[\] = (".*");$', sections["string_decls"], re.M))
    types = list(_types(sections["type_declarations"]))
    everything = "\n".join([*(text for text, _, _ in types), *(f.symbol for f in functions.values())])
    names = _plain_names(everything)
    for symbol, literal in strings.items():
        names[symbol] = literal
    parts = [_preamble(c_source)]
    for text, file, line in types:
        parts.append(_type(_rename(_COMMENT.sub("", text), names), _comments(root, file, line)))
    known: set[str] = set()
    for function in functions.values():
        for ahead in functions:
            if ahead in function.uses() - known - {function.symbol} and _position(functions, ahead, function.symbol):
                parts.append(_signature(functions[ahead], names) + ";\n")
                known.add(ahead)
        known.add(function.symbol)
        parts.append(_definition(function, names, root))
    return "\n".join(part for part in parts if part)
