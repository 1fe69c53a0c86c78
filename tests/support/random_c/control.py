"""Random choices, loops and jumps, as Cython writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from side_by_side_c import EXTRAS, INPUTS

from random_c.expressions import Label
from random_c.statements import Statements


class Control(Statements):
    """Writes all statements."""

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
            "u": ("u1", self.unsigned(1)), "q": ("q1", self.long(1)),
            "i": ("i1", self.small(1)), "n": ("i2", self.small(1)),
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
