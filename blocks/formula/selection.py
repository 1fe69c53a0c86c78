"""Instructions for scalars: which of them together become one, in which order, and in which registers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from blocks.formula.machine import NAMES, NUMBERS, REGISTERS
from blocks.formula.scalars import Graph

_REVERSED = {
    "add": "add", "multiply": "multiply", "subtract": "subtract_from", "divide": "divide_into",
    "less": "greater", "less_equal": "greater_equal", "greater": "less", "greater_equal": "less_equal",
    "equal": "equal", "not_equal": "not_equal",
}  # fmt: skip
"""With the right side in the accumulator, and the left one in a register."""
_UNREAD = REGISTERS - 1


class TooManyRegisters(Exception):
    """The segment needs more registers than there are."""


@dataclass
class Instructions:
    """Of a segment, with the node that each computes."""

    numbers: list[int]
    nodes: list[int]
    results: int
    registers: int


def instructions(graph: Graph, roots: Sequence[int], loaded: Mapping[int, int], first: int) -> Instructions:
    """What computes `roots` into registers one after the other; `loaded`: of leaves, and `first` behind these."""
    selection = _Selection(graph, roots, loaded, first)
    for i, root in enumerate(roots):
        selection.root(root, i)
    return selection.finished()


class _Selection:
    """Registers behind those that are loaded: of intermediate values, then of the results, whose place is last known.

    While instructions are written, results have numbers below 0.
    """

    def __init__(self, graph: Graph, roots: Sequence[int], loaded: Mapping[int, int], first: int) -> None:
        self.graph = graph
        self.at = dict(loaded)
        self.first = self.top = first
        self.free: list[int] = []
        self.count = len(roots)
        self.code: list[list[int]] = []
        self.of: list[int] = []
        self.uses: dict[int, int] = {}
        for node in self._under(roots):
            for argument in graph.nodes[node].arguments:
                self.uses[argument] = self.uses.get(argument, 0) + 1
        for root in roots:
            self.uses[root] = self.uses.get(root, 0) + 1
        self.borrowed: set[int] = set()

    def _under(self, roots: Iterable[int]) -> list[int]:
        found: set[int] = set()
        ahead = [*roots]
        while ahead:
            node = ahead.pop()
            if node not in found and node not in self.at:
                found.add(node)
                ahead += self.graph.nodes[node].arguments
        return sorted(found)

    # --- registers ------------------------------------------------------------------------------------------------

    def _new(self) -> int:
        if self.free:
            return self.free.pop()
        self.top += 1
        return self.top - 1

    def _read(self, node: int) -> int:
        """The register of a node that has one; it is free for others after the last use."""
        register = self.at[node]
        self.uses[node] -= 1
        if self.uses[node] == 0 and node in self.borrowed:
            self.borrowed.discard(node)
            del self.at[node]
            self.free.append(register)
        return register

    def _available(self, node: int) -> bool:
        return node in self.at

    def _alone(self, node: int, operation: str) -> bool:
        """Whether a node is an operation that is computed for one reader only, so that this one may do it as well."""
        one = self.graph.nodes[node]
        return one.operation == operation and node not in self.at and self.uses[node] == 1

    # --- writing --------------------------------------------------------------------------------------------------

    def _write(self, name: str, node: int, *operands: int) -> None:
        found = self._with_one_before(name, operands)
        if found:
            name, operands = found
            self.code.pop()
            self.of.pop()
        self.code.append([NUMBERS[name], _UNREAD, *operands, *[-1] * (4 - len(operands))])
        self.of.append(node)

    def _with_one_before(self, name: str, operands: tuple[int, ...]) -> tuple[str, tuple[int, ...]] | None:
        """What this instruction and the one before it are together, if they are the damping of one velocity."""
        if not self.code or self.code[-1][1] != _UNREAD:
            return None
        number, _, *before = self.code[-1]
        together, linear_first = _TOGETHER.get((NAMES[number], name), ("", False))
        if not together:
            return None
        linear, quadratic = (before[:2], operands) if linear_first else (operands, before[:3])
        u = quadratic[2]
        if u not in linear or u not in quadratic[:2]:
            return None
        return together, (linear[u == linear[0]], u, quadratic[u == quadratic[0]])

    def root(self, node: int, number: int) -> None:
        """Compute a node into a register for results."""
        result = -2 - number
        if self._available(node):
            self._write("set", node, self._read(node))
        else:
            self._accumulate(node)
            self.uses[node] -= 1
            if self.uses[node]:
                self.at[node] = result
        self.code[-1][1] = result

    def _keep(self, node: int) -> None:
        """Compute a node into a register of its own, if it has none."""
        if not self._available(node):
            self._accumulate(node)
            register = self._new()
            self.code[-1][1] = register
            self.at[node] = register
            self.borrowed.add(node)

    def _accumulate(self, node: int) -> None:
        """Compute a node into the accumulator: the chain of what is first on each left side, then back along it.

        What else is read is computed before, as it needs the accumulator, too.
        """
        chain: list[tuple[str, int, tuple[int, ...]]] = []
        while not self._available(node):
            name, onwards, read = self._step(node)
            for other in read:
                self._keep(other)
            chain.append((name, node, read))
            if onwards is None:
                break
            if not self._available(onwards):
                if self.uses[onwards] > 1:
                    self._keep(onwards)
                else:
                    self.uses[onwards] -= 1
            node = onwards
        else:
            if chain:
                name, last, read = chain.pop()
                self._first(name, last, node, read)
            else:
                self._write("set", node, self._read(node))
        for name, of, read in reversed(chain):
            self._write(name, of, *map(self._read, read))

    def _first(self, name: str, node: int, begin: int, read: tuple[int, ...]) -> None:
        """The first instruction of a chain, whose accumulator begins with what stands in a register."""
        registers = (self._read(begin), *map(self._read, read))
        fused = _WITH_SET.get(name)
        if fused is None:
            self._write("set", begin, registers[0])
            self._write(name, node, *registers[1:])
            return
        into, order = fused
        self._write(into, node, *(registers[i] for i in order))

    def _step(self, node: int) -> tuple[str, int | None, tuple[int, ...]]:
        """An instruction for a node: its name, what is to be in the accumulator before, and what it reads."""
        operation, arguments = self.graph.nodes[node].operation, self.graph.nodes[node].arguments
        if operation in ("add", "subtract"):
            found = self._sum(operation, *arguments)
            if found is not None:
                return found
        if operation == "multiply":
            return self._product(node, *arguments)
        if len(arguments) == 2:
            left, right = arguments
            reverse = _REVERSED.get(operation)
            if reverse is not None and self._available(left) and not self._available(right):
                return reverse, right, (left,)
        return operation, arguments[0], arguments[1:]

    def _sum(self, operation: str, left: int, right: int) -> tuple[str, int | None, tuple[int, ...]] | None:
        """A sum or difference with a product."""
        if self._alone(right, "multiply") and left != right:
            self.uses[right] -= 1
            name, factors = self._factors(right)
            return f"{operation}_{name}", left, factors
        if self._alone(left, "multiply"):
            one, other = self.graph.nodes[left].arguments
            if self._available(right) and not self._available(one):
                return f"multiply_{operation}", one, (other, right)
            if self._available(right) and not self._available(other):
                return f"multiply_{operation}", other, (one, right)
            self.uses[left] -= 1
            return ("add_product" if operation == "add" else "subtract_from_product"), right, (one, other)
        return None

    def _factors(self, node: int) -> tuple[str, tuple[int, ...]]:
        """Two factors of a product, or three, the last one without its sign."""
        left, right = self.graph.nodes[node].arguments
        if not self._alone(left, "multiply"):
            return "product", (left, right)
        first, second = self.graph.nodes[left].arguments
        self.uses[left] -= 1
        if self._alone(right, "abs"):
            self.uses[right] -= 1
            return "product3_abs", (first, second, self.graph.nodes[right].arguments[0])
        if self._alone(second, "abs") and self.graph.nodes[second].arguments[0] == right:
            self.uses[second] -= 1  # a |b| b has the bits of a b |b|
            return "product3_abs", (first, right, right)
        if self._alone(first, "abs") and self.graph.nodes[first].arguments[0] == right:
            self.uses[first] -= 1
            return "product3_abs", (second, right, right)
        return "product3", (first, second, right)

    def _product(self, node: int, left: int, right: int) -> tuple[str, int | None, tuple[int, ...]]:
        if self._alone(left, "multiply") and not self._alone(self.graph.nodes[left].arguments[0], "multiply"):
            name, factors = self._factors(node)
            return name, None, factors
        if self._alone(right, "abs"):
            self.uses[right] -= 1
            return "multiply_abs", left, self.graph.nodes[right].arguments
        if self._available(left) and not self._available(right):
            return "multiply", right, (left,)
        return "multiply", left, (right,)

    def finished(self) -> Instructions:
        """With the places of the results known."""
        if self.top + self.count >= REGISTERS:
            raise TooManyRegisters
        for instruction in self.code:
            instruction[1:] = [self.top - 2 - at if at < -1 else at for at in instruction[1:]]
        numbers = [number for instruction in self.code for number in instruction]
        return Instructions(numbers, self.of, self.top, self.top + self.count)


_TOGETHER: Mapping[tuple[str, str], tuple[str, bool]] = {
    ("set_multiply", "add_product3_abs"): ("damping", True),
    ("product3_abs", "add_product"): ("damping", False),
    ("subtract_product", "subtract_product3_abs"): ("subtract_damping", True),
    ("subtract_product3_abs", "subtract_product"): ("subtract_damping_quadratic_first", False),
}
"""Linear and quadratic damping, one instruction and then the other; whether the linear one comes first."""

_WITH_SET: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "add": ("set_add", (0, 1)),
    "subtract": ("set_subtract", (0, 1)),
    "multiply": ("set_multiply", (0, 1)),
    "divide": ("set_divide", (0, 1)),
    "subtract_from": ("set_subtract", (1, 0)),
    "divide_into": ("set_divide", (1, 0)),
    "add_product": ("set_add_product", (0, 1, 2)),
    "subtract_product": ("set_subtract_product", (0, 1, 2)),
    "multiply_add": ("set_add_product", (2, 0, 1)),
    "add_product3": ("set_add_product3", (0, 1, 2, 3)),
    "subtract_product3": ("set_subtract_product3", (0, 1, 2, 3)),
    "abs": ("set_abs", (0,)),
}
"""Where what the accumulator is to hold before stands in a register: 0 is that register, then those that are read."""
