"""The functions of the C library that kernels call and that give other bits on other platforms."""

from __future__ import annotations

import re

from blocks.libraries.manifest import C_FILE, KERNELS
from blocks.libraries.package import Library

_ELEMENTARY = "mathematics/elementary"
_OTHER_BITS = (
    "acos|acosh|asin|asinh|atan|atan2|atanh|cbrt|cos|cosh|erf|erfc|exp|exp2|expm1|hypot|j0|j1|jn|lgamma|log|log10|log1p|"
    "log2|pow|sin|sincos|sinh|tan|tanh|tgamma|y0|y1|yn"
)
"""Of <math.h>, what IEEE 754 does not make exact."""
_CALL = re.compile(rf"(?<![\w.>])({_OTHER_BITS})[fl]?\s*\(")
_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_OWN = re.compile(r'^cdef inline double (\w+) "kb_', re.M)


def note_on_bits(library: Library) -> str:
    """What to say of a library that was built: which functions to take from Keelblocks instead; "" if none."""
    text = _COMMENT.sub("", (library.built / C_FILE).read_text(encoding="utf-8"))
    called = sorted(set(_CALL.findall(text)))
    if not called:
        return ""
    own = {
        name: f"cython_kernels.{_ELEMENTARY.replace('/', '.')}.{path.stem}"
        for path in sorted((KERNELS / _ELEMENTARY).glob("*.pxd"))
        for name in _OWN.findall(path.read_text(encoding="utf-8"))
    }
    instead = [f"{name} from {own[name]}" for name in called if name in own]
    names = ", ".join(f"{name} (by **, say)" if name == "pow" else name for name in called)
    what = f"Note: {library.name} may give other bits on other platforms, by what it calls of the C library: {names}"
    return f"{what}; cimport {', '.join(instead)}" if instead else what
