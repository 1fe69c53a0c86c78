"""What expressions mean, where their pieces stand, and that no text does harm."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from random_formulas import SYMBOLS, Random

from blocks.formula.errors import FormulaError
from blocks.formula.functions import CHANGE, FUNCTIONS
from blocks.formula.grammar import DEEPEST, MOST_BRACKETS, parse
from blocks.formula.reading import read_equations
from blocks.formula.tokens import MOST_CHARACTERS
from blocks.formula.tree import Call, Item, Name, Node, Number, Vector, walk


def written(node: Node) -> str:
    """A tree as calls."""
    if isinstance(node, Number):
        return f"{node.value:g}"
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Call):
        return f"{node.function}({', '.join(map(written, node.arguments))})"
    if isinstance(node, Vector):
        return f"[{', '.join(map(written, node.items))}]"
    assert isinstance(node, Item)
    return f"{written(node.of)}[{', '.join(map(str, node.index))}]"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a - b - c", "subtract(subtract(a, b), c)"),
        ("a/b*c", "multiply(divide(a, b), c)"),
        ("-x**2", "negative(power(x, 2))"),
        ("2**-x**2", "power(2, negative(power(x, 2)))"),
        ("x**2**3", "power(x, power(2, 3))"),
        ("- -a*+b", "multiply(negative(negative(a)), b)"),
        ("a % b @ c", "matmul(mod(a, b), c)"),
        ("a < b <= c", "and(less(a, b), less_equal(b, c))"),
        ("not a == b and c or d", "or(and(not(equal(a, b)), c), d)"),
        ("a if b > 0 else c if d else e", "where(greater(b, 0), a, where(d, c, e))"),
        ("where(a, b, c)", "where(a, b, c)"),
        ("nu[u] + nu[0]*nu[1:]@A[1, 2]", "add(nu[u], matmul(multiply(nu[0], nu[(1, None)]), A[1, 2]))"),
        ("[[1, .5e1], [2., 1E-3]][0][:1]", "[[1, 5], [2, 0.001]][0][(None, 1)]"),
        ("min(a,\n    b,\n    max(c, d))", "min(a, b, max(c, d))"),
        ("ψ + \N{MICRO SIGN}", "add(ψ, \N{GREEK SMALL LETTER MU})"),
        ("lambda*True", "multiply(lambda, True)"),
        ("9**9**9", "power(9, power(9, 9))"),
    ],
)
def test_operators_bind_as_in_python(text: str, tree: str) -> None:
    assert written(parse(text, "y")) == tree


def test_every_piece_knows_its_place() -> None:
    random = Random(1)
    for _ in range(60):
        text = "  ψ*0 + " + random.text("N", 3).replace(" ", "\n ")
        for node in walk(parse(text, "y")):
            assert written(parse(node.place.shown, "y")) == written(node)


def test_signals_have_dots_where_they_may() -> None:
    more = {**FUNCTIONS, "change": CHANGE}
    tree = parse("-0.1*abs(change(boat.eta[psi])) + wind.speed", "reward", more, dotted=True)
    assert written(tree) == "add(multiply(negative(0.1), abs(change(boat.eta[psi]))), wind.speed)"


HOSTILE = {
    "": "it is empty",
    " \n ": "it is empty",
    "()": "the brackets are empty",
    "().__class__.__bases__[0]": "the brackets are empty",
    "u.__class__": "'.' cannot stand behind 'u'; elements are written u[__class__]",
    "__import__('os')": "a quotation mark has no meaning in a formula",
    "__import__(os)": "there is no function '__import__'",
    "f'{u}'": "a quotation mark has no meaning",
    "(u := 1)": "'=' has no meaning in a formula; two sides are compared by ==",
    "lambda: 1": "':' cannot stand behind 'lambda'",
    "[x for x in u]": "'for' cannot stand behind 'x'",
    "u = 1": "two sides are compared by ==",
    "u; 1": "an expression is one value",
    "u # 1": "an expression has no comments",
    "u\0": "the character U+0000 has no meaning",
    "u\u202e + 1": "the character U+202E has no meaning",
    "u^2": "powers are written **",
    "u\N{SUPERSCRIPT TWO}": "powers are written **, such as x**2",
    "u \N{MINUS SIGN} 1": "the minus sign of a keyboard is -",
    "2u": "a product needs its sign, 2*u",
    "3 m/s": "numbers have no units here, and one that has is a parameter",
    "2(u + 1)": "'(' cannot stand behind '2'; an operator is missing before it, such as *",
    "u u": "an operator is missing before it",
    "u // 2": "write floor(x/y)",
    "u <> 2": "write !=",
    "u && 2": "write and",
    "u +": "it ends behind '+', where a value is wanted",
    "* u": "'*' cannot stand at the beginning",
    "(u": "the bracket '(' is left open",
    "sin(u]": "']' stands here, where ')' is wanted",
    "u)": "no bracket is open that ')' could close",
    "(u, 1)": "vectors are written [a, b, c]",
    "u if u": "write a if c else b",
    "u.T": "'.' cannot stand behind 'u'; write transpose(u)",
    "nu.u": "elements are written nu[u]",
    "1,5*u": "decimals have a point, 1.5",
    "min(u k)": "an operator or a comma is missing before it",
    "abs u": "a function stands before brackets, abs(…)",
    "u > 0 ? 1 : 0": "a choice is written a if c else b",
    "u if u if k else k else u": "'if' has no 'else'",
    "u == not u": "write it in brackets",
    "u[-1]": "elements count from 0 at the first one",
    "u[0.5]": "'0.5' names no element",
    "u[]": "']' names no element",
    "1..2": "write digits with one point",
    "0x10": "is not a number",
    "1_000": "is not a number",
    "1e999": "the number is too large",
    "9" * 5000: "the number is too large",
    "x" * 5000: "a name has 5000 characters",
    "(" * 5000: f"it nests too deep: {MOST_BRACKETS} brackets",
    "-" * 5000 + "u": "it nests too deep",
    "2**" * 3000 + "2": "it nests too deep",
    "+".join("u" * 5000): f"{DEEPEST} terms",
    "u" + "[0]" * 3000: "it nests too deep",
    "u if u else " * 800 + "u": "it nests too deep",
    "u<" * 4000 + "u": "it nests too deep",
    "u" * (MOST_CHARACTERS + 1): f"it has {MOST_CHARACTERS + 1} characters",
    "u+" * 500_000 + "u": "it has 1000001 characters",
    "sqrt(1, 2)": "sqrt takes 1 argument, not 2; sqrt: square root",
    "min(u)": "min takes 2 or more arguments, not 1",
    "pow(u, 2)": "there is no function 'pow'; powers are written x**y",
    "squrt(u)": "there is no function 'squrt'; did you mean 'sqrt'?",
    "k(u)": "where a product is meant, write k*(…)",
    "add(u, 1)": "there is no function 'add'",
}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_what_is_no_expression_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text, "outputs.y")
    error = caught.value
    assert HOSTILE[text] in str(error)
    assert len(str(error)) < 600
    (problem,) = error.problems
    assert problem.part == "outputs.y"
    assert "\n" not in problem.text
    assert error.where is not None
    assert 0 <= error.where.first <= error.where.last <= len(error.where.text)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_caret_stands_under_the_place() -> None:
    with pytest.raises(FormulaError) as caught:
        parse("ψ*sin(x,\n      'a')", "outputs.y")
    assert str(caught.value).split("\n")[1:] == ["          'a')", "          ^"]
    long = "+".join(["x"] * 90) + " + $ + " + "+".join(["y"] * 90)
    with pytest.raises(FormulaError) as caught:
        parse(long, "outputs.y")
    _, line, mark = str(caught.value).split("\n")
    assert line[mark.index("^")] == "$"
    assert (line.count("…"), len(line) < 120) == (2, True)


WORDS = (
    "u", "nu", "A", "k", "t", "pi", "2", "1e3", "0.5", "+", "-", "*", "/", "**", "%", "@", "(", ")", "[", "]", ",", ":",
    "<", ">=", "==", "and", "or", "not", "if", "else", "sin(", "min(", "where(", "dot(", "norm(", "nu[surge]", "u[0]",
    ".", "=", "'", "#", "\n", "é", "ﬁ", "\0", "v", "A@v", "cross(", "transpose(", "9" * 30, "sum(", "1/3", "?",
)  # fmt: skip


def test_no_text_brings_another_error() -> None:
    chance = np.random.default_rng(3)
    random = Random(3)
    right, parts = 0, set()
    for number in range(700):
        if number % 2:
            text = " ".join(WORDS[i] for i in chance.integers(len(WORDS), size=chance.integers(1, 12)))
        else:
            text = random.text("N", 2)
            for _ in range(chance.integers(0, 3)):
                i = int(chance.integers(len(text)))
                text = text[:i] + WORDS[chance.integers(len(WORDS))] * int(chance.integers(2)) + text[i + 1 :]
        try:
            read_equations(SYMBOLS, let={"h": "u"}, outputs={"y": text}, states={}, update={}, sampled=False)
        except FormulaError as error:
            parts |= {problem.part for problem in error.problems}
        else:
            right += 1
    assert parts == {"outputs.y"}
    assert 100 < right < 600
