"""Random functions in the C that Cython writes for kernels: free of undefined behaviour, whatever the numbers are."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from side_by_side_c import EXTRAS, INPUTS, OUTPUTS

MANY = 2**31
_DOUBLES = (
    "0.0",
    "(-0.0)",
    "1.0",
    "0.5",
    "(-2.0)",
    "3.25",
    "1e300",
    "1e-310",
    "((double)INFINITY)",
    "6755399441055744.0",
)
_WHOLE = {"i": "int", "w": "int", "u": "unsigned int", "q": "unsigned long long", "l": "long long"}
_PARAMETERS = {
    "x": "double {}", "i": "int {}", "u": "unsigned int {}", "q": "unsigned long long {}", "p": "double const *{}",
    "o": "double *{}", "s": "Pair *{}", "c": "Pair const *{}", "v": "Pair {}", "b": "View const *{}",
    "D": "double *{}", "I": "int *{}", "Q": "unsigned long long *{}", "g": "Leg const *{}", "h": "Leg {}",
}  # fmt: skip
_RETURNS = {"x": "double", "i": "int", "u": "unsigned int", "q": "unsigned long long", "v": "Pair", "p": "double const *",
            "h": "Leg", "": "void"}  # fmt: skip


@dataclass(frozen=True)
class Helper:
    """A function that others call. kinds: of its parameters."""

    name: str
    returns: str
    kinds: str


@dataclass
class Label:
    """Where gotos lead; seen: what was assigned at each."""

    name: str
    seen: list[set[str]] = field(default_factory=list)


class Function:
    """Writes one function."""

    def __init__(self, r: random.Random, name: str, returns: str, kinds: str, helpers: list[Helper], size: int) -> None:
        self.r, self.name, self.returns, self.helpers = r, name, returns, helpers
        self.parameters = [(kind, f"{kind}{9 - n}" if kind not in "b" else "b") for n, kind in enumerate(kinds)]
        self.lines: list[str] = []
        self.depth = 1
        self.labels = 0
        self.dead = False
        self.assigned: set[str] = set()
        self.locked: set[str] = set()
        self.targets: list[Label] = [Label("L0")]
        self.doubles = [f"d{n}" for n in range(5)]
        self.whole = {kind: [f"{kind}{n}" for n in range(3 if kind == "i" else 2)] for kind in _WHOLE}
        self.temporaries = [f"t{n}" for n in range(1, 7)]
        self.arrays: list[tuple[str, int, bool]] = []
        self.pairs: list[tuple[str, bool]] = []
        self.legs: list[str] = []
        self.left = size
        for kind, given in self.parameters:
            self._take(kind, given)

    def _take(self, kind: str, name: str) -> None:
        self.assigned.add(name)
        if kind == "x":
            self.doubles.append(name)
        elif kind in "iuq":
            self.whole[kind].append(name)
        elif kind in "po":
            self.arrays.append((name, 3, kind == "o"))
        elif kind in "sc":
            self.pairs.append((f"{name}->", kind == "s"))
            self.arrays.append((f"{name}->v", 3, kind == "s"))
        elif kind == "D":
            self.arrays.append((name, 1, True))
        elif kind in "IQ":
            self.whole["i" if kind == "I" else "q"].append(f"({name}[0])")
            self.assigned.add(f"({name}[0])")
        elif kind in "gh":
            self.legs.append(f"{name}{'->' if kind == 'g' else '.'}")
        elif kind == "v":
            self.pairs.append((f"{name}.", True))
            self.arrays.append((f"{name}.v", 3, True))
        else:
            self.arrays += [("b->u", INPUTS, False), ("b->y", OUTPUTS, True), ("b->z", OUTPUTS, True)]

    # ---- the text

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
            f"  {_WHOLE[kind]} {name};\n"
            for kind in _WHOLE
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

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(f"{'  ' * self.depth}{text}\n")

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

    # ---- chance

    def chance(self, of: float) -> bool:
        """Whether it is so."""
        return self.r.random() < of

    def pick(self, *these: str) -> str:
        """One of several."""
        return self.r.choice(these)

    def _known(self, names: list[str]) -> list[str]:
        return [name for name in names if name in self.assigned]

    # ---- expressions

    def index(self, size: int) -> str:
        """An index below a size."""
        if size == 1:
            return "0"
        fitting = [name for name, below in self.counters.items() if below <= size]
        if fitting and self.chance(0.5):
            return self.r.choice(fitting)
        how = self.r.randrange(6)
        if how < 3:
            return str(self.r.randrange(size))
        if how == 3:
            return f"({self.unsigned(0)} % {size}U)"
        return f"((({self.small(0)} % {size}) + {size}) % {size})"

    @property
    def counters(self) -> dict[str, int]:
        """Counters of loops, and what they are below."""
        found: dict[str, int] = self.__dict__.setdefault("_counters", {})
        return found

    def element(self, writable: bool = False) -> str:
        """A number in memory."""
        arrays = [a for a in self.arrays if (a[2] or not writable) and (a[0][0] != "p" or a[0] in self.assigned)]
        if self.pairs and self.chance(0.2):
            pairs = [p for p in self.pairs if p[1] or not writable]
            return f"{self.r.choice(pairs)[0]}{self.pick('x', 'y')}"
        if not writable and self.legs and self.chance(0.1):
            return f"{self.r.choice(self.legs)}{self.pick('length', 'begin[0]', 'begin[2]')}"
        name, size, _ = self.r.choice(arrays)
        return f"({name}[{self.index(size)}])"

    def double(self, depth: int) -> str:
        """A double."""
        if depth <= 0 or self.chance(0.2):
            how = self.r.randrange(10) if self.arrays else self.r.randrange(8, 10)
            known = self._known(self.doubles)
            if how < 5 and known:
                return self.r.choice(known)
            if how < 8:
                return self.element()
            return self.pick(*_DOUBLES) if how == 8 else f"((double){self.whole_number(0)})"
        one, other = self.double(depth - 1), self.double(depth - 1)
        return [
            lambda: f"({one} {self.pick('+', '-', '*', '/')} {other})",
            lambda: f"({one} {self.pick('+', '-', '*')} {other})",
            lambda: f"{self.pick('sqrt', 'fabs', 'floor', 'ceil', 'trunc', 'round')}({one})",
            lambda: f"(-{one})",
            lambda: f"copysign({one}, {self.pick('1.0', '-3.0')})",
            lambda: f"((double)((float){self.pick('0.1', '3.7')}))",
            lambda: f"({one} {self.pick('+', '*')} {self.whole_number(depth - 1)})",
            lambda: f"((double){self.whole_number(depth - 1)})",
            lambda: f"kb_from_bits({self.long(depth - 1)})",
        ][self.r.randrange(9)]()

    def whole_number(self, depth: int) -> str:
        """A whole number of any type."""
        how = self.r.randrange(6)
        if how < 3:
            return self.int_(depth)[0]
        return (self.unsigned, self.long, lambda d: self.signed_long(d)[0])[how - 3](depth)

    def small(self, depth: int) -> str:
        """An int of at most 100."""
        text, bound = self.int_(depth)
        return text if bound <= 100 else f"({text} % {self.r.randrange(2, 97)})"

    def int_(self, depth: int) -> tuple[str, int]:
        """An int, and what its size does not exceed."""
        if depth <= 0 or self.chance(0.15):
            known = self._known(self.whole["i"])
            how = self.r.randrange(8)
            if how < 3 and known:
                return self.r.choice(known), 100
            if how == 3 and self.counters:
                return self.r.choice(list(self.counters)), 10
            if how == 4 and ("b", "b") in self.parameters:
                return self.pick("b->n->n", "b->n->m"), 4
            if how == 5:
                return f"(k[{self.index(4)}])", 100
            if how == 6 and self.pairs:
                return f"{self.r.choice(self.pairs)[0]}n", 100
            if how == 7 and self._known(self.whole["w"]):
                return self.r.choice(self._known(self.whole["w"])), MANY
            return str(self.r.randrange(10)), 9
        one, a = self.int_(depth - 1)
        other, b = self.int_(depth - 1)
        number = self.r.randrange(1, 12)
        how = self.r.randrange(14)
        if how < 2 and a + b < MANY:
            return f"({one} {self.pick('+', '-')} {other})", a + b
        if how == 2 and a * b < MANY:
            return f"({one} * {other})", a * b
        if how == 3 and a < MANY:
            return f"({self.pick('-', '~')}{one})", a + 1
        if how == 4:
            return f"({one} % {number})", number
        if how == 5:
            return f"({one} / {number})", a
        if how == 6:
            return f"({one} {self.pick('|', '^', '&')} {other})", 2 ** max(a, b).bit_length()
        if how == 7:
            return f"(({one} & 15) << {self.r.randrange(8)})", 15 * 256
        if how == 8:
            return f"({one} >> {self.pick('1', '3', '(' + self.small(0) + ' & 7)')})", a
        if how == 9:
            return f"((int){self.unsigned(depth - 1)})", MANY
        if how == 10:
            return f"((int)({self.long(depth - 1)} {self.pick('& 1023ULL', '>> 50')}))", 2**14
        if how == 11:
            return f"(!{self.condition(depth - 1)})", 1
        return self.condition(depth - 1), 1

    def unsigned(self, depth: int) -> str:
        """An unsigned int."""
        known = self._known(self.whole["u"])
        if depth <= 0 or self.chance(0.15):
            if known and self.chance(0.7):
                return self.r.choice(known)
            return self.pick("0U", "7U", "4294967295U", "0x9E3779B9U", "leg.key", f"((unsigned int){self.int_(0)[0]})")
        one = self.unsigned(depth - 1)
        other = self.unsigned(depth - 1) if self.chance(0.6) else self.int_(depth - 1)[0]
        return [
            lambda: f"({one} {self.pick('+', '-', '*', '&', '|', '^')} {other})",
            lambda: f"({other} {self.pick('+', '-', '*', '&', '|', '^')} {one})",
            lambda: f"({one} {self.pick('/', '%')} {self.r.randrange(1, 9)}U)",
            lambda: f"({one} {self.pick('<<', '>>')} {self.pick('1', '13', '31', f'({self.small(0)} & 31)')})",
            lambda: f"(~{one})",
            lambda: f"((unsigned int)({self.long(depth - 1)} >> {self.pick('32', '5')}))",
            lambda: f"((unsigned int){self.int_(depth - 1)[0]})",
            lambda: f"(0 - {one})",
        ][self.r.randrange(8)]()

    def long(self, depth: int) -> str:
        """An unsigned long long."""
        known = self._known(self.whole["q"])
        if depth <= 0 or self.chance(0.15):
            if known and self.chance(0.7):
                return self.r.choice(known)
            return self.pick("1ULL", "0x3febb67ae8584caaULL", "18446744073709551615ULL",
                             f"((unsigned long long){self.int_(0)[0]})", f"((unsigned long long){self.unsigned(0)})")  # fmt: skip
        one = self.long(depth - 1)
        other = self.r.choice((self.long, self.unsigned, lambda d: self.int_(d)[0]))(depth - 1)
        return [
            lambda: f"({one} {self.pick('+', '-', '*', '&', '|', '^')} {other})",
            lambda: f"({other} {self.pick('+', '-', '*', '&', '|', '^')} {one})",
            lambda: f"({one} {self.pick('/', '%')} {self.r.randrange(1, 9)})",
            lambda: f"({one} {self.pick('<<', '>>')} {self.pick('1', '13', '63', f'({self.small(0)} & 63)')})",
            lambda: f"({self.pick('~', '-')}{one})",
            lambda: f"(0 - ({one} & 1))",
            lambda: f"((unsigned long long){self.signed_long(depth - 1)[0]})",
        ][self.r.randrange(7)]()

    def signed_long(self, depth: int) -> tuple[str, int]:
        """A long long, and what its size does not exceed."""
        known = self._known(self.whole["l"])
        if depth <= 0 or self.chance(0.15):
            if known and self.chance(0.6):
                return self.r.choice(known), 2**40
            return self.r.choice([
                (f"((long long){self.int_(0)[0]})", MANY), (f"((long long){self.unsigned(0)})", 2 * MANY),
                (f"((long long)({self.long(0)} >> 24))", 2**40),
            ])  # fmt: skip
        one, a = self.signed_long(depth - 1)
        other, b = self.signed_long(depth - 1) if self.chance(0.5) else self.int_(depth - 1)
        how = self.r.randrange(4)
        if how == 0 and a * b < 2**62:
            return f"({one} * {other})", a * b
        if how == 1:
            number = self.r.randrange(1, 9)
            return f"({one} {self.pick('/', '%')} {number})", max(a, number)
        if how == 2:
            return f"({one} >> {self.r.randrange(9)})", a
        return f"({one} {self.pick('+', '-')} {other})", a + b

    def condition(self, depth: int) -> str:
        """A truth."""
        how = self.r.randrange(9)
        sign = self.pick("<", ">", "<=", ">=", "==", "!=")
        if how < 4:
            return f"({self.double(depth)} {sign} {self.double(depth)})"
        if how < 6:
            return f"({self.int_(depth)[0]} {sign} {self.int_(depth)[0]})"
        if how == 6:
            return f"({self.whole_number(depth)} {sign} {self.whole_number(depth)})"
        if how == 7:
            return (
                f"{self.pick('isfinite', 'isnan')}({self.double(depth)})" if self.chance(0.5) else "(leg.finished != 0)"
            )
        return f"({self.whole_number(depth)} != 0)"

    # ---- statements

    def block(self, size: int) -> None:
        """Some statements, until the end or a jump."""
        while size > 0 and self.left > 0 and not self.dead:
            size -= 1
            self.left -= 1
            self.statement()

    def statement(self) -> None:
        """One statement, with what it needs."""
        plain: list[Callable[[], None]] = [self.assign] * 5 + [self.store] * 2 + [self.pointer, self.leg, self.copy]
        plain += [self.call] * 3
        nested: list[Callable[[], None]] = [self.choice] * 4 + [self.both, self.loop, self.loop, self.while_loop]
        nested += [self.switch, self.labelled, self.divided, self.cast, self.advanced, self.extra, self.jump, self.jump]
        self.r.choice(plain if self.depth > 5 or self.chance(0.5) else nested)()

    def assign(self) -> None:
        """A number to a local variable."""
        how = self.r.randrange(8)
        if how < 3:
            self._set(self.r.choice(self.doubles), self.double(2))
        elif how == 3:
            self._set(self.r.choice(self.whole["i"]), self.small(2))
        elif how == 4:
            self._set(self.r.choice(self.whole["w"]), self.int_(2)[0])
        elif how == 5:
            self._set(self.r.choice(self.whole["u"]), self.unsigned(2) if self.chance(0.7) else self.int_(1)[0])
        elif how == 6:
            self._set(self.r.choice(self.whole["q"]), self.long(2) if self.chance(0.7) else self.int_(1)[0])
        else:
            text, bound = self.signed_long(2)
            self._set(self.r.choice(self.whole["l"]), text if bound <= 2**40 else f"({text} % 1000003)")

    def _set(self, name: str, value: str) -> None:
        if name in self.locked:
            return
        self.line(f"{name} = {value};")
        self.assigned.add(name)

    def store(self) -> None:
        """A number into memory."""
        how = self.r.randrange(6)
        if how < 4:
            self.line(f"{self.element(True)} = {self.double(2)};")
        elif how == 4:
            self.line(f"(k[{self.index(4)}]) = {self.small(1)};")
        else:
            self.line(f"{self.r.choice([p for p in self.pairs if p[1]])[0]}n = {self.small(1)};")

    def pointer(self) -> None:
        """p0, p1: to three numbers at least."""
        name = self.pick("p0", "p1")
        arrays = [a for a in self.arrays if a[1] > 2 and (a[2] or name == "p1") and a[0][0] not in "p"]
        array, size, _ = self.r.choice(arrays)
        self._set(name, array if size == 3 or self.chance(0.3) else f"({array} + {self.index(size - 2)})")
        if (name, 3, name == "p0") not in self.arrays:
            self.arrays.append((name, 3, name == "p0"))

    def leg(self) -> None:
        """A member of a struct with pointers, or all of a struct."""
        how = self.r.randrange(6)
        if how == 0:
            self.line(f"leg.begin = ({self.pick('a', 'c')} + {self.index(5)});")
        elif how == 1:
            self.line(f"leg.length = ({self.double(1)} + (leg.begin[{self.r.randrange(3)}]));")
        elif how == 2:
            self.line(f"leg.finished = {self.condition(1)};")
        elif how == 3:
            self.line(f"leg.key = {self.unsigned(1)};")
        else:
            one, other = self.r.sample(["s0", "s1"], 2)
            self.line(f"{one} = {other};")

    def copy(self) -> None:
        """memcpy, memset."""
        to, source = self.r.sample(["a", "c"], 2)
        count = self.r.choice(["8", "3", *(["b->n->n"] if ("b", "b") in self.parameters else [])])
        size = f"(((size_t){count}) * (sizeof(double)))"
        if self.chance(0.3):
            self.line(f"(void)(memset({to}, 0, {size}));")
        else:
            if ("b", "b") in self.parameters and self.chance(0.3):
                source = self.pick("b->u", "b->z")
            self.line(f"(void)(memcpy({to}, {source}, {size}));")

    def call(self) -> None:
        """A call of a helper."""
        if not self.helpers:
            return
        helper = self.r.choice(self.helpers)
        pairs = [p for p in self.pairs if p[1]]
        given = []
        for kind in helper.kinds:
            if kind in "sc":
                pair = self.r.choice(pairs)[0]
                given.append(pair[:-2] if pair.endswith("->") else f"(&{pair[:-1]})")
            elif kind == "v":
                given.append(self.pick("s0", "s1"))
            elif kind in "po":
                arrays = [
                    a for a in self.arrays
                    if a[1] > 2 and (a[2] or kind == "p") and (a[0][0] != "p" or a[0] in self.assigned)
                ]  # fmt: skip
                name, size, _ = self.r.choice(arrays)
                given.append(name if size == 3 or self.chance(0.5) else f"({name} + {self.index(size - 2)})")
            elif kind == "b":
                given.append("b")
            elif kind == "D":
                given.append(f"(&{self.pick('e1', self.element(True))})")
            elif kind == "I":
                given.append(f"(&{self.pick('m1', f'(k[{self.index(4)}])', 's0.n', 's1.n')})")
            elif kind == "Q":
                given.append("(&m2)")
            elif kind in "gh":
                leg = self.r.choice(self.legs)
                if leg.endswith("->"):
                    given.append(leg[:-2] if kind == "g" else "leg")
                else:
                    given.append(f"(&{leg[:-1]})" if kind == "g" else leg[:-1])
            else:
                given.append({"x": self.double, "i": self.small, "u": self.unsigned, "q": self.long}[kind](1))
        if "b" in helper.kinds and ("b", "b") not in self.parameters:
            return
        value = f"{helper.name}({', '.join(given)})"
        if helper.returns in ("", "p"):
            if helper.returns == "p" and "p1" not in self.locked:
                self._set("p1", value)
                if ("p1", 3, False) not in self.arrays:
                    self.arrays.append(("p1", 3, False))
            elif helper.returns == "":
                self.line(f"{value};")
        elif helper.returns == "v":
            self.line(f"{self.pick('s0', 's1')} = {value};")
        elif helper.returns == "h":
            self.line(f"leg = {value};")
        else:
            names = self.doubles if helper.returns == "x" else self.whole[helper.returns]
            self._set(self.r.choice(names), value)

    # ---- control

    @contextmanager
    def inside(self, *locked: str) -> Iterator[None]:
        """In braces."""
        self.depth += 1
        self.locked |= set(locked)
        yield
        self.locked -= set(locked)
        self.depth -= 1

    def temporary(self) -> str:
        """A temporary that is of no use for anything else now."""
        return self.r.choice([t for t in self.temporaries if t not in self.locked] or ["t6"])

    def tested(self) -> str:
        """A condition that can be asked, in a temporary mostly."""
        if self.chance(0.15):
            return self.condition(1)
        t = self.temporary()
        self.line(f"{t} = {self.condition(1)};")
        return t

    def new_label(self, end: str = "") -> Label:
        """A label."""
        self.labels += 1
        return Label(f"L{self.labels}{end}")

    def _label(self, label: Label) -> None:
        """Place a label, if it is used."""
        if not label.seen and label.name != "L0":
            return
        for seen in label.seen:
            self.assigned = set(seen) if self.dead else self.assigned & seen
            self.dead = False
        self.dead = False
        self.line(f"{label.name}:;")

    def _go(self, label: Label) -> None:
        self.line(f"goto {label.name};")
        label.seen.append(set(self.assigned))
        self.dead = True

    def result(self) -> None:
        """What is returned."""
        self.line("{")
        if self.returns == "v":
            self.line(f"  result = {self.pick('s0', 's1')};")
        elif self.returns == "h":
            self.line(f"  leg.begin = (b->u + {self.index(INPUTS - 2)});")
            self.line("  result = leg;")
        elif self.returns == "p":
            names = [a for a, _, _ in self.arrays if a[:2] in ("o9", "p9", "o8", "p8", "p7", "o7")] or ["b->u"]
            self.line(f"  result = {self.r.choice(names)};")
        else:
            by = {"x": self.double, "i": self.small, "u": self.unsigned, "q": self.long}
            self.line(f"  result = {by[self.returns](1)};")
        self.line("}")

    def jump(self) -> None:
        """A jump to a label further on, mostly on a condition."""
        label = self.r.choice(self.targets)
        sure = self.chance(0.15)
        before = set(self.assigned)
        if not sure:
            self.line(f"if ({self.tested()}) {{")
            before = set(self.assigned)
            self.depth += 1
            if self.chance(0.5):
                self.assign()
        if label.name == "L0" and self.returns:
            self.result()
        self._go(label)
        if not sure:
            self.depth -= 1
            self.line("}")
            self.dead, self.assigned = False, before

    def choice(self) -> None:
        """if, else; by goto and label as Cython writes elif."""
        end = self.new_label()
        by_label = self.chance(0.4)
        if by_label:
            self.targets.append(end)
        self.line(f"if ({self.tested()}) {{")
        before = set(self.assigned)
        with self.inside():
            self.block(self.r.randrange(1, 4))
            if by_label and not self.dead:
                self._go(end)
        after, dead = self.assigned, self.dead
        self.assigned, self.dead = before, False
        if by_label:
            self.line("}")
            self.line(" {")
            with self.inside():
                self.block(self.r.randrange(1, 4))
            self.line("}")
            self.targets.remove(end)
            self._label(end)
            return
        before = set(self.assigned)
        if self.chance(0.6):
            self.line("} else {")
            with self.inside():
                self.block(self.r.randrange(1, 4))
        self.line("}")
        if self.dead or dead:
            self.assigned = self.assigned if dead else after
            self.dead = dead and self.dead
        else:
            self.assigned &= after

    def both(self) -> None:
        """and, or, as Cython writes them."""
        done = self.new_label("_bool_binop_done")
        free = [t for t in self.temporaries if t not in self.locked]
        if len(free) < 2:
            return
        t, other = self.r.sample(free, 2)
        negated = self.pick("", "!")
        for _ in range(self.r.randrange(1, 3)):
            self.line(f"{t} = {self.condition(1)};")
            self.line(f"if ({negated}{t}) {{")
            self.line("} else {")
            self.line(f"  {other} = {t};")
            self.line(f"  goto {done.name};")
            self.line("}")
        self.line(f"{t} = {self.condition(1)};")
        self.line(f"{other} = {t};")
        self.line(f"{done.name}:;")
        before = set(self.assigned)
        self.line(f"if ({other}) {{")
        with self.inside():
            self.block(2)
        self.line("}")
        self.assigned, self.dead = before if self.dead else self.assigned & before, False

    def bound(self) -> str:
        """How often a loop runs, at most 4 times."""
        if ("b", "b") in self.parameters and self.chance(0.4):
            return self.pick("b->n->n", "b->n->m")
        return f"((({self.small(1)} % 4) + 4) % 4)" if self.chance(0.6) else str(self.r.randrange(1, 5))

    def loop(self) -> None:
        """A loop that counts."""
        free = [t for t in self.temporaries if t not in self.locked]
        if len(free) < 4 or len(self.counters) > 2:
            return
        end, count = self.r.sample(free, 2)
        i = self.pick("i1", "i2")
        if i in self.locked:
            return
        again, out = self.new_label("_continue"), self.new_label("_break")
        self.line(f"{end} = {self.bound()};")
        self.line(f"for ({count} = 0; {count} < {end}; {count}+=1) {{")
        before = set(self.assigned)
        self.targets += [again, out]
        self.counters[i] = 4
        self.assigned.add(i)
        with self.inside(end, count, i):
            self.line(f"{i} = {count};")
            self.block(self.r.randrange(1, 5))
            self._label(again)
        self.line("}")
        del self.counters[i]
        self.targets = [t for t in self.targets if t not in (again, out)]
        self.assigned, self.dead = before, False
        self._label(out)

    def while_loop(self) -> None:
        """A loop that asks at its begin."""
        free = [t for t in self.temporaries if t not in self.locked]
        i = self.pick("i1", "i2")
        if len(free) < 3 or i in self.locked:
            return
        t = self.r.choice(free)
        again, out = self.new_label("_continue"), self.new_label("_break")
        self.line(f"{i} = 0;")
        self.assigned.add(i)
        self.line("while (1) {")
        before = set(self.assigned)
        self.targets += [again, out]
        with self.inside(i):
            self.line(f"{t} = ({i} < {self.bound()});")
            self.line(f"if (!{t}) break;")
            self.line(f"{i} = ({i} + 1);")
            if self.chance(0.6):
                self.line(f"{t} = {self.condition(1)};")
                self.line(f"if (!{t}) break;")
            self.block(self.r.randrange(1, 5))
            self._label(again)
        self.line("}")
        self.targets = [t for t in self.targets if t not in (again, out)]
        self.assigned, self.dead = before, False
        self._label(out)

    def switch(self) -> None:
        """A switch."""
        numbers = self.r.sample(range(4), 3)
        before = set(self.assigned)
        self.line(f"switch (({self.small(1)} & 3)) {{")
        for n, number in enumerate(numbers):
            self.line(f"  case {number}:")
            if n == 0 and self.chance(0.4):
                self.line(f"  case {7 + number}:")
            self._case(before)
        if self.chance(0.6):
            self.line("  default:")
            self._case(before)
        self.line("}")
        self.assigned, self.dead = set(before), False

    def _case(self, before: set[str]) -> None:
        self.assigned, self.dead = set(before), False
        with self.inside():
            self.block(self.r.randrange(1, 3))
            self.line("break;")

    def labelled(self) -> None:
        """Statements from which one may jump behind them."""
        end = self.new_label()
        self.targets.append(end)
        self.block(self.r.randrange(2, 6))
        self.targets.remove(end)
        if not self.dead or end.seen:
            self._label(end)

    def divided(self) -> None:
        """Divisions where the divisor is not 0."""
        kind = self.pick("i", "u", "q", "n")
        name = self.r.choice(self._known(self.whole.get(kind, [])) or ["0"])
        if kind == "n":
            if ("b", "b") not in self.parameters:
                return
            name = self.pick("b->n->n", "b->n->m")
        t = self.temporary()
        self.line(f"{t} = ({name} != 0);")
        if self.chance(0.5):
            self.line(f"if ({t}) {{")
            self.line(f"  {t} = {self.condition(1)};")
            self.line("}")
        self.line(f"if ({t}) {{")
        target, value = {
            "u": ("u1", self.unsigned(1)), "q": ("q1", self.long(1)), "i": ("i1", self.small(1)), "n": ("i2", self.small(1))
        }[kind]  # fmt: skip
        if target not in self.locked and name != "0":
            self.line(f"  {target} = ({value} {self.pick('/', '%')} {name});")
        self.line("}")

    def cast(self) -> None:
        """Doubles as whole numbers where they are in range."""
        d = self.r.choice(self._known(self.doubles))
        t = self.temporary()
        kind = self.r.randrange(5)
        test = f"(fabs({d}) < {('2e9', '', '', '4e11', '1e300')[kind]})"
        if kind in (1, 2):
            self.line(f"{t} = ({d} >= 0.0);")
            self.line(f"if ({t}) {{")
            self.line(f"  {t} = ({d} < {'4294967296.0' if kind == 1 else '18446744073709551616.0'});")
            self.line("}")
        else:
            self.line(f"{t} = {test};")
        target, value = [
            ("w0", f"((int){d})"), ("u0", f"((unsigned int){d})"), ("q0", f"((unsigned long long){d})"),
            ("l0", f"((long long){d})"), ("q0", f"kb_bits_of({d})"),
        ][kind]  # fmt: skip
        self.line(f"if ({t}) {{")
        self.line(f"  {target} = {value};")
        if target in self.assigned or self.chance(0.5):
            self.line("}")
        else:
            self.line("} else {")
            self.line(f"  {target} = 3;")
            self.line("}")
            self.assigned.add(target)

    def advanced(self) -> None:
        """A pointer that goes on where a condition holds."""
        if "p0" in self.locked:
            return
        t = self.temporary()
        self.line(f"p0 = {self.pick('a', 'c')};")
        self.assigned.add("p0")
        if ("p0", 3, True) not in self.arrays:
            self.arrays.append(("p0", 3, True))
        for _ in range(self.r.randrange(1, 4)):
            self.line(f"{t} = {self.condition(1)};")
            self.line(f"if ({t}) {{")
            self.line(f"  (p0[0]) = {self.double(1)};")
            self.line("  p0 = (p0 + 1);")
            self.line("}")

    def extra(self) -> None:
        """What is only read where it is there."""
        if ("b", "b") not in self.parameters:
            return
        t = self.temporary()
        self.line(f"{t} = (b->extra != NULL);")
        if self.chance(0.7):
            self.line(f"if ({t}) {{")
            self.line(f"  {t} = {self.condition(1)};")
            self.line("}")
        self.line(f"if ({t}) {{")
        self.line(f"  d0 = ({self.double(1)} + (b->extra[{self.index(EXTRAS)}]));")
        self.line("}")


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
