"""Random assignments, copies and calls."""

from __future__ import annotations

from random_c.expressions import Expressions


class Statements(Expressions):
    """Writes plain statements."""

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
