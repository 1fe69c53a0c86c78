"""Random functions in the C that Cython writes for kernels: free of undefined behaviour, whatever the numbers are."""

from __future__ import annotations

import random

from random_c.control import Control
from random_c.expressions import WHOLE, Helper

_PARAMETERS = {
    "x": "double {}", "i": "int {}", "u": "unsigned int {}", "q": "unsigned long long {}", "p": "double const *{}",
    "o": "double *{}", "s": "Pair *{}", "c": "Pair const *{}", "v": "Pair {}", "b": "View const *{}",
    "D": "double *{}", "I": "int *{}", "Q": "unsigned long long *{}", "g": "Leg const *{}", "h": "Leg {}",
}  # fmt: skip
_RETURNS = {"x": "double", "i": "int", "u": "unsigned int", "q": "unsigned long long", "v": "Pair",
            "p": "double const *",
            "h": "Leg", "": "void"}  # fmt: skip


class Function(Control):
    """Writes one function."""

    def text(self) -> str:
        """The whole of it."""
        self._begin()
        self.block(self.left)
        self._end()
        given = ", ".join(_PARAMETERS[kind].format(name) for kind, name in self.parameters)
        if self.name.startswith("root"):
            given = "View const *b, double x8"
        own = [f"  double {name};\n" for name in ("d0", "d1", "d2", "d3", "d4", "e1", "e2")]
        own += [
            f"  {WHOLE[kind]} {name};\n"
            for kind in WHOLE
            for name in self.whole[kind]
            if name in (f"{kind}0", f"{kind}1")
        ]
        own += ["  int i2;\n  int m1;\n  unsigned long long m2;\n"]
        own += [f"  int {name};\n" for name in self.temporaries]
        own += ["  double a[8];\n  double c[8];\n  int k[4];\n  Pair s0;\n  Pair s1;\n  Leg leg;\n  double *p0;\n"]
        own += ["  double const *p1;\n"]
        if self.returns:
            own.append(f"  {_RETURNS[self.returns]} result;\n")
        return (
            f"static inline {_RETURNS[self.returns]} {self.name}({given}) {{\n{''.join(own)}{''.join(self.lines)}}}\n"
        )

    def _begin(self) -> None:
        for n in range(4):
            self.line(f"(k[{n}]) = {self.r.randrange(10)};")
        self.line("leg.key = 5;")
        self.line("leg.finished = 0;")
        for array in ("a", "c"):
            self.arrays.append((array, 8, True))
            if self.chance(0.3):
                self.line(f"(void)(memset({array}, 0, (((size_t)8) * (sizeof(double)))));")
                continue
            self.arrays.pop()
            self.line("for (t1 = 0; t1 < 8; t1+=1) {")
            self.line(f"  ({array}[t1]) = ({self.double(1)} + ((double)t1));")
            self.line("}")
            self.arrays.append((array, 8, True))
        for pair in ("s0", "s1"):
            self.line(f"{pair}.x = {self.double(1)};")
            self.line(f"{pair}.y = {self.double(1)};")
            self.line(f"{pair}.n = {self.small(1)};")
            for n in range(3):
                self.line(f"({pair}.v[{n}]) = {self.double(1)};")
            self.arrays.append((f"{pair}.v", 3, True))
            self.pairs.append((f"{pair}.", True))
        self.line("leg.begin = a;")
        self.line(f"leg.length = {self.double(1)};")
        self.legs.append("leg.")
        self.line(f"d0 = {self.double(1)};")
        self.line(f"i0 = {self.small(1)};")
        self.line(f"u0 = {self.unsigned(1)};")
        self.assigned |= {"d0", "i0", "u0", "e1", "m1", "m2"}
        self.line(f"e1 = {self.double(1)};")
        self.line("m1 = 3;")
        self.line(f"m2 = {self.long(1)};")
        self.doubles.append("e1")
        self.whole["i"].append("m1")
        self.whole["q"].append("m2")
        self.pointer()

    def _end(self) -> None:
        if self.returns and not self.dead:
            self.result()
        self._label(self.targets[0])
        if self.name.startswith("root"):
            at = 0
            for name in sorted(self.assigned & {*self.doubles, "i0", "i1", "u0", "q0", "w0", "l0", "m1", "m2"}):
                self.line(f"(b->y[{at}]) = {name if name[0] in 'dxe' else f'((double){name})'};")
                at += 1
            for n in range(3):
                self.line(f"(b->y[{at + n}]) = ((a[{n}]) + (s0.v[{n}]));")
            self.line(f"(b->y[{at + 3}]) = (s1.x + ((double)s1.n));")
            self.line(f"(b->y[{at + 4}]) = (leg.length + ((double)leg.finished));")
            self.line(f"(b->y[{at + 5}]) = ((leg.begin[1]) + ((double)leg.key));")
            self.line(f"(b->y[{at + 6}]) = ((double)(k[{self.r.randrange(4)}]));")
        elif self.returns:
            self.line("return result;")


def program(seed: int, roots: int, size: int = 14) -> tuple[str, list[str]]:
    """Functions of a seed: their text, and the names of those that are roots."""
    r = random.Random(seed)
    parts, names = [], []
    for n in range(roots):
        helpers: list[Helper] = []
        for m in range(r.randrange(3)):
            returns = r.choice("xxiuqvph ").strip()
            kinds = "".join(r.choice("xxiuqposcvDDIQgh") for _ in range(r.randrange(1, 4)))
            kinds += (
                "b" if returns == "h" or (returns == "p" and not set(kinds) & set("po")) or r.random() < 0.3 else ""
            )
            helper = Helper(f"helper{n}_{m}", returns, kinds)
            parts.append(Function(r, helper.name, returns, kinds, helpers[:], size // 2).text())
            helpers.append(helper)
        parts.append(Function(r, f"root{n}", "", "bx", helpers, size).text())
        names.append(f"root{n}")
    return "".join(parts), names
