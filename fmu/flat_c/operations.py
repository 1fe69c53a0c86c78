"""How many operations a step takes at most: an upper bound, found by walking through the C.

Of two branches the dearer one is counted, unless the plan decides which it is; loops count as often as their bound,
which follows from constants and the sizes of the plan; jumps forward count as if they were not made. So no path takes
more. A loop whose bound is not known is named, and counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from fmu.flat_c.c_types import Kind, Types
from fmu.flat_c.intervals import Interval, Intervals

COUNTED = ("additions", "multiplications", "divisions", "square roots", "comparisons", "conversions")
"""Operations on doubles: subtractions are additions, conversions are from and to whole numbers."""
_OPERATIONS = {"+": "additions", "-": "additions", "*": "multiplications", "/": "divisions"}
_WEIGHTS = {"additions": 1.0, "multiplications": 1.0, "divisions": 4.0, "square roots": 15.0, "comparisons": 0.5}
"""Which of two branches is the dearer: about what these take on a Cortex-M4, without instructions for doubles."""
_KNOWN = {"own_sqrt": "square roots", "own_fabs": "", "own_copysign": "", "own_isfinite": ""}
_FREE = ("memcpy", "memset", "memcmp")

Cost = Counter[str]


def weight(cost: Cost) -> float:
    """How dear operations are, in additions."""
    return sum(_WEIGHTS.get(name, 0.25) * count for name, count in cost.items())


@dataclass
class Walk:
    """Where the walk stands. rounds: of loops, by function; without: functions that count nothing."""

    rounds: dict[str, int] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    unbounded: dict[str, None] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)


class Operations:
    """Counts operations in a translation unit without directives."""

    def __init__(self, tree: c_ast.FileAST) -> None:
        self.types = Types(tree)
        self.around = Intervals(self.types)

    def of(
        self, function: str, rounds: dict[str, int], without: Iterable[str] = ()
    ) -> tuple[dict[str, int], list[str]]:
        """Operations of a call of this function at most, and what has no bound.

        rounds: how often loops of some functions run. without: functions that are not called on the way.
        """
        walk = Walk(dict(rounds), frozenset(without))
        cost, _ = self._call(function, [], walk, self.around)
        return {name: cost[name] for name in COUNTED}, [*walk.unbounded]

    def _call(self, name: str, given: list[Interval], walk: Walk, around: Intervals) -> tuple[Cost, Interval]:
        definition = self.types.functions.get(name)
        if name in walk.without:
            return Counter(), None
        if definition is None:
            if name not in _FREE:
                walk.unbounded[f"{name} is not known"] = None
            return Counter(), None
        if name in walk.stack:
            walk.unbounded[f"{name} calls itself"] = None
            return Counter(), None
        parameters = definition.decl.type.args.params if definition.decl.type.args else []
        here = around.inside(parameters, given)
        walk.stack.append(name)
        cost, _ = self._list(definition.body.block_items or [], walk, here)
        walk.stack.pop()
        return cost, here.returned

    def _list(self, items: list[Any], walk: Walk, here: Intervals) -> tuple[Cost, bool]:
        """The cost of statements, and whether they end with a return on every way."""
        total: Cost = Counter()
        for number, item in enumerate(items):
            if isinstance(item, c_ast.If):
                total += self._expression(item.cond, walk, here)
                rest = items[number + 1 :]
                cost, ends = self._branches(item, rest, walk, here)
                return total + cost, ends
            cost, ends = self._statement(item, walk, here)
            total += cost
            if ends:
                return total, True
        return total, False

    def _branches(self, node: c_ast.If, rest: list[Any], walk: Walk, here: Intervals) -> tuple[Cost, bool]:
        """Of an `if` and what follows it."""
        decided = here.truth(node.cond)
        ways = []
        for branch, taken in ((node.iftrue, decided is not False), (node.iffalse, decided is not True)):
            if taken:
                own = here.copy()
                cost, ends = self._list(_items(branch), walk, own.block(branch))
                ways.append((cost, ends, own))
        going_on = [way for way in ways if not way[1]]
        ended = max((way[0] for way in ways if way[1]), key=weight, default=Counter())
        here.returned_of(way[2] for way in ways)
        if not going_on:
            return ended, True
        here.join([way[2] for way in going_on])
        cost, ends = self._list(rest, walk, here)
        cost = max((way[0] for way in going_on), key=weight) + cost
        return max(cost, ended, key=weight), ends

    def _statement(self, node: Any, walk: Walk, here: Intervals) -> tuple[Cost, bool]:
        if isinstance(node, c_ast.Compound):
            return self._list(node.block_items or [], walk, here.block(node))
        if isinstance(node, c_ast.Label):
            return self._statement(node.stmt, walk, here)
        if isinstance(node, c_ast.Return):
            cost = self._expression(node.expr, walk, here)
            here.give(self._value(node.expr, walk, here))
            return cost, True
        if isinstance(node, c_ast.For | c_ast.While | c_ast.DoWhile):
            return self._loop(node, walk, here), False
        if isinstance(node, c_ast.Switch):
            return self._switch(node, walk, here), False
        if isinstance(node, c_ast.DeclList):
            total: Cost = Counter()
            for one in node.decls:
                total += self._statement(one, walk, here)[0]
            return total, False
        if isinstance(node, c_ast.Decl):
            here.declare(node)
            if node.init is not None:
                cost = self._expression(node.init, walk, here)
                here.put(node.name, self._value(node.init, walk, here))
                return cost, False
            return Counter(), False
        return self._expression(node, walk, here), False

    def _switch(self, node: c_ast.Switch, walk: Walk, here: Intervals) -> Cost:
        """The dearest case, each as if it fell through to the end."""
        before = here.copy()
        cases = _items(node.stmt)
        found = []
        for number in range(len(cases)):
            own = before.copy()
            cost: Cost = Counter()
            for one in cases[number:]:
                statements = [s for s in one.stmts or [] if not isinstance(s, c_ast.Break)]
                cost += self._list(statements, walk, own)[0]
                if len(statements) < len(one.stmts or []):
                    break
            found.append((cost, own))
        here.join([before, *(own for _, own in found)])
        return self._expression(node.cond, walk, here) + max((cost for cost, _ in found), key=weight, default=Counter())

    def _loop(self, node: Any, walk: Walk, here: Intervals) -> Cost:
        total: Cost = Counter()
        if isinstance(node, c_ast.For) and node.init is not None:
            total += self._statement(node.init, walk, here)[0]
        function = walk.stack[-1]
        bound = walk.rounds.get(function)
        if isinstance(node, c_ast.For):
            known = here.rounds(node)
            bound = known if bound is None or (known is not None and known < bound) else bound
        if bound is None:
            kind = {"For": "for", "While": "while", "DoWhile": "do"}[type(node).__name__]
            walk.unbounded[f"a loop ({kind}) in {function}"] = None
        here.forget(node)
        body = here.copy()
        if isinstance(node, c_ast.For):
            body.within(node)
        once = self._list(_items(node.stmt), walk, body)[0]
        for part in (node.cond, getattr(node, "next", None)):
            once += self._expression(part, walk, body)
        here.returned_of([body])
        times = 1 if bound is None else bound
        return total + Counter({name: count * times for name, count in once.items()})

    def _expression(self, node: Any, walk: Walk, here: Intervals) -> Cost:
        """The cost of an expression; what it assigns is noted."""
        cost: Cost = Counter()
        if node is None or isinstance(node, c_ast.Constant | c_ast.ID | c_ast.Goto | c_ast.Break | c_ast.Continue):
            return cost
        if isinstance(node, c_ast.Assignment):
            cost += self._expression(node.lvalue, walk, here) + self._expression(node.rvalue, walk, here)
            if isinstance(node.lvalue, c_ast.ID):
                here.put(node.lvalue.name, self._value(node.rvalue, walk, here) if node.op == "=" else None)
            return cost
        if isinstance(node, c_ast.FuncCall):
            return self._called(node, walk, here)
        if isinstance(node, c_ast.TernaryOp):
            ways = [self._expression(way, walk, here) for way in (node.iftrue, node.iffalse)]
            return self._expression(node.cond, walk, here) + max(ways, key=weight)
        if isinstance(node, c_ast.UnaryOp) and node.op == "sizeof":
            return cost
        for _, child in node.children():
            cost += self._expression(child, walk, here)
        cost.update(self._own(node, here))
        return cost

    def _called(self, node: c_ast.FuncCall, walk: Walk, here: Intervals) -> Cost:
        arguments = node.args.exprs if node.args else []
        cost: Cost = Counter()
        for argument in arguments:
            cost += self._expression(argument, walk, here)
        name = getattr(node.name, "name", "")
        if name in _KNOWN:
            return cost + Counter([_KNOWN[name]] if _KNOWN[name] else [])
        called, here.last = self._call(name, [self._value(a, walk, here) for a in arguments], walk, here)
        return cost + called

    def _value(self, node: Any, walk: Walk, here: Intervals) -> Interval:
        return here.last if isinstance(node, c_ast.FuncCall) else here.value(node)

    def _own(self, node: Any, here: Intervals) -> Iterable[str]:
        """The operation that an expression itself is."""
        if isinstance(node, c_ast.BinaryOp):
            left, right = (self.types.of_expression(side, here.names) for side in (node.left, node.right))
            if not (left.is_double or right.is_double):
                return []
            if node.op in _OPERATIONS:
                return [_OPERATIONS[node.op]]
            return ["comparisons"] if node.op not in ("&&", "||") else []
        if isinstance(node, c_ast.Cast):
            to, of = self.types.of(node.to_type), self.types.of_expression(node.expr, here.names)
            return ["conversions"] if (to.is_double != of.is_double) and _numbers(to, of) else []
        return []


def _numbers(*kinds: Kind) -> bool:
    return all(kind.depth == 0 and kind.base in ("d", "i") for kind in kinds)


def _items(node: Any) -> list[Any]:
    if node is None:
        return []
    return (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
