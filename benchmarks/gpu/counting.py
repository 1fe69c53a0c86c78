"""How many operations on doubles a step of a member takes: counted on this processor, by a type that counts."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.gpu.processor import library, with_what_cuda_has

KINDS = ("additions", "multiplications", "divisions", "square roots", "comparisons")
_TYPE = """
extern "C" { long long counts[5]; }
struct Counted {
    double value;
    Counted() = default;
    template <class T> constexpr Counted(T x) : value((double)x) {}
    template <class T> explicit operator T() const { return (T)value; }
    Counted operator-() const { return Counted(-value); }
    Counted &operator+=(Counted b) { counts[0] += 1; value += b.value; return *this; }
    Counted &operator-=(Counted b) { counts[0] += 1; value -= b.value; return *this; }
    Counted &operator*=(Counted b) { counts[1] += 1; value *= b.value; return *this; }
};
#define COUNTED(result, sign, kind) \\
    static inline result operator sign(Counted a, Counted b) { counts[kind] += 1; return result(a.value sign b.value); }
COUNTED(Counted, +, 0) COUNTED(Counted, -, 0) COUNTED(Counted, *, 1) COUNTED(Counted, /, 2)
COUNTED(bool, <, 4) COUNTED(bool, >, 4) COUNTED(bool, <=, 4)
COUNTED(bool, >=, 4) COUNTED(bool, ==, 4) COUNTED(bool, !=, 4)
static inline Counted counted_root(Counted x) { counts[3] += 1; return Counted(__builtin_sqrt(x.value)); }
#define double Counted
#define __dsqrt_rn counted_root
"""
_CONTRACTS = re.compile(r"(own_contracts\(void\)\n)\{.*?^\}\n", re.M | re.S)
"""It has a volatile double, which a class has no way from."""


def operations(
    source: str, name: str, rows: int, members: int, steps: int, given: Sequence[tuple[int, np.ndarray]], folder: Path
) -> dict[str, float]:
    """Operations per member and step, by kind, in so many steps. given: rows that are set ahead of the start."""
    text = with_what_cuda_has("/* here */" + _CONTRACTS.sub(r"\1{ return 0; }\n", source), name)
    code = library(text.replace("/* here */", _TYPE), folder, ("-O1", "-w", "-fno-strict-aliasing"), "counting")
    counts = (ctypes.c_longlong * len(KINDS)).in_dll(code, "counts")
    models, status = np.zeros((rows, members)), np.zeros(members, dtype=np.int32)
    pointer, states = ctypes.c_void_p(models.ctypes.data), ctypes.c_void_p(status.ctypes.data)
    many = ctypes.c_longlong(members)
    code.launch_set_defaults(pointer, many)
    for row, values in given:
        models[row] = values
    code.launch_start(pointer, states, many)
    code.launch_step(pointer, states, many, ctypes.c_longlong(1))
    before = [*counts]
    code.launch_step(pointer, states, many, ctypes.c_longlong(steps))
    return {kind: (counts[i] - before[i]) / (members * steps) for i, kind in enumerate(KINDS)}
