"""Make the body of a C function that Cython wrote read as if a person had written it. What it computes stays the same.

Cython writes one temporary per subexpression and a jump per branch. `tidy` puts back `return`, `break`, `continue`,
`else`, `&&`, `||`, loop counters and the expressions themselves; what it does not recognise it leaves as it is.
Temporaries are called t1, t2, …, the result `result`, and labels L0 (the exit), L1, L2_break, ….
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from cython_kernels.plain_c.c_statements import (
    Block,
    Statement,
    assignment,
    bare,
    condition,
    declaration,
    everywhere,
    goto,
    is_else,
    label,
    negated,
    parse,
    texts,
    written,
)

_BOOLEAN = re.compile(r"^!|[=!<>]=|[^-]>|<|&&|\|\|")
_LOOP = re.compile(r"(for|while) \(")
_COUNTED = re.compile(r"for \((\w+) = (.*); \1 (\S+) (.*); \1([+-])=(.*)\)$")
_Place = tuple[list[Statement], int, Statement]  # a list of statements, which of them, and what takes its place


def tidy(lines: list[str], is_void: bool) -> list[str]:
    """The lines between the braces of a function, without comments, rewritten and indented by four spaces a level."""
    body = parse(iter(lines))
    _drop_unused(body)
    types = {d[1]: d[0] for d in map(declaration, body) if d}
    rules: list[Callable[[list[Statement]], bool]] = [
        _splice_bare,
        _else_only,
        _if_else,
        _else_if,
        _loop_jumps,
        _while_condition,
        lambda statements: _logical(statements, body),
        lambda statements: _mixed_logical(statements, body),
    ]
    while any(
        [
            *[everywhere(body, rule) for rule in rules],
            _returns(body, is_void),
            _drop_labels(body),
            _fold_temporaries(body, types),
        ]
    ):
        pass
    _loop_counters(body, types)
    everywhere(body, _plain_statements)
    _drop_declarations(body)
    return _group_declarations(list(written(body, 1)))


def _splice_bare(body: list[Statement]) -> bool:
    for i, statement in enumerate(body):
        if isinstance(statement, Block) and statement.head == "":
            body[i : i + 1] = statement.body
            return True
    return False


def _else_only(body: list[Statement]) -> bool:
    """if (a) {} else {…}  ->  if (!a) {…}   and   else {}  ->  nothing"""
    for i, (first, second) in enumerate(pairwise(body)):
        if not (isinstance(first, Block) and isinstance(second, Block) and second.head == "else"):
            continue
        tested = condition(first)
        if tested and not first.body:
            body[i : i + 2] = [Block(f"if ({negated(tested)})", second.body)]
            return True
        if not second.body:
            del body[i + 1]
            return True
    return False


def _if_else(body: list[Statement]) -> bool:
    """if (a) {…; goto L;} … L:  ->  if (a) {…} else {…}"""
    for end, last in enumerate(body):
        name = label(last) or ""
        if not re.fullmatch(r"L[1-9]\d*", name):
            continue
        for i in range(end - 1, -1, -1):
            first = body[i]
            if not (condition(first) and isinstance(first, Block) and first.body and goto(first.body[-1]) == name):
                continue
            rest = body[i + 1 : end]
            first.body.pop()
            body[i + 1 : end] = [Block("else", rest)] if rest else []
            return True
    return False


def _else_if(body: list[Statement]) -> bool:
    """else {if (a) {…}}  ->  else if (a) {…}"""
    for i, statement in enumerate(body):
        if isinstance(statement, Block) and statement.head == "else":
            first, *rest = statement.body
            if condition(first) and isinstance(first, Block) and all(is_else(s) for s in rest):
                first.head = "else " + first.head
                body[i : i + 1] = statement.body
                return True
    return False


def _loop_jumps(body: list[Statement]) -> bool:
    """Jumps to the end of a loop or behind it  ->  continue, break"""
    changed = False
    for statement, after in pairwise([*body, ""]):
        if isinstance(statement, Block) and _LOOP.match(statement.head):
            changed |= _replace_jumps(statement.body, label(after), "break")
            changed |= _replace_jumps(statement.body, label(statement.body[-1]) if statement.body else None, "continue")
    return changed


def _replace_jumps(body: list[Statement], name: str | None, word: str) -> bool:
    changed = False
    for i, statement in enumerate(body):
        if name and goto(statement) == name:
            body[i] = f"{word};"
            changed = True
        elif isinstance(statement, Block) and not _catches(statement, word):
            changed |= _replace_jumps(statement.body, name, word)
    return changed


def _catches(block: Block, word: str) -> bool:
    return bool(_LOOP.match(block.head)) or (word == "break" and block.head.startswith("switch"))


def _logical(body: list[Statement], function: list[Statement]) -> bool:
    """a = x; if (!a) {b = a; goto L;} a = y; b = a; L:  ->  a = x && y; b = a; L:   (and likewise ||)"""
    for i in range(len(body) - 4):
        first, test, second, copy = assignment(body[i]), body[i + 1], assignment(body[i + 2]), assignment(body[i + 3])
        name = label(body[i + 4])
        if not (first and second and copy and name and isinstance(test, Block)):
            continue
        if not first[0] == second[0] == copy[1] or test.body != [body[i + 3], f"goto {name};"]:
            continue
        if condition(test) not in (first[0], f"!{first[0]}"):
            continue
        if not _BOOLEAN.search(second[1]) and not _is_only_tested(copy[0], function):
            continue  # && would make 1 of a number that may be wanted
        operator, other = ("&&", "||") if condition(test) == f"!{first[0]}" else ("||", "&&")
        right = bare(second[1])
        right = right if operator in right and other not in right else _operand(right)
        body[i : i + 3] = [f"{first[0]} = {_operand(first[1])} {operator} {right};"]
        return True
    return False


def _mixed_logical(body: list[Statement], function: list[Statement]) -> bool:
    """a = x; if (!a) goto N; a = y; if (a) {b = a; goto L;} N:  ->  a = x && y; if (a) {b = a; goto L;}   (and ||)"""
    for i in range(len(body) - 4):
        first, skip, second, test = assignment(body[i]), body[i + 1], assignment(body[i + 2]), body[i + 3]
        name = label(body[i + 4])
        if not (first and second and name and isinstance(skip, Block) and isinstance(test, Block)):
            continue
        if first[0] != second[0] or skip.body != [f"goto {name};"] or len(test.body) != 2:
            continue
        copy = assignment(test.body[0])
        tested = (condition(skip), condition(test))
        if not copy or copy[1] != first[0] or tested not in (own := (f"!{first[0]}", first[0]), own[::-1]):
            continue
        if sum(f"goto {name};" == text for text in texts(function)) > 1:
            continue
        if (_BOOLEAN.search(first[1]) and _BOOLEAN.search(second[1])) or _is_only_tested(copy[0], function):
            operator = "&&" if tested == own else "||"
            value = f"{first[0]} = {_operand(first[1])} {operator} {_operand(second[1])};"
            body[i : i + 5] = [value, test]
            return True
    return False


def _is_only_tested(name: str, function: list[Statement]) -> bool:
    read = re.compile(rf"\b{name}\b(?! = )")
    return all(
        re.fullmatch(rf"if \(!?{name}\)( break;)?", text)
        for text in texts(function)
        if read.search(text) and not declaration(text)
    )


def _operand(text: str) -> str:
    text = bare(text)
    return text if re.fullmatch(r"!?[\w.>\-]+(\[[^][]*\])*|!?\w+\([^()]*\)", text) else f"({text})"


def _while_condition(body: list[Statement]) -> bool:
    """while (1) {if (!a) break; …}  ->  while (a) {…}"""
    for statement in body:
        if isinstance(statement, Block) and statement.head == "while (1)" and statement.body:
            match = re.fullmatch(r"if \((.*)\) break;", str(statement.body[0]))
            if match:
                statement.head = f"while ({negated(match[1])})"
                del statement.body[0]
                return True
    return False


def _returns(body: list[Statement], is_void: bool) -> bool:
    """Assignments to the result and jumps to the exit  ->  return"""
    changed = everywhere(body, lambda statements: _return_once(statements, is_void))
    if "goto L0;" in texts(body):
        return changed
    if body and body[-1] == "return result;":
        given = assignment(body[-3]) if len(body) > 2 and label(body[-2]) else None
        if given and given[0] == "result":
            body[-3:] = [f"return {bare(given[1])};"]
            return True
        if len(body) > 1 and label(body[-2]) == "L0":
            del body[-2:]  # Cython knows that this end is not reached
            return True
    if body and (label(body[-1]) == "L0" or (is_void and body[-1] == "return;")):
        body.pop()
        return True
    return changed


def _return_once(body: list[Statement], is_void: bool) -> bool:
    for i, statement in enumerate(body):
        given = assignment(body[i - 1]) if i else None
        if goto(statement) == "L0" and is_void:
            body[i] = "return;"
            return True
        if goto(statement) == "L0" and given and given[0] == "result":
            body[i - 1 : i + 1] = [f"return {bare(given[1])};"]
            return True
    return False


def _drop_labels(body: list[Statement]) -> bool:
    wanted = {match[1] for text in texts(body) for match in re.finditer(r"goto (\w+);", text)} | {"L0", None}

    def drop(statements: list[Statement]) -> bool:
        before = len(statements)
        statements[:] = [s for s in statements if label(s) in wanted]
        return len(statements) < before

    return everywhere(body, drop)


def _fold_temporaries(body: list[Statement], types: dict[str, str]) -> bool:
    """t = x; if (t)  ->  if (x)   and   t = x; y = t;  ->  y = x;   where t is read nowhere else"""
    every = [text for text in texts(body) if not declaration(text)]
    for name in types:
        if re.fullmatch(r"t\d+", name):
            writes = sum(text.startswith(f"{name} = ") for text in every)
            reads = sum(len(re.findall(rf"\b{name}\b", text)) for text in every) - writes
            places = list(_single_uses(body, name, types))
            if reads and len(places) == reads == writes:
                for statements, i, replacement in reversed(places):
                    statements[i : i + 2] = [replacement]
                return True
    return False


def _single_uses(body: list[Statement], name: str, types: dict[str, str]) -> Iterator[_Place]:
    for i, statement in enumerate(body):
        given = assignment(statement)
        if given and given[0] == name and i + 1 < len(body):
            replacement = _with_value(body[i + 1], name, bare(given[1]), types)
            if replacement is not None:
                yield body, i, replacement
        if isinstance(statement, Block):
            yield from _single_uses(statement.body, name, types)


def _with_value(use: Statement, name: str, value: str, types: dict[str, str]) -> Statement | None:
    """`use` with the value instead of the name, if that is all that it reads of it and no type changes on the way."""
    if isinstance(use, Block):
        tested = {name: value, f"!{name}": negated(value)}.get(condition(use) or "")
        return Block(f"if ({tested})", use.body) if tested else None
    if use == f"if (!{name}) break;":
        return f"if ({negated(value)}) break;"
    copy = assignment(use)
    if copy and copy[1] == name and types.get(copy[0]) == types[name]:
        return f"{copy[0]} = {value};"
    return f"return {value};" if use == f"return {name};" and types.get("result") == types[name] else None


def _loop_counters(body: list[Statement], types: dict[str, str]) -> None:
    """for (t = 0; t < n; t+=1) {i = t; …}  ->  for (i = 0; i < n; i += 1) {…}   where i is read in such loops only"""
    loops: dict[str, list[tuple[Block, str]]] = {}
    for block in _blocks(body):
        match = _COUNTED.match(block.head)
        first = assignment(block.body[0]) if block.body else None
        if match and first and first[1] == match[1] and types.get(first[0]) == types.get(match[1]):
            loops.setdefault(first[0], []).append((block, match[1]))
    for name, found in loops.items():
        inside = [text for block, _ in found for text in [*texts(block.body[1:])]]
        every = [text for text in texts(body) if not declaration(text)]
        count = re.compile(rf"\b{name}\b")
        is_written = any(re.search(rf"\b{name} [-+*/]?= |&{name}\b", text) for text in inside)
        elsewhere = sum(len(count.findall(t)) for t in every) - sum(len(count.findall(t)) for t in inside) - len(found)
        if is_written or elsewhere:
            continue
        for block, counter in found:
            reads = sum(len(re.findall(rf"\b{counter}\b", text)) for text in texts([block]))
            if reads == 4:  # three in the head, one for the copy
                block.head = re.sub(rf"\b{counter}\b", name, block.head)
                del block.body[0]
            else:
                break


def _blocks(body: list[Statement]) -> Iterator[Block]:
    for statement in body:
        if isinstance(statement, Block):
            yield statement
            yield from _blocks(statement.body)


def _plain_statements(body: list[Statement]) -> bool:
    """x = (a + b);  ->  x = a + b;   (void)(f(x));  ->  f(x);   i+=1  ->  i += 1"""
    for i, statement in enumerate(body):
        if isinstance(statement, Block):
            statement.head = re.sub(r"(\w)([+-])=(\S+)\)$", r"\1 \2= \3)", statement.head)
            continue
        match = re.fullmatch(r"(.* = |return |\(void\))(\(.*\));", statement)
        if match and bare(match[2]) != match[2]:
            body[i] = f"{match[1].removeprefix('(void)')}{bare(match[2])};"
    return False


def _drop_unused(body: list[Statement]) -> None:
    """Leave out loop variables that nothing reads: Cython marks them."""
    for i, statement in enumerate(body):
        if isinstance(statement, str) and statement.startswith("CYTHON_UNUSED "):
            body[i] = statement.removeprefix("CYTHON_UNUSED ")
            declared = declaration(body[i])
            if declared:
                _remove_copies(body, f"{declared[1]} = ")


def _remove_copies(body: list[Statement], start: str) -> None:
    body[:] = [s for s in body if not (isinstance(s, str) and re.fullmatch(rf"{start}\w+;", s))]
    for statement in body:
        if isinstance(statement, Block):
            _remove_copies(statement.body, start)


def _drop_declarations(body: list[Statement]) -> None:
    text = "\n".join(t for t in texts(body) if not declaration(t))
    body[:] = [s for s in body if not (d := declaration(s)) or re.search(rf"\b{d[1]}\b", text)]


def _group_declarations(lines: list[str]) -> list[str]:
    """int a; int b;  ->  int a, b;"""
    grouped: dict[str, list[str]] = {}
    rest = []
    for line in lines:
        declared = declaration(line.strip())
        if declared and "*" not in declared[0]:
            grouped.setdefault(declared[0], []).append(declared[1])
        else:
            rest.append(line)
    return [f"    {kind} {', '.join(names)};" for kind, names in grouped.items()] + rest
