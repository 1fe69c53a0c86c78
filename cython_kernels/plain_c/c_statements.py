"""Statements of a C function as nested blocks: read from lines, asked about, and written again."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

WIDTH = 120
_ASSIGNMENT = re.compile(r"(\w+) = (.*);$")
_GOTO = re.compile(r"goto (\w+);$")
_LABEL = re.compile(r"(\w+):;$")


@dataclass
class Block:
    """A statement with a body in braces; `head` is what stands before the brace, "" for a bare block."""

    head: str
    body: "list[Statement]" = field(default_factory=list)


Statement = str | Block


class UnknownStatementError(Exception):
    """C that Cython is not known to write: says which."""


def parse(lines: Iterator[str], *, inner: bool = False) -> list[Statement]:
    """Statements, one per line as Cython writes them: of a function, or of an inner block up to its closing brace.

    Raises UnknownStatementError for a line that is none, and for braces that do not match.
    """
    body: list[Statement] = []
    for line in lines:
        text = line.strip()
        if text.startswith("}"):
            if not inner:
                raise UnknownStatementError(f"{text!r} closes no block")
            if text != "}":
                body.append(text)  # "} else {" closes one block and opens the next
            return body
        if text.endswith("{"):
            head = text
            while head.endswith("{"):
                block = Block(head.removeprefix("}")[:-1].strip(), parse(lines, inner=True))
                last = block.body[-1] if block.body else ""
                head = last if isinstance(last, str) and last.startswith("}") else ""
                if head:
                    block.body.pop()
                body.append(block)
        elif text and not text.endswith((";", ":")):
            raise UnknownStatementError(f"{text!r} is no statement")
        elif text:
            body.append(text)
    if inner:
        raise UnknownStatementError("a block is not closed")
    return body


def written(body: list[Statement], level: int) -> Iterator[str]:
    """The statements as lines, four spaces a level."""
    indent = "    " * level
    for i, statement in enumerate(body):
        if isinstance(statement, str):
            is_case = statement.startswith(("case ", "default:"))
            yield from wrap((indent[4:] if is_case else indent) + statement)
            continue
        if is_else(statement):
            yield from wrap(f"{indent}}} {statement.head} {{")
        else:
            yield from wrap(f"{indent}{statement.head} {{" if statement.head else indent + "{")
        yield from written(statement.body, level + 1)
        if i + 1 == len(body) or not is_else(body[i + 1]):
            yield indent + "}"


def wrap(line: str) -> Iterator[str]:
    """A line of code in pieces of at most `WIDTH` columns where it can be broken after an operator or a comma."""
    indent = len(line) - len(line.lstrip()) + 8
    while len(line) > WIDTH:
        ends = [match.end() for match in re.finditer(r", |\|\| |&& | = | \+ | - | \* ", line[: WIDTH + 1])]
        places = [end for end in ends if end > indent]
        if not places:
            break
        yield line[: places[-1]].rstrip()
        line = " " * indent + line[places[-1] :]
    yield line


def everywhere(body: list[Statement], rule: Callable[[list[Statement]], bool]) -> bool:
    """Apply a rule to every list of statements until it changes nothing; True if it changed any."""
    changed = False
    for statement in body:
        if isinstance(statement, Block):
            changed |= everywhere(statement.body, rule)
    while rule(body):
        changed = True
    return changed


def texts(body: list[Statement]) -> Iterator[str]:
    """All statements and heads of blocks, as they stand."""
    for statement in body:
        if isinstance(statement, str):
            yield statement
        else:
            yield statement.head
            yield from texts(statement.body)


def is_else(statement: Statement) -> bool:
    """Whether it belongs to the `if` before it."""
    return isinstance(statement, Block) and statement.head.startswith("else")


def goto(statement: Statement) -> str | None:
    """Where a jump goes."""
    match = _GOTO.match(statement) if isinstance(statement, str) else None
    return match[1] if match else None


def label(statement: Statement) -> str | None:
    """The name of a label."""
    match = _LABEL.match(statement) if isinstance(statement, str) else None
    return match[1] if match else None


def assignment(statement: Statement) -> tuple[str, str] | None:
    """(name, value) of an assignment to a plain variable."""
    match = _ASSIGNMENT.match(statement) if isinstance(statement, str) else None
    return (match[1], match[2]) if match else None


def condition(statement: Statement) -> str | None:
    """What an `if` with a body tests."""
    if isinstance(statement, Block) and statement.head.startswith("if ("):
        return statement.head[4:-1]
    return None


def declaration(statement: Statement) -> tuple[str, str] | None:
    """(type, name) of a declaration."""
    match = re.fullmatch(r"([\w ]+?[ *]+(?:const \*?)?)(\w+);", statement) if isinstance(statement, str) else None
    if match is None or match[1].split()[0] in ("return", "goto"):
        return None
    return match[1].strip(), match[2]


def is_enclosed(text: str) -> bool:
    """True if the first parenthesis of `text` closes at its end."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i == len(text) - 1 and c == ")"
    return False


def bare(text: str) -> str:
    """An expression without parentheses around all of it."""
    while text.startswith("(") and is_enclosed(text):
        text = text[1:-1].strip()
    return text


def negated(text: str) -> str:
    """The opposite of a condition."""
    if text.startswith("!") and (re.fullmatch(r"!\w+", text) or is_enclosed(text[1:])):
        return bare(text[1:])
    return f"!{text}" if re.fullmatch(r"\w+", text) else f"!({text})"
