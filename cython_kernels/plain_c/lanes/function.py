"""Variants of functions for several members: which arguments are one for all, and whether all members are meant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.addresses import Followed, reached
from cython_kernels.plain_c.lanes.asked import Around
from cython_kernels.plain_c.lanes.control import BY_HAND
from cython_kernels.plain_c.lanes.expressions import (
    E,
    Expressions,
    Place,
    as_double,
    as_mask,
    as_named,
    as_whole,
    to_lane,
)
from cython_kernels.plain_c.lanes.flow import Flow
from cython_kernels.plain_c.lanes.reading import Function
from cython_kernels.plain_c.lanes.statements import Body, Goto, If, Label, Loop, Lowering, Return, Set, Statement, every
from cython_kernels.plain_c.lanes.types import INT, MASK, VOID, D, NotLaned, T, pointer

CHEAP = 10
"""What costs no more than so many operations is done for all members instead of asking whether any is meant."""


class Source:
    """A function as it was read, made ready once for all variants."""

    def __init__(self, module: Around, function: Function) -> None:
        self.function = function
        self.body: Body = Lowering(module.program, function).body()
        flow = Flow(self.body, function.parameters)
        flow.split()
        flow = Flow(self.body, function.parameters)
        flow.find_live(reached(self.body.statements, flow.types, module.program))
        self.types = flow.types
        self.registers = flow.registers
        self.in_memory = flow.in_memory
        self.labels = {s.name: s for s in every(self.body.statements) if isinstance(s, Label)}
        self.targets = {s: _targets(s) for s in every(self.body.statements)}
        _check_jumps(self.body.statements, frozenset())


def _check_jumps(statements: list[Statement], beyond: frozenset[str]) -> None:
    """Refuse jumps back and jumps into blocks. beyond: labels that are ahead behind these statements."""
    for number, statement in enumerate(statements):
        ahead = beyond.union(s.name for s in statements[number:] if isinstance(s, Label))
        if isinstance(statement, Goto) and statement.label not in ahead:
            raise NotLaned("a goto backward or into a block")
        if isinstance(statement, If):
            _check_jumps(statement.then, ahead)
            _check_jumps(statement.other, ahead)
        elif isinstance(statement, Loop):
            _check_jumps(statement.body, ahead)


def _targets(statement: Statement) -> frozenset[str]:
    """Labels outside of a statement that it may go to."""
    inner = [statement, *every(_within(statement))]
    own = {s.name for s in inner if isinstance(s, Label)}
    return frozenset(s.label for s in inner if isinstance(s, Goto)) - own


def _within(statement: Statement) -> list[Statement]:
    if isinstance(statement, If):
        return [*statement.then, *statement.other]
    return statement.body if isinstance(statement, Loop) else []


class Variant:
    """One function for several members, for one kind of arguments."""

    def __init__(self, module: Around, source: Source, name: str, parameters: list[T], masked: bool) -> None:
        self.module, self.source, self.name, self.masked = module, source, name, masked
        self.parameters = list(parameters)
        self.returns = VOID
        self.registers = source.registers
        self.needs_mask = False
        self.truths: set[str] = set()
        self.pending: set[str] = set()
        self.text = ""
        self.uses: set[str] = set()
        self.members: set[tuple[str, str]] = set()
        self.variables: dict[str, T] = {}
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
            before = (dict(self.variables), set(self.truths), set(self.pending), self.returns, self.needs_mask)
            self._write()
            if before == (self.variables, self.truths, self.pending, self.returns, self.needs_mask):
                return
        raise NotLaned("no end of what depends on what")

    def is_truth(self, name: str) -> bool:
        """Whether a variable is kept as a mask."""
        return name in self.truths and self.variables[name].lane

    def mask_text(self) -> str:
        """The members that are meant."""
        return self.mask or "KL_ALL"

    def _write(self) -> None:
        self.mask: str | None = "live" if self.masked else None
        self.lines: list[str] = []
        self.depth = 0
        self.arms = 0
        self.names = 0
        self.uses = set()
        self.resumed: list[frozenset[str]] = []
        self.ahead: list[str] = []
        self.label_arms: dict[str, int] = {}
        self.followed = Followed()
        self._block(self.source.body.statements, self.mask)
        self.text = self._definition()

    def _definition(self) -> str:
        taken = dict(self.source.function.parameters)
        head = []
        own = []
        for (name, _), kind in zip(self.source.function.parameters, self.parameters, strict=True):
            now = self.variables[name]
            if now.lane != kind.lane and kind.is_number:
                if name in self.source.in_memory:
                    head.append(kind.text(f"{name}_given"))
                    own.append(f"    {now.text(name)} = {to_lane(E(f'{name}_given', kind))};\n")
                    continue
                kind = now
                self.parameters[[n for n, _ in self.source.function.parameters].index(name)] = now
            elif now.lane != kind.lane:
                kind = now
                self.parameters[[n for n, _ in self.source.function.parameters].index(name)] = now
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

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(f"{'    ' * (self.depth + 1)}{text}\n")

    # ---- statements

    def _new_mask(self, text: str) -> str:
        self.names += 1
        name = f"m{self.names}_"
        self.line(f"VI {name} = {text};")
        return name

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
        to = next((s.name for s in rest if isinstance(s, Label) and s.name in left), "")
        if not to and not end:
            self.names += 1
            end = f"E{self.names}_"
        self.line(f"if (!kl_any({self.mask})) goto {to or end};")
        return end

    def _left_by(self, statement: Statement) -> list[str]:
        """The labels outside of a statement to which some members may have gone."""
        return sorted(self.source.targets[statement] & self.pending)

    def _without(self, entered: str | None, left: list[str]) -> str | None:
        if not left:
            return entered
        gone = " | ".join(f"p_{name}" for name in left)
        return self._new_mask(f"{f'{entered} & ' if entered else ''}~({gone})")

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
            self._set(statement)
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
            e = self._as(kind, e)
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
        truth = self._new_mask(as_mask(condition))
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
        name = self._new_mask(mask)
        if all(isinstance(s, Goto) for s in statements):
            self._block(statements, name)
            return
        at = len(self.lines)
        self.line("")
        cost = self.cost_of(statements)
        self._arm(statements, name)
        indent = "    " * (self.depth + 1)
        self.lines[at] = f"{indent}{{\n" if cost <= CHEAP else f"{indent}if (kl_any({name})) {{\n"
        self.line("}")

    def cost_of(self, statements: list[Statement]) -> int:
        """About how many operations plain statements take; many for others, and for what only the meant may do."""
        total = 0
        for s in statements:
            if not isinstance(s, Set):
                return 1000
            writer = Expressions(self)
            kept = self.needs_mask, set(self.uses)
            writer.asks = True
            writer.of(s.value)
            if s.to is not None:
                writer.place(s.to)
            self.needs_mask, self.uses = kept
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

    # ---- assignments

    def _set(self, statement: Set) -> None:
        writer = Expressions(self)
        e = writer.of(statement.value)
        if statement.to is None:
            self.line(f"{e.text};")
            self.followed.forget_what_changes([statement], self.source.types, self.module.program)
            return
        place = writer.place(statement.to)
        self.followed.forget_what_changes([statement], self.source.types, self.module.program)
        if place.name:
            self._set_register(place.name, e)
        elif place.scattered:
            self._scatter(place, e)
        else:
            self._store(place, e, statement.to)

    def _set_register(self, name: str, e: E) -> None:
        kind = self.variables[name]
        keeps = self.mask is not None and any(name in live for live in self.resumed)
        if name in self.truths and not e.truth:
            self.truths.discard(name)
        if kind.kind == "p":
            self._set_pointer(name, e, keeps)
            return
        if (e.lane or keeps) and not kind.lane:
            self.variables[name] = kind = kind.laned()
        if not kind.lane:
            self.line(f"{name} = {self._as(kind, e).text};")
            return
        if self.is_truth(name):
            value = as_mask(e)
            self.line(f"{name} = {f'kl_sel({self.mask}, {value}, {name})' if keeps else value};")
            return
        value = to_lane(self._as(kind, e))
        select = "kl_seld" if kind.kind == "d" else "kl_sel"
        self.line(f"{name} = {f'{select}({self.mask}, {value}, {name})' if keeps else value};")

    def _set_pointer(self, name: str, e: E, keeps: bool) -> None:
        kind = self.variables[name]
        if e.type.kind == "p" and e.type.of is not None and kind.of is not None and e.type.of != kind.of:
            of = e.type.of
            if of.kind == kind.of.kind and of.kind in "di" and kind.of.lane != of.lane and not name.endswith("_null"):
                if name in self.fixed_pointers and not of.lane:
                    raise NotLaned(f"a pointer to numbers of one and of all members, {name}")
                self.variables[name] = kind = replace(kind, of=of)
        if e.text not in ("((void *)0)",):
            self.fixed_pointers.add(name)
        if (e.lane or keeps) and not kind.lane:
            self.variables[name] = kind = kind.laned()
        if not kind.lane:
            self.line(f"{name} = {e.text};")
            return
        value = to_lane(e)
        self.line(f"{name} = {f'kl_sel({self.mask}, {value}, {name})' if keeps else value};")

    @property
    def fixed_pointers(self) -> set[str]:
        """Pointers of which it is known what they lead to."""
        found: set[str] = self.__dict__.setdefault("_fixed", set())
        return found

    @staticmethod
    def _as(kind: T, e: E) -> E:
        """A number as a variable of this kind has it."""
        if kind.kind == "d":
            return as_double(e)
        if kind.kind == "i" and e.type.kind == "d":
            raise NotLaned("a double as a whole number without a cast")
        return as_named(e, kind.name) if kind.kind == "i" else as_whole(e)

    def _store(self, place: Place, e: E, node: Any) -> None:
        kind = place.type
        needed = self._is_needed(node)
        keeps = self.mask is not None and needed
        self.needs_mask = self.needs_mask or needed
        if kind.kind == "s":
            if not keeps:
                self.line(f"{place.text} = {e.text};")
            else:
                self.line(
                    f"{place.text} = kl_sel_{self.module.struct(kind.name)}({self.mask}, {e.text}, {place.text});"
                )
            return
        if not kind.lane and (e.lane or keeps):
            if not self._make_array_lane(node):
                self.module.make_lane(node, self)
            kind = kind.laned()
        if not kind.lane:
            self.line(f"{place.text} = {e.text if kind.kind == 'p' else self._as(kind, e).text};")
            return
        value = to_lane(e if kind.kind == "p" else self._as(kind, e))
        select = "kl_seld" if kind.kind == "d" else "kl_sel"
        self.line(f"{place.text} = {f'{select}({self.mask}, {value}, {place.text})' if keeps else value};")

    def _make_array_lane(self, node: Any) -> bool:
        """Let a local array of whole numbers hold one per member; False if it is none."""
        while isinstance(node, c_ast.ArrayRef):
            node = node.name
        kind = self.variables.get(node.name) if isinstance(node, c_ast.ID) else None
        if kind is None or kind.kind != "a":
            return False
        self.hold_lanes(node.name)
        return True

    def hold_lanes(self, name: str) -> None:
        """Let a local array of whole numbers hold one per member."""
        kind = self.variables.get(name)
        if kind is None or kind.of is None:
            raise NotLaned("whole numbers of one and of all members side by side")
        self.variables[name] = replace(kind, of=self.module.in_memory(kind.of))

    def _is_needed(self, node: Any) -> bool:
        """Whether members that are not meant may read what stands here, or others may."""
        while isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.StructRef) and node.type == "."):
            node = node.name
        own = isinstance(node, c_ast.ID) and node.name in self.source.types and self.variables[node.name].kind in "sadi"
        return not own or any(node.name in live for live in self.resumed)

    def _scatter(self, place: Place, e: E) -> None:
        kind = place.type
        self.needs_mask = True
        if kind.kind == "s":
            self.line(f"kl_give_{self.module.struct(kind.name)}({self.mask_text()}, {place.text}, {e.text});")
            return
        if not kind.lane:
            raise NotLaned("an assignment at an address per member to what all have in common")
        letter = "d" if kind.kind == "d" else "i"
        self.line(f"kl_put_{letter}({self.mask_text()}, {place.text}, {to_lane(self._as(kind, e))});")

    # ---- calls

    def call(self, name: str, arguments: list[E]) -> E:
        """A call of another function of the engine."""
        if name in BY_HAND:
            return E(f"kl_hand_{name}({', '.join(e.text for e in arguments)})", BY_HAND[name])
        try:
            found = self.module.called(name, [self._argument(e) for e in arguments], self.mask is not None)
        except NotLaned:
            arrays = {e.array for e in arguments if e.array and e.type.of is not None and not e.type.of.lane}
            if not arrays & {n for n, kind in self.variables.items() if kind.of is not None and kind.of.kind == "i"}:
                raise
            for array in arrays:  # what is called may write one per member
                self.hold_lanes(array)
            return E("0", replace(self.module.default(self.module.program.functions[name].returns), lane=False))
        if isinstance(found, str):
            function = self.module.program.functions[name]
            self.uses.add(name)
            return E(f"{found}({', '.join(e.text for e in arguments)})", self.module.default(function.returns))
        if found.needs_mask:
            self.needs_mask = True
        self.uses.add(found.name)
        given = []
        for e, kind in zip(arguments, found.parameters, strict=True):
            if kind.is_number:
                e = self._as(kind, e)
                given.append(to_lane(e) if kind.lane else e.text)
            elif kind.kind == "p":
                given.append(to_lane(e) if kind.lane and not e.lane else e.text)
            else:
                given.append(e.text)
        if found.masked:
            given.append(self.mask_text())
        return E(f"{found.name}({', '.join(given)})", found.returns, truth=found.returns.kind == "m")

    @staticmethod
    def _argument(e: E) -> T:
        return INT.laned() if e.type.kind == "m" else e.type


__all__ = ["D", "Source", "Variant", "pointer"]
