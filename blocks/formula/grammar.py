"""Text becomes a tree: a small grammar of its own, which knows no name and evaluates nothing.

expression = or ["if" or "else" expression]
or         = and {"or" and}
and        = not {"and" not}
not        = "not" not | sum {("<" | "<=" | ">" | ">=" | "==" | "!=") sum}       a < b < c is a < b and b < c
sum        = product {("+" | "-") product}
product    = signed {("*" | "/" | "%" | "@") signed}
signed     = ("-" | "+") signed | power
power      = item ["**" signed]                                                  -x**2 is -(x**2), 2**-1 is 0.5
item       = primary {"[" place {"," place} "]"}
place      = number | label | [number] ":" [number]
primary    = number | name | name "(" expression {"," expression} ")" | "(" expression ")" | "[" expression {"," …} "]"

Words bind as in Python, and lines may break anywhere. How closely operators bind, and which functions there are, is in
`functions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from blocks.errors import did_you_mean, raise_all
from blocks.formula.errors import FormulaError
from blocks.formula.functions import CHOICE, COMPARISON, FUNCTIONS, NOT, OR, POWER, SIGN, Function
from blocks.formula.hints import NO_FUNCTION, WORDS, WORDS_MEANT, hint, is_value, short
from blocks.formula.tokens import Token, tokens
from blocks.formula.tree import Call, Item, Name, Node, Number, Place, Vector, children

MOST_BRACKETS = 60
"""How deep brackets, powers and choices stand one in the other."""
DEEPEST = 200
"""How deep the tree is: a sum of so many terms, at most."""


def parse(text: str, part: str, functions: Mapping[str, Function] = FUNCTIONS, *, dotted: bool = False) -> Node:
    """The tree of a text; `part` says whose text it is. dotted: names are those of signals, vessel.eta.

    Raises FormulaError: for the first thing that is no expression, or for all functions that are none or have other
    arguments than they take.
    """
    faults: list[FormulaError] = []
    found = parsed(text, part, faults, functions, dotted=dotted)
    raise_all(faults)
    return found


def parsed(
    text: str,
    part: str,
    faults: list[FormulaError],
    functions: Mapping[str, Function] = FUNCTIONS,
    *,
    dotted: bool = False,
) -> Node:
    """As `parse`, but functions that are none, or have other arguments than they take, become `Unknown` nodes, and the
    faults are added to a list."""
    return _Parser(text, part, functions, tokens(text, part, dotted=dotted), faults, dotted=dotted).whole()


@dataclass(eq=False)
class Unknown(Vector):
    """In place of a call that is none: what its arguments are."""


class Piece(NamedTuple):
    """A tree, and the characters that it takes up, with its brackets."""

    node: Node
    first: int
    last: int


class _Parser:
    """Reads the words of one text."""

    def __init__(
        self,
        text: str,
        part: str,
        functions: Mapping[str, Function],
        words: list[Token],
        faults: list[FormulaError],
        *,
        dotted: bool,
    ) -> None:
        self.text, self.part, self.functions, self.words, self.dotted = text, part, functions, words, dotted
        self.at = 0
        self.inside = 0
        self.opened: list[Token] = []
        self.depths: dict[int, int] = {}
        self.faults = faults
        self.infix = {f.sign: f for f in functions.values() if f.sign and f.arity == (2, 2)}
        self.prefix = {f.sign: f for f in functions.values() if f.sign and f.arity == (1, 1)}

    @property
    def next(self) -> Token:
        return self.words[self.at]

    def whole(self) -> Node:
        if self.next.kind == "end":
            raise self.error("it is empty", self.next, hint="a number or an expression is wanted")
        found = self.expression()
        if self.at + 1 < len(self.words):
            raise self.unexpected()
        return found.node

    # from the loosest to the closest

    def expression(self, closest: int = CHOICE) -> Piece:
        """What binds as closely, or closer."""
        self.inside += 1
        if self.inside > MOST_BRACKETS:
            raise self.too_deep(self.next)
        left = self.signed(closest)
        while (function := self.infix.get(self.next.word)) is not None and function.binding >= closest:
            if function.binding == COMPARISON:
                left = self.comparison(left)
                continue
            self.at += 1
            right = self.expression(SIGN if function.binding == POWER else function.binding + 1)
            left = self.call(function.name, (left, right))
        if closest <= CHOICE and self.next.word == "if":
            left = self.choice(left)
        self.inside -= 1
        return left

    def signed(self, closest: int) -> Piece:
        """With the signs before it."""
        token = self.next
        if token.word == "not":
            if closest > NOT:
                raise self.error("'not' stands behind an operator", token, hint="write it in brackets: (not x)")
            self.at += 1
            return self.call("not", (self.expression(NOT),), token.first)
        if token.word not in ("+", "-"):
            return self.item()
        self.at += 1
        inner = self.expression(SIGN)
        if token.word == "-":
            return self.call(self.prefix["-"].name, (inner,), token.first)
        return Piece(inner.node, token.first, inner.last)

    def comparison(self, first: Piece) -> Piece:
        """A chain: a < b < c is a < b and b < c."""
        sides, found = first, None
        while (function := self.infix.get(self.next.word)) is not None and function.binding == COMPARISON:
            self.at += 1
            right = self.expression(COMPARISON + 1)
            one = self.call(function.name, (sides, right))
            found = one if found is None else self.call("and", (found, one))
            sides = right
        assert found is not None
        return found

    def choice(self, chosen: Piece) -> Piece:
        """A value behind which an "if" stands."""
        self.at += 1
        condition = self.expression(OR)
        if self.next.word != "else":
            raise self.error("'if' has no 'else'", self.next, hint="write a if c else b, or where(c, a, b)")
        self.at += 1
        other = self.expression(CHOICE)
        return self.call("where", (condition, chosen, other), chosen.first, other.last)

    def item(self) -> Piece:
        """With the places in brackets behind it."""
        found = self.primary()
        while self.next.word == "[":
            bracket = self.open()
            places = [self.place()]
            while self.next.word == "," and self.next.kind == "sign":
                self.at += 1
                places.append(self.place())
            last = self.close(bracket, "]")
            found = self.piece(Item, found.first, last, found.node, tuple(places))
        return found

    def place(self) -> str | int | tuple[int | None, int | None]:
        """A number, a label, or first:last."""
        token = self.next
        if token.kind == "name":
            if token.word in WORDS:
                raise self.unexpected()
            self.at += 1
            return token.word
        first = self.count()
        if self.next.word != ":":
            if first is None:
                raise self.no_place(token)
            return first
        self.at += 1
        return first, self.count()

    def count(self) -> int | None:
        """A whole number, if one stands there."""
        token = self.next
        if token.kind != "number":
            return None
        if not token.word.isdigit() or len(token.word) > 9:
            raise self.no_place(token)
        self.at += 1
        return int(token.word)

    def no_place(self, token: Token) -> FormulaError:
        if token.kind == "end":
            return self.unexpected()
        hint = "elements count from 0 at the first one" if token.word == "-" else ""
        return self.error(
            f"'{token.word}' names no element: a number, a label or first:last is wanted", token, hint=hint
        )

    def primary(self) -> Piece:
        token = self.next
        if token.kind == "number":
            self.at += 1
            return self.piece(Number, token.first, token.last, float(token.word))
        if token.kind == "name" and token.word not in WORDS:
            self.at += 1
            if self.next.word == "(":
                return self.called(token)
            return self.piece(Name, token.first, token.last, token.word)
        if token.word == "(":
            self.open()
            if self.next.word == ")":
                raise self.error("the brackets are empty", Token("sign", "()", token.first, self.next.last))
            inner = self.expression()
            if self.next.word == "," and self.next.kind == "sign":
                raise self.unexpected("vectors are written [a, b, c]")
            return Piece(inner.node, token.first, self.close(token, ")"))
        if token.word == "[":
            self.open()
            items, last = self.several(token, "]")
            if not items:
                raise self.error("a vector has one element at least", Token("sign", "[]", token.first, last))
            return self.piece(Vector, token.first, last, tuple(item.node for item in items))
        raise self.unexpected()

    def called(self, name: Token) -> Piece:
        """A function with its arguments."""
        function = self.functions.get(name.word)
        bracket = self.open()
        arguments, last = self.several(bracket, ")")
        least, most = function.arity if function else (0, None)
        if function is None or not function.called:
            names = [each.name for each in self.functions.values() if each.called]
            near = did_you_mean(name.word, names).endswith("?")
            meant = NO_FUNCTION.get(name.word, f"where a product is meant, write {short(name.word)}*(…)")
            self.faults.append(
                FormulaError(
                    f"there is no function '{short(name.word)}'",
                    place=self.where(name),
                    code="unknown-function",
                    wrong=name.word,
                    valid=names,
                    hint="" if near else meant,
                )
            )
        elif len(arguments) < least or (most is not None and len(arguments) > most):
            self.faults.append(
                FormulaError(
                    f"{name.word} takes {function.wanted}, not {len(arguments)}",
                    place=Place(self.part, self.text, name.first, last),
                    code="wrong-arguments",
                    hint=f"{name.word}: {function.doc}",
                )
            )
        else:
            return self.call(name.word, tuple(arguments), name.first, last)
        return self.piece(Unknown, name.first, last, tuple(piece.node for piece in arguments))

    def several(self, bracket: Token, closing: str) -> tuple[list[Piece], int]:
        """Expressions between commas up to the bracket, and where that ends."""
        found: list[Piece] = []
        while self.next.word != closing:
            found.append(self.expression())
            if self.next.word != ",":
                break
            self.at += 1
        return found, self.close(bracket, closing)

    # brackets

    def open(self) -> Token:
        token = self.next
        self.opened.append(token)
        self.at += 1
        return token

    def close(self, bracket: Token, closing: str) -> int:
        if self.next.word != closing:
            raise self.unexpected()
        self.at += 1
        self.opened.pop()
        return self.words[self.at - 1].last

    # nodes

    def call(self, name: str, arguments: tuple[Piece, ...], first: int | None = None, last: int | None = None) -> Piece:
        begins = arguments[0].first if first is None else first
        ends = arguments[-1].last if last is None else last
        return self.piece(Call, begins, ends, name, tuple(piece.node for piece in arguments))

    def piece(self, kind: Callable[..., Node], first: int, last: int, *values: object) -> Piece:
        node = kind(Place(self.part, self.text, first, last), *values)
        depth = 1 + max((self.depths[id(child)] for child in children(node)), default=0)
        if depth > DEEPEST:
            raise self.too_deep(Token("sign", "", first, last))
        self.depths[id(node)] = depth
        return Piece(node, first, last)

    # faults

    def where(self, token: Token) -> Place:
        return Place(self.part, self.text, token.first, token.last)

    def error(self, message: str, token: Token, hint: str = "") -> FormulaError:
        return FormulaError(message, place=self.where(token), hint=hint)

    def too_deep(self, token: Token) -> FormulaError:
        return self.error(
            f"it nests too deep: {MOST_BRACKETS} brackets one in the other, and {DEEPEST} terms one behind the other, "
            f"are the most",
            token._replace(last=min(token.last, token.first + 1)),
            hint="" if self.dotted else "helper lines in let, or sum([…]), make it flat",
        )

    def unexpected(self, hint: str = "") -> FormulaError:
        """What stands there cannot stand there."""
        token, before = self.next, self.words[self.at - 1] if self.at else None
        if before is None:
            return self.error(
                f"'{short(token.word)}' cannot stand at the beginning", token, WORDS_MEANT.get(token.word, "")
            )
        if token.kind == "end":
            if self.opened:
                bracket = self.opened[-1]
                return self.error(f"the bracket '{bracket.word}' is left open", bracket)
            return self.error(f"it ends behind '{before.word}', where a value is wanted", token)
        hint = hint or self.meant(before, token)
        if token.word in (")", "]"):
            if not self.opened:
                return self.error(f"no bracket is open that '{token.word}' could close", token, hint)
            if is_value(before):
                wanted = _CLOSING[self.opened[-1].word]
                return self.error(f"'{token.word}' stands here, where '{wanted}' is wanted", token, hint)
        return self.error(f"'{short(token.word)}' cannot stand behind '{short(before.word)}'", token, hint)

    def meant(self, before: Token, token: Token) -> str:
        after = self.words[min(self.at + 1, len(self.words) - 1)]
        return hint(before, token, after, self.functions, inside=bool(self.opened), dotted=self.dotted)


_CLOSING = {"(": ")", "[": "]"}
