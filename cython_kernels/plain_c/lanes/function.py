"""Variants of functions for several members: which arguments are one for all, and whether all members are meant."""

from __future__ import annotations

from dataclasses import replace

from cython_kernels.plain_c.lanes.assignments import Assignments
from cython_kernels.plain_c.lanes.emission import Functions
from cython_kernels.plain_c.lanes.expressions import Expressions
from cython_kernels.plain_c.lanes.source import Source
from cython_kernels.plain_c.lanes.statements import Goto, If, Label, Loop, Return, Set, Statement, every
from cython_kernels.plain_c.lanes.types import INT, MASK, NotLaned, T
from cython_kernels.plain_c.lanes.values import E, as_kind, as_mask, as_whole, to_lane

CHEAP = 10
"""What costs no more than so many operations is done for all members instead of asking whether any is meant."""


class Variant(Assignments):
    """One function for several members, for one kind of arguments."""

    def __init__(self, module: Functions, source: Source, name: str, parameters: list[T], masked: bool) -> None:
        super().__init__(module, source, name, parameters, masked)
        self.text = ""
        self.arms = 0
        self.ahead: list[str] = []
        self.label_arms: dict[str, int] = {}
        for name_, kind in source.types.items():
            self.variables[name_] = self._first(name_, module.default(kind))
        for (name_, _), kind in zip(source.function.parameters, parameters, strict=True):
            self.variables[name_] = kind.laned() if name_ in source.in_memory and kind.is_number else kind
        self.truths = {
            n for n, kind in source.types.items()
            if kind == INT and n in self.registers and n not in dict(source.function.parameters)
        }  # fmt: skip
        self._settle()

    def _first(self, name: str, kind: T) -> T:
        """What a variable is until more is known: in memory one per member, else one for all."""
        if kind.kind == "a" and kind.of is not None and kind.of.kind == "i":
            return replace(kind, of=replace(kind.of, lane=False, size=""))
        if kind.kind == "a" or (name in self.source.in_memory and kind.is_number):
            return self.module.in_memory(kind)
        return kind if kind.kind in "sp" else replace(kind, lane=False)

    # ---- once more until nothing changes

    def _settle(self) -> None:
        for _ in range(40):
            before = self._state()
            self._write()
            if before == self._state():
                return
        raise NotLaned("no end of what depends on what")

    def _state(self) -> tuple[object, ...]:
        asked = self.needs_mask, self.writes, self.branches
        return dict(self.variables), set(self.truths), set(self.pending), self.returns, asked

    def _write(self) -> None:
        self.begin()
        self.arms, self.ahead, self.label_arms = 0, [], {}
        self._block(self.source.body.statements, self.mask)
        self.text = self._definition()

    def _definition(self) -> str:
        taken = dict(self.source.function.parameters)
        head = []
        own = []
        for number, (name, _) in enumerate(self.source.function.parameters):
            kind, now = self.parameters[number], self.variables[name]
            if kind.is_number and now.lane != kind.lane and name in self.source.in_memory:
                head.append(kind.text(f"{name}_given"))
                own.append(f"    {now.text(name)} = {to_lane(E(f'{name}_given', kind))};\n")
                continue
            if now.lane != kind.lane:
                kind = self.parameters[number] = now
            head.append(kind.text(name))
        if self.masked:
            head.append("VI live")
        for name, kind in self.variables.items():
            if name not in taken:
                shown = MASK if self.is_truth(name) else kind
                own.append(f"    {shown.text(name)};\n")
        own += [f"    VI p_{label} = KL_NONE;\n" for label in sorted(self.pending)]
        returns = self.returns.text() if self.returns.kind != "v" else "void"
        attribute = self.module.attributes.get(self.source.function.name, "")
        returns = f"{attribute} {returns}".lstrip()
        signature = f"static inline {returns} {self.name}({', '.join(head) or 'void'})"
        return f"{signature} {{\n{''.join(own)}{''.join(self.lines)}}}\n"

    # ---- statements

    def _block(self, statements: list[Statement], entered: str | None) -> None:
        own = [s.name for s in statements if isinstance(s, Label)]
        for label in own:
            self.label_arms[label] = self.arms
            if label in self.pending:
                self.line(f"p_{label} = KL_NONE;")
        left: list[str] = []
        end = ""
        dead = False
        resumed, ahead = list(self.resumed), list(self.ahead)
        self.mask = entered
        self.followed.enter()
        for number, statement in enumerate(statements):
            if isinstance(statement, Label):
                self.followed.meet()
                self.line(f"{statement.name}:;")
                if statement.name in left:
                    left.remove(statement.name)
                self.resumed = resumed + [self.source.labels[name].live for name in left]
                self.ahead = ahead + left
                self.mask = self._without(entered, left)
                dead = False
                if left:
                    end = self._skip(statements[number + 1 :], left, end)
                continue
            if dead:
                continue
            if isinstance(statement, Goto):
                if self._goto(statement) and statement.label not in left:
                    left.append(statement.label)
                dead = True
                continue
            self._statement(statement)
            gone = self._left_by(statement)
            if gone:
                left += [name for name in gone if name not in left]
                self.resumed = resumed + [self.source.labels[name].live for name in left]
                self.ahead = ahead + left
                self.mask = self._without(entered, left)
                end = self._skip(statements[number + 1 :], left, end)
        if end:
            self.line(f"{end}:;")
        self.followed.leave()
        self.resumed, self.ahead = resumed, ahead

    def _skip(self, rest: list[Statement], left: list[str], end: str) -> str:
        """Where no member is meant, go on to where some have gone; the label of the end of the block, if it has one.

        What lies between must not run for nobody: what it reads may never have been assigned.
        """
        number, to = next(((n, s.name) for n, s in enumerate(rest) if isinstance(s, Label) and s.name in left), (0, ""))
        if to and self.cost_of(rest[:number]) <= CHEAP:
            return end
        if not to and not end:
            self.names += 1
            end = f"E{self.names}_"
        self.branches = True
        self.line(f"if (!kl_any({self.mask})) goto {to or end};")
        return end

    def _left_by(self, statement: Statement) -> list[str]:
        """The labels outside of a statement to which some members may have gone."""
        return sorted(self.source.targets[statement] & self.pending)

    def _without(self, entered: str | None, left: list[str]) -> str | None:
        if not left:
            return entered
        gone = " | ".join(f"p_{name}" for name in left)
        return self.new_mask(f"{f'{entered} & ' if entered else ''}~({gone})")

    def _goto(self, statement: Goto) -> bool:
        """A jump; whether members wait for others at its label."""
        label = statement.label
        place = self.source.labels[label].place
        between = any(self.source.labels[name].place < place for name in self.ahead)
        if self.arms == self.label_arms[label] and not between:
            self.line(f"goto {label};")
            return False
        self.pending.add(label)
        self.line(f"p_{label} |= {self.mask_text()};")
        return True

    def _statement(self, statement: Statement) -> None:
        if isinstance(statement, Set):
            self.set(statement)
        elif isinstance(statement, If):
            self._if(statement)
        elif isinstance(statement, Loop):
            self._loop(statement)
        elif isinstance(statement, Return):
            self._return(statement)

    def _return(self, statement: Return) -> None:
        if self.mask not in (None, "live"):
            raise NotLaned("a return of some members only")
        if statement.value is None:
            self.line("return;")
            return
        e = Expressions(self).of(statement.value)
        kind = self.source.function.returns
        if kind.is_number and not (kind == INT and e.type.kind == "m"):
            e = as_kind(kind, e)
        if self.returns.kind == "v":
            self.returns = e.type
        if e.lane and not self.returns.lane:
            self.returns = e.type
        if self.returns.lane and not e.lane:
            e = E(to_lane(e), e.type.laned())
        if self.returns.kind == "i" and e.type.kind == "m":
            e = as_whole(e)
        elif self.returns.kind == "m" and e.type.kind == "i":
            self.returns = e.type
        self.line(f"return {e.text};")

    def _if(self, statement: If) -> None:
        condition = Expressions(self).of(statement.condition)
        mask = self.mask
        if not condition.lane:
            self.line(f"if ({condition.text}) {{")
            self._arm(statement.then, mask)
            if statement.other:
                self.line("} else {")
                self._arm(statement.other, mask)
            self.line("}")
            self.mask = mask
            return
        truth = self.new_mask(as_mask(condition))
        meant = f"{mask} & " if mask else ""
        resumed = self.resumed
        self.arms += 1
        if statement.then:
            self.resumed = [*resumed, statement.other_live if statement.other else statement.after]
            self._some(statement.then, f"{meant}{truth}")
        if statement.other:
            gone = {name for s in statement.then for name in self._left_by(s)} & self.source.targets[statement]
            self.resumed = [*resumed, statement.after, *(self.source.labels[name].live for name in sorted(gone))]
            self._some(statement.other, f"{meant}~{truth}")
        self.arms -= 1
        self.resumed, self.mask = resumed, mask

    def _arm(self, statements: list[Statement], mask: str | None) -> None:
        self.depth += 1
        self._block(statements, mask)
        self.depth -= 1

    def _some(self, statements: list[Statement], mask: str) -> None:
        """An arm for the members of a mask."""
        name = self.new_mask(mask)
        if all(isinstance(s, Goto) for s in statements):
            self._block(statements, name)
            return
        at = len(self.lines)
        self.line("")
        plain = statements[:-1] if isinstance(statements[-1], Goto) else statements
        cost = self.cost_of(plain)
        self._arm(statements, name)
        indent = "    " * (self.depth + 1)
        self.branches = self.branches or cost > CHEAP
        self.lines[at] = f"{indent}{{\n" if cost <= CHEAP else f"{indent}if (kl_any({name})) {{\n"
        self.line("}")

    def cost_of(self, statements: list[Statement]) -> int:
        """About how many operations plain statements take; many for others, and for what only the meant may do."""
        total = 0
        for s in statements:
            if not isinstance(s, Set):
                return 1000
            writer = Expressions(self)
            kept = self.needs_mask, self.writes, self.branches, set(self.uses)
            writer.asks = True
            writer.of(s.value)
            if s.to is not None:
                writer.place(s.to)
            self.needs_mask, self.writes, self.branches, self.uses = kept
            total += 1000 if writer.risky else writer.cost
        return total

    def _loop(self, statement: Loop) -> None:
        entered = self.mask
        left = self._left_by(statement)
        resumed, ahead = self.resumed, self.ahead
        self.followed.forget_what_changes(every(statement.body), self.source.types, self.module.program)
        self.line("for (;;) {")
        self.depth += 1
        if left:
            self.needs_mask = True
            self.resumed = resumed + [self.source.labels[name].live for name in left]
            self.ahead = ahead + left
            inside = self._without(entered, left)
            self.line(f"if (!kl_any({inside})) break;")
            self._block(statement.body, inside)
        else:
            self._block(statement.body, entered)
        self.depth -= 1
        self.line("}")
        self.resumed, self.ahead, self.mask = resumed, ahead, entered
