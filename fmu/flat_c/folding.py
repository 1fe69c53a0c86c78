"""What is known of a plan, put into the engine's C: conditions that are decided, and what is then never reached."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from pycparser import c_ast, c_generator, c_parser

from cython_kernels.plain_c.c_statements import (
    Block,
    Statement,
    assignment,
    condition,
    goto,
    is_else,
    label,
    parse,
    texts,
    written,
)

_TYPES = "typedef unsigned size_t; typedef int Plan;"
_DECIDES = re.compile(r"==|!=|<|>|&&|\|\||!|\d")
_COUNTED = re.compile(r"for \((\w+) = (\d+); \1 < (\w+); \1 \+= \d+\)$")
_COMPARED = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


def folded(body: str, known: Mapping[str, str]) -> str:
    """The body of a function with what is known in the place of what it asks for.

    known: for each expression, as it is written, what stands for it.
    """
    for what, value in known.items():
        body = re.sub(rf"(?<![\w>.]){re.escape(what)}(?!\w)", value, body)
    statements = parse(iter(_joined(body)))
    while _once(statements):
        pass
    _without_unused(statements)
    return "".join(f"{line}\n" for line in written(statements, 1))


def _joined(body: str) -> list[str]:
    """One statement a line: those that were wrapped are put together."""
    lines: list[str] = []
    whole = True
    for line in body.splitlines():
        text = line.strip()
        if text and not whole:
            lines[-1] = f"{lines[-1]} {text}"
        elif text:
            lines.append(text)
        whole = not text or text.endswith((";", "{", "}", ":"))
    return lines


def _once(body: list[Statement]) -> bool:
    return any([_decide(body), _choose(body), _nothing_follows(body), _inside(body), _no_rounds(body)])


def _inside(body: list[Statement]) -> bool:
    changed = False
    for statement in body:
        if isinstance(statement, Block):
            changed |= _once(statement.body)
    return changed


def _decide(body: list[Statement]) -> bool:
    """Conditions and values that are decided."""
    for i, statement in enumerate(body):
        if isinstance(statement, str):
            match = re.fullmatch(r"(return |\w+ = )(.*[&|=<>!].*);", statement)
            value = _value(match[2]) if match else None
            if match and value is not None and value != match[2]:
                body[i] = f"{match[1]}{value};"
                return True
            continue
        tested = condition(statement)
        if tested is None:
            continue
        value = tested if tested in ("0", "1") else _value(tested)
        if value is None or (value == tested and value not in ("0", "1")):
            continue
        follows = body[i + 1] if i + 1 < len(body) else ""
        other = follows if isinstance(follows, Block) and is_else(follows) else None
        prefix = "else " if is_else(statement) else ""
        if value not in ("0", "1"):
            statement.head = f"{prefix}if ({value})"
        elif value == "1":
            end = i + 1
            while end < len(body) and isinstance(body[end], Block) and is_else(body[end]):
                end += 1
            body[i:end] = [Block("else", statement.body)] if prefix else statement.body
        elif other is not None:
            head = other.head.removeprefix("else ") if other.head != "else" else "else"
            if prefix:
                body[i : i + 2] = [Block(other.head, other.body)]
            else:
                body[i : i + 2] = other.body if head == "else" else [Block(head, other.body)]
        else:
            del body[i]
        return True
    return False


def _choose(body: list[Statement]) -> bool:
    """switch (2) {case …}  ->  the statements of that case. Names of constants must be known as numbers."""
    for i, statement in enumerate(body):
        match = re.fullmatch(r"switch \((\d+)\)", statement.head) if isinstance(statement, Block) else None
        if not match or not isinstance(statement, Block):
            continue
        cases: dict[str, list[Statement]] = {}
        name = ""
        for inner in statement.body:
            head = re.fullmatch(r"case (\w+):|(default):", inner) if isinstance(inner, str) else None
            if head:
                name = head[1] or head[2]
                cases[name] = []
            else:
                cases[name].append(inner)
        chosen = cases.get(match[1], cases.get("default", []))
        body[i : i + 1] = chosen[:-1] if chosen[-1:] == ["break;"] else chosen
        return True
    return False


def _nothing_follows(body: list[Statement]) -> bool:
    """What stands behind a jump and ahead of the next label is never reached; nor is a jump to what follows needed."""
    for i, (first, second) in enumerate(pairwise(body)):
        ends = isinstance(first, str) and (
            first.startswith("return") or goto(first) or first in ("break;", "continue;")
        )
        if ends and not label(second) and not (isinstance(second, str) and second.startswith(("case ", "default:"))):
            del body[i + 1]
            return True
        if goto(first) and goto(first) == label(second):
            del body[i]
            return True
    return False


def _no_rounds(body: list[Statement]) -> bool:
    """Loops of no rounds go; so does the loop around a body that ends with a jump out of it."""
    for i, statement in enumerate(body):
        match = _COUNTED.match(statement.head) if isinstance(statement, Block) else None
        before = assignment(body[i - 1]) if i else None
        if not match or not isinstance(statement, Block):
            continue
        known = before is not None and before[0] == match[3] and before[1].isdigit()
        if known and before is not None and int(before[1]) == 0 and match[2] == "0":
            del body[i - 1 : i + 1]
            return True
        jump = goto(statement.body[-1]) if statement.body else None
        if jump and known and not any("continue" in text for text in texts(statement.body)):
            body[i - 1 : i + 1] = statement.body
            return True
    return False


def _without_unused(body: list[Statement]) -> None:
    """Leave out variables and labels that nothing uses any more."""
    while True:
        text = "\n".join(text for text in texts(body) if not _declared(text) and not re.match(r"\w+:;$", text))
        kept = [
            s
            for s in body
            if not (isinstance(s, str) and (d := _declared(s)) and not any(re.search(rf"\b{n}\b", text) for n in d))
            and not (label(s) and not re.search(rf"goto {label(s)};", text))
        ]
        kept = [_those_used(s, text) if isinstance(s, str) else s for s in kept]
        written_only = _written_only(kept, text)
        if written_only is None and kept == body:
            return
        body[:] = kept
        if written_only is not None:
            body.remove(written_only)


_DECLARATION = re.compile(r"((?:\w+ )*\w+(?: const)?) ([\w, *]+);")


def _declared(statement: str) -> list[str]:
    """The names that a statement declares."""
    match = _DECLARATION.fullmatch(statement)
    if not match or match[1] in ("return", "goto"):
        return []
    return [name.strip(" *") for name in match[2].split(",")]


def _those_used(statement: str, text: str) -> str:
    """int a, b;  ->  int a;   where nothing uses b"""
    names = _declared(statement)
    used = [name for name in names if re.search(rf"\b{name}\b", text)]
    if not used or used == names or "*" in statement:
        return statement
    match = _DECLARATION.fullmatch(statement)
    return f"{match[1]} {', '.join(used)};" if match else statement


def _written_only(body: list[Statement], text: str) -> Statement | None:
    """An assignment at the top of a function to a variable that nothing reads."""
    for statement in body:
        given = assignment(statement) if isinstance(statement, str) else None
        if (
            given
            and re.fullmatch(r"\w+", given[0])
            and len(re.findall(rf"\b{given[0]}\b", text)) == 1
            and "(" not in given[1]
        ):
            return statement
    return None


@functools.lru_cache(maxsize=4096)
def _value(expression: str) -> str | None:
    """What an expression is with its decided parts left out: "0" or "1" where all of it is decided."""
    if not _DECIDES.search(expression):
        return None
    try:
        tree = c_parser.CParser().parse(f"{_TYPES}\nint x = {expression};")
    except c_parser.ParseError:  # C that this parser does not know stays as it is
        return None
    before = tree.ext[-1].init
    after, changed = _fold(before)
    return c_generator.CGenerator().visit(after) if changed else None


def _fold(node: Any) -> tuple[Any, bool]:
    if isinstance(node, c_ast.UnaryOp) and node.op == "!":
        inner, changed = _fold(node.expr)
        number = _number(inner)
        if number is not None:
            return _constant(not number), True
        return (c_ast.UnaryOp("!", inner), True) if changed else (node, False)
    if not isinstance(node, c_ast.BinaryOp):
        return node, False
    left, first = _fold(node.left)
    right, second = _fold(node.right)
    a, b = _number(left), _number(right)
    if node.op in _COMPARED and a is not None and b is not None:
        return _constant(_COMPARED[node.op](a, b)), True
    if node.op in ("&&", "||"):
        decides = node.op == "||"
        for number, other in ((a, right), (b, left)):
            if number is not None:
                return (_constant(decides), True) if bool(number) == decides else (other, True)
    return (c_ast.BinaryOp(node.op, left, right), True) if first or second else (node, False)


def _number(node: Any) -> float | None:
    if isinstance(node, c_ast.UnaryOp) and node.op == "-":
        inner = _number(node.expr)
        return None if inner is None else -inner
    if isinstance(node, c_ast.Constant):
        try:
            return float(node.value)
        except ValueError:
            return None
    return None


def _constant(truth: bool) -> c_ast.Constant:
    return c_ast.Constant("int", "1" if truth else "0")
