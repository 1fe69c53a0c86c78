"""C of one member beside what lanes make of it: compiled together, run on random numbers, compared bit by bit."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from blocks.compiled import side_by_side
from cython_kernels import engine as native
from cython_kernels.plain_c.compilers import own_compiler
from cython_kernels.plain_c.lanes.module import Module
from cython_kernels.plain_c.lanes.reading import preprocessed, read
from cython_kernels.plain_c.lanes.structs import Again
from cython_kernels.plain_c.lanes.types import D, NotLaned, T, pointer

COMPILER = own_compiler()
FLAGS = [
    "-std=gnu11",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-strict-aliasing",
    "-fno-tree-vectorize",
    "-fno-tree-slp-vectorize",
    "-w",
]
WIDE = dict(side_by_side._X86.values())
"""Flags for so many lanes."""
WIDTHS = tuple(sorted(side_by_side._X86[name][0] for name in native.SIMD[: native.SIMD.index(native.WIDEST_SIMD) + 1]))
"""Those that this processor has."""
INPUTS, OUTPUTS, EXTRAS = 16, 24, 4
HEAD = """\
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
static inline unsigned long long kb_bits_of(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline double kb_from_bits(unsigned long long bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline unsigned long long kb_digits_of_two_over_pi(int first) { return (unsigned long long)first; }
struct Sizes;
typedef struct Sizes Sizes;
struct Sizes {
    int n;
    int m;
};
struct View;
typedef struct View View;
struct View {
    double const *u;
    double *y;
    double *z;
    double const *extra;
    Sizes const *n;
};
struct Pair;
typedef struct Pair Pair;
struct Pair {
    double x;
    double y;
    int n;
    double v[3];
};
struct Leg;
typedef struct Leg Leg;
struct Leg {
    double const *begin;
    double length;
    int finished;
    unsigned int key;
};
"""
"""What functions see: 16 inputs u, 24 outputs y and z each, which have values before, 4 extra numbers or none."""
_SUPPORT = Path(__file__).parent
_LANES = Path(__file__).parents[2] / "cython_kernels" / "plain_c" / "lanes"


@dataclass(frozen=True)
class Laned:
    """C for several members. refused: why which functions are not there."""

    text: str
    scalar: str
    names: tuple[str, ...]
    refused: dict[str, str]

    def unit(self) -> str:
        """All of it in one file, with what runs it."""
        there = [name for name in self.names if name not in self.refused]
        listed = ", ".join(there), ", ".join(f"{name}__pv" for name in there)
        return "".join([
            self.scalar, self.text,
            f"#define FUNCTIONS {len(there)}\n#define INPUTS {INPUTS}\n#define OUTPUTS {OUTPUTS}\n",
            f"#define EXTRAS {EXTRAS}\n",
            f"static void (*const alone[])(View const *, double) = {{{listed[0]}}};\n",
            f"static void (*const together[])(L_View *, VD) = {{{listed[1]}}};\n",
            (_SUPPORT / "side_by_side.h").read_text(encoding="utf-8"),
        ])  # fmt: skip

    def differences(
        self, folder: Path, width: int = 2, options: Sequence[str] = ("-O1",), trials: int = 100,
        compiler: Sequence[str] | None = None, flags: Sequence[str] = (),
    ) -> list[str]:  # fmt: skip
        """What does not agree, a line each, after the name of the function."""
        source, program = folder / "unit.c", folder / f"unit_{width}"
        source.write_text(self.unit(), encoding="utf-8")
        command = [*(compiler or COMPILER), *FLAGS, *WIDE[width], *options, *flags, f"-DKL_WIDTH={width}"]
        done = subprocess.run([*command, "-o", str(program), str(source), "-lm"], capture_output=True, text=True)
        if done.returncode != 0:
            return [f"does not compile: {done.stderr[:3000]}"]
        there = [name for name in self.names if name not in self.refused]
        found: list[str] = []
        first = 0
        while first < len(there):
            done = subprocess.run([str(program), str(first), str(trials)], capture_output=True, text=True, timeout=600)
            lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
            found += [f"{there[int(number)]} {what}" for number, what in lines]
            if done.returncode == 0:
                break
            if done.returncode != 3:
                return [*found, f"{done.returncode}: {done.stderr[:3000]}"]
            first = int(lines[-1][0]) + 1
        return found


def laned(functions: str, names: Sequence[str]) -> Laned:
    """What is made of C functions behind HEAD. names: of those of a `View const *` and a time that are compared."""
    module = Module(read(preprocessed(HEAD + functions, COMPILER)))
    view = pointer(T("s", "View"))
    while True:
        refused: dict[str, str] = {}
        try:
            for name in names:
                try:
                    module.variant(name, [view, D.laned()], False)
                except NotLaned as problem:
                    refused[name] = str(problem)
            break
        except Again:
            module.in_work.clear()
    text = (_LANES / "prelude.h").read_text(encoding="utf-8") + module.structs() + module.functions()
    return Laned(text, HEAD + functions, tuple(names), refused)
