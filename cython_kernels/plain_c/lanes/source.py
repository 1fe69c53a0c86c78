"""Functions as they were read, made ready for lanes."""

from __future__ import annotations

from cython_kernels.plain_c.lanes.addresses import reached
from cython_kernels.plain_c.lanes.flow import Flow
from cython_kernels.plain_c.lanes.reading import Function, Program
from cython_kernels.plain_c.lanes.statements import Body, Goto, If, Label, Loop, Lowering, Statement, every
from cython_kernels.plain_c.lanes.types import NotLaned


class Source:
    """A function as it was read, made ready once for all variants."""

    def __init__(self, program: Program, function: Function) -> None:
        self.function = function
        self.body: Body = Lowering(program, function).body()
        flow = Flow(self.body, function.parameters)
        flow.split()
        flow = Flow(self.body, function.parameters)
        flow.find_live(reached(self.body.statements, flow.types, program))
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
