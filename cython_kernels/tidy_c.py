"""Make the body of a C function that Cython wrote read as if a person had written it. What it computes stays the same.

Cython writes one temporary per subexpression and a jump per branch. `tidy` puts back `return`, `break`, `continue`,
`else`, `&&`, `||` and the expressions themselves; what it does not recognise it leaves as it is.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass
class Block:
    """A statement with a body in braces; `head` is what stands before the brace, "" for a bare block."""

    head: str
    body: "list[Statement]" = field(default_factory=list)


Statement = str | Block
_ASSIGNMENT = re.compile(r"(\w+) = (.*);$")
_GOTO = re.compile(r"goto (\w+);$")
_LABEL = re.compile(r"(\w+):;$")
_BOOLEAN = re.compile(r"^!|[=!<>]=|[^-]>|<|&&|\|\|")
_LOOP = re.compile(r"(for|while) \(")


def tidy(lines: list[str], is_void: bool) -> list[str]:
    """The lines between the braces of a function, without comments, rewritten and indented by four spaces a level."""
    body = _parse(iter(lines))
    types = _declared_types(body)
    rules: list[Callable[[list[Statement]], bool]] = [
        _splice_bare, _else_only, _if_else, _loop_jumps, _logical, _while_condition,
    ]
    _drop_unused(body)
    for _ in range(100):
        changed = [_everywhere(body, rule) for rule in rules]
        changed += [_returns(body, is_void), _drop_labels(body), _fold_temporaries(body, types)]
        if not any(changed):
            break
    _drop_declarations(body)
    return _group_declarations(list(_print(body, 1)))


def _parse(lines: Iterator[str]) -> list[Statement]:
    body: list[Statement] = []
    for line in lines:
        text = line.strip()
        if text.startswith("}"):
            if text == "}":
                return body
            body.append(text)           # "} else {" closes one block and opens the next
            return body
        if text.endswith("{"):
            head = text[:-1].strip()
            while True:
                inner = _parse(lines)
                follow = inner.pop() if inner and isinstance(inner[-1], str) and inner[-1].startswith("}") else None
                body.append(Block(head, inner))
                if follow is None:
                    break
                head = str(follow)[1:-1].strip()
        elif text:
            body.append(text)
    return body


def _print(body: list[Statement], level: int) -> Iterator[str]:
    indent = "    " * level
    for i, statement in enumerate(body):
        if isinstance(statement, str):
            yield indent[4:] + statement if statement.startswith(("case ", "default:")) else indent + statement
            continue
        follows = i + 1 < len(body) and _is_else(body[i + 1])
        if _is_else(statement):
            yield f"{indent}}} {statement.head} {{"
        else:
            yield f"{indent}{statement.head} {{".replace(indent + " {", indent + "{")
        yield from _print(statement.body, level + 1)
        if not follows:
            yield indent + "}"


def _is_else(statement: Statement) -> bool:
    return isinstance(statement, Block) and statement.head.startswith("else")


def _everywhere(body: list[Statement], rule: Callable[[list[Statement]], bool]) -> bool:
    changed = False
    for statement in body:
        if isinstance(statement, Block):
            changed |= _everywhere(statement.body, rule)
    while rule(body):
        changed = True
    return changed


def _texts(body: list[Statement]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, str):
            yield statement
        else:
            yield statement.head
            yield from _texts(statement.body)


def _goto(statement: Statement) -> str | None:
    match = _GOTO.match(statement) if isinstance(statement, str) else None
    return match[1] if match else None


def _label(statement: Statement) -> str | None:
    match = _LABEL.match(statement) if isinstance(statement, str) else None
    return match[1] if match else None


def _assignment(statement: Statement) -> tuple[str, str] | None:
    match = _ASSIGNMENT.match(statement) if isinstance(statement, str) else None
    return (match[1], match[2]) if match else None


def _whole(text: str) -> bool:
    """True if the first parenthesis of `text` closes at its end."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i == len(text) - 1 and c == ")"
    return False


def _bare(text: str) -> str:
    while text.startswith("(") and _whole(text):
        text = text[1:-1].strip()
    return text


def _negated(condition: str) -> str:
    if condition.startswith("!") and (re.fullmatch(r"!\w+", condition) or _whole(condition[1:])):
        return _bare(condition[1:])
    return f"!{condition}" if re.fullmatch(r"\w+", condition) else f"!({condition})"


def _condition(statement: Statement) -> str | None:
    if isinstance(statement, Block) and statement.head.startswith("if ("):
        return statement.head[4:-1]
    return None


def _splice_bare(body: list[Statement]) -> bool:
    for i, statement in enumerate(body):
        if isinstance(statement, Block) and statement.head == "":
            body[i : i + 1] = statement.body
            return True
    return False


def _else_only(body: list[Statement]) -> bool:
    """if (a) {} else {…}  ->  if (!a) {…}"""
    for i in range(len(body) - 1):
        first, second = body[i], body[i + 1]
        condition = _condition(first)
        if condition is not None and isinstance(first, Block) and isinstance(second, Block):
            if not first.body and second.head == "else":
                body[i : i + 2] = [Block(f"if ({_negated(condition)})", second.body)]
                return True
    return False


def _if_else(body: list[Statement]) -> bool:
    """if (a) {…; goto L;} … L:  ->  if (a) {…} else {…}"""
    for end in range(len(body)):
        label = _label(body[end])
        if label is None or not re.fullmatch(r"L\d+", label) or label == "L0":
            continue
        for i in range(end - 1, -1, -1):
            first = body[i]
            if _condition(first) is None or not isinstance(first, Block) or not first.body:
                continue
            if _goto(first.body[-1]) != label or _is_else(body[i + 1]):
                continue
            rest = body[i + 1 : end]
            first.body.pop()
            if rest and all(_condition(s) is not None if k == 0 else _is_else(s) for k, s in enumerate(rest)):
                assert isinstance(rest[0], Block)
                rest[0].head = "else " + rest[0].head
                body[i + 1 : end] = rest
            elif rest:
                body[i + 1 : end] = [Block("else", rest)]
            return True
    return False


def _replace_jumps(body: list[Statement], label: str, word: str) -> bool:
    changed = False
    for i, statement in enumerate(body):
        if _goto(statement) == label:
            body[i] = f"{word};"
            changed = True
        elif isinstance(statement, Block) and not _LOOP.match(statement.head):
            if word == "continue" or not statement.head.startswith("switch"):
                changed |= _replace_jumps(statement.body, label, word)
    return changed


def _loop_jumps(body: list[Statement]) -> bool:
    """Jumps to the end of a loop or behind it  ->  continue, break"""
    changed = False
    for i, statement in enumerate(body):
        if isinstance(statement, Block) and _LOOP.match(statement.head):
            after = _label(body[i + 1]) if i + 1 < len(body) else None
            if after:
                changed |= _replace_jumps(statement.body, after, "break")
            last = _label(statement.body[-1]) if statement.body else None
            if last:
                changed |= _replace_jumps(statement.body, last, "continue")
    return changed


def _operand(text: str) -> str:
    text = _bare(text)
    return text if re.fullmatch(r"!?[\w.>\-]+(\[[^][]*\])*|!?\w+\([^()]*\)", text) else f"({text})"


def _logical(body: list[Statement]) -> bool:
    """a = x; if (!a) {b = a; goto L;} a = y; b = a; L:  ->  a = x && y; b = a; L:   (and likewise ||)"""
    for i in range(len(body) - 4):
        first, test, second, copy = (_assignment(body[i]), body[i + 1], _assignment(body[i + 2]), body[i + 3])
        label = _label(body[i + 4])
        condition = _condition(test)
        if not (first and second and label and condition and isinstance(test, Block) and isinstance(copy, str)):
            continue
        name = first[0]
        if second[0] != name or test.body != [copy, f"goto {label};"] or not copy.endswith(f" = {name};"):
            continue
        if condition not in (name, f"!{name}") or not _BOOLEAN.search(second[1]):
            continue
        operator = "&&" if condition.startswith("!") else "||"
        other = "||" if operator == "&&" else "&&"
        right = _bare(second[1])
        chained = operator in right and other not in right
        body[i : i + 3] = [f"{name} = {_operand(first[1])} {operator} {right if chained else _operand(right)};"]
        return True
    return False


def _while_condition(body: list[Statement]) -> bool:
    """while (1) {if (!a) break; …}  ->  while (a) {…}"""
    for statement in body:
        if isinstance(statement, Block) and statement.head == "while (1)" and statement.body:
            match = re.fullmatch(r"if \((.*)\) break;", str(statement.body[0]))
            if match:
                statement.head = f"while ({_negated(match[1])})"
                del statement.body[0]
                return True
    return False


def _returns(body: list[Statement], is_void: bool) -> bool:
    """Assignments to the result and jumps to the exit  ->  return"""
    changed = _everywhere(body, lambda b: _return_once(b, is_void))
    if not any("goto L0;" in text for text in _texts(body)) and _label(body[-1] if body else "") == "L0":
        body.pop()
        changed = True
    if len(body) > 1 and body[-1] == "return result;" and not _uses(body, "goto L0;"):
        if _label(body[-2]) == "L0":
            del body[-2:]
            changed = True
        given = _assignment(body[-1]) if body else None
        if given and given[0] == "result":
            body[-1] = f"return {_bare(given[1])};"
    if is_void and body and body[-1] == "return;":
        body.pop()
        changed = True
    return changed


def _return_once(body: list[Statement], is_void: bool) -> bool:
    for i, statement in enumerate(body):
        if _goto(statement) != "L0":
            continue
        given = _assignment(body[i - 1]) if i else None
        if is_void:
            body[i] = "return;"
            return True
        if given and given[0] == "result":
            body[i - 1 : i + 1] = [f"return {_bare(given[1])};"]
            return True
    return False


def _uses(body: list[Statement], text: str) -> bool:
    return any(text in line for line in _texts(body))


def _drop_labels(body: list[Statement]) -> bool:
    wanted = {match[1] for text in _texts(body) for match in re.finditer(r"goto (\w+);", text)}

    def drop(statements: list[Statement]) -> bool:
        kept = [s for s in statements if _label(s) is None or _label(s) in wanted or _label(s) == "L0"]
        changed = len(kept) < len(statements)
        statements[:] = kept
        return changed

    return _everywhere(body, drop)


def _declaration(text: Statement) -> tuple[str, str] | None:
    match = re.fullmatch(r"([\w ]+?[ *]+(?:const \*?)?)(\w+);", text) if isinstance(text, str) else None
    if match is None or match[1].split()[0] in ("return", "goto"):
        return None
    return match[1].strip(), match[2]


def _declared_types(body: list[Statement]) -> dict[str, str]:
    return {d[1]: d[0] for d in map(_declaration, body) if d}


def _fold_temporaries(body: list[Statement], types: dict[str, str]) -> bool:
    """t = x; if (t)  ->  if (x)   and   t = x; y = t;  ->  y = x;   where t is read nowhere else"""
    changed = False
    texts = [text for text in _texts(body) if not _declaration(text)]
    for name in [name for name in types if re.fullmatch(r"t\d+", name)]:
        word = re.compile(rf"\b{name}\b")
        reads = sum(len(word.findall(text)) for text in texts) - sum(text.startswith(f"{name} = ") for text in texts)
        places = list(_single_uses(body, name, types))
        if reads and len(places) == reads and sum(text.startswith(f"{name} = ") for text in texts) == reads:
            for statements, i, replacement in reversed(places):
                statements[i : i + 2] = [replacement]
            return True
    return changed


def _single_uses(
    body: list[Statement], name: str, types: dict[str, str]
) -> Iterator[tuple[list[Statement], int, Statement]]:
    for i, statement in enumerate(body):
        if isinstance(statement, Block):
            yield from _single_uses(statement.body, name, types)
        given = _assignment(statement)
        if given and given[0] == name and i + 1 < len(body):
            replacement = _with_value(body[i + 1], name, _bare(given[1]), types)
            if replacement is not None:
                yield body, i, replacement


def _with_value(use: Statement, name: str, value: str, types: dict[str, str]) -> Statement | None:
    condition = _condition(use)
    if isinstance(use, Block):
        if condition == name:
            return Block(f"if ({value})", use.body)
        if condition == f"!{name}":
            return Block(f"if ({_negated(value)})", use.body)
        return None
    if use == f"if (!{name}) break;":
        return f"if ({_negated(value)}) break;"
    copy = _assignment(use)
    if copy and copy[1] == name and types.get(copy[0], "") == types[name]:
        return f"{copy[0]} = {value};"
    return f"return {value};" if use == f"return {name};" and types.get("result") == types[name] else None


def _drop_unused(body: list[Statement]) -> None:
    """Loop variables that nothing reads: Cython marks them."""
    for i, statement in enumerate(body):
        if isinstance(statement, str) and statement.startswith("CYTHON_UNUSED "):
            body[i] = statement.removeprefix("CYTHON_UNUSED ")
            declared = _declaration(body[i])
            if declared:
                copy = re.compile(rf"{declared[1]} = \w+;")
                _everywhere(body, lambda b, copy=copy: _remove(b, copy))  # type: ignore[misc]


def _remove(body: list[Statement], pattern: re.Pattern[str]) -> bool:
    kept = [s for s in body if not (isinstance(s, str) and pattern.fullmatch(s))]
    changed = len(kept) < len(body)
    body[:] = kept
    return changed


def _drop_declarations(body: list[Statement]) -> None:
    text = "\n".join(t for t in _texts(body) if not _declaration(t))
    body[:] = [s for s in body if not (d := _declaration(s)) or re.search(rf"\b{d[1]}\b", text)]


def _group_declarations(lines: list[str]) -> list[str]:
    """int a; int b;  ->  int a, b;"""
    grouped: dict[str, list[str]] = {}
    rest = []
    for line in lines:
        declared = _declaration(line.strip())
        if declared and "*" not in declared[0]:
            grouped.setdefault(declared[0], []).append(declared[1])
        else:
            rest.append(line)
    return [f"    {kind} {', '.join(names)};" for kind, names in grouped.items()] + rest
