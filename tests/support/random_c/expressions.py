"""Random expressions of C of each type, and what a function has to take them from."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from side_by_side_c import INPUTS, OUTPUTS

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
WHOLE = {"i": "int", "w": "int", "u": "unsigned int", "q": "unsigned long long", "l": "long long"}


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


class Expressions:
    """What is known while a function is written, and expressions of it."""

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
        self.whole = {kind: [f"{kind}{n}" for n in range(3 if kind == "i" else 2)] for kind in WHOLE}
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

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(f"{'  ' * self.depth}{text}\n")

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
            return self.pick(
                "1ULL", "0x3febb67ae8584caaULL", "18446744073709551615ULL",
                f"((unsigned long long){self.int_(0)[0]})", f"((unsigned long long){self.unsigned(0)})",
            )  # fmt: skip
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
