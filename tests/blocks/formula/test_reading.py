"""Names, shapes and messages of whole blocks, as their users see them; and carets in files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from blocks.errors import ParameterError
from blocks.formula.errors import FormulaError
from blocks.formula.names import unused
from blocks.formula.reading import read_equations
from blocks.formula.shapes import elements
from blocks.formula.tree import Equations, Item, Name, Symbol
from blocks.signal import BodyVelocity, Wrench
from blocks.yaml.reading import read as read_yaml

SYMBOLS = {
    symbol.name: symbol
    for symbol in (
        Symbol("u", "input", (), "m/s"),
        Symbol("nu", "input", (6,), BodyVelocity.unit, BodyVelocity.labels),
        Symbol("psi", "input", (), "rad"),
        Symbol("k", "parameter", (), "N*s^2/m^2"),
        Symbol("d", "parameter", (), "N*s/m"),
        Symbol("M", "parameter", (2, 3), "kg"),
        Symbol("x", "state", (2,), "m"),
    )
}


def read(outputs: Mapping[str, Any], **more: Any) -> Equations:
    arguments: dict[str, Any] = {"let": {}, "states": {}, "update": {}, "sampled": False} | more
    return read_equations(SYMBOLS, outputs=outputs, **arguments)


def test_a_block_with_helpers() -> None:
    found = read(
        {"force": "drag", "both": ["0", "-drag"], "power": "drag*u"},
        let={"drag": "square + d*u", "square": "k*u*size", "size": "abs(u)"},
        states={"x": "[u, nu[v]]"},
    )
    assert list(found.helpers) == ["size", "square", "drag"]
    assert {name: (node.shape, node.unit) for name, node in found.outputs.items()} == {
        "force": ((), "N"),
        "both": ((2,), "N"),
        "power": ((), "W"),
    }
    assert found.symbols["square"] == Symbol("square", "helper", (), "N")
    assert "t" not in found.symbols
    assert read({"y": "t"}).symbols["t"] == Symbol("t", "time", (), "s")
    root = found.outputs["force"]
    assert isinstance(root, Name)
    assert root.symbol == found.symbols["drag"]


def test_which_elements_are_taken() -> None:
    for text, numbers, shape in (
        ("nu[r]", (5,), ()),
        ("nu[1:3]", (1, 2), (2,)),
        ("M[1, 2]", (5,), ()),
        ("M[1]", (3, 4, 5), (3,)),
        ("M[:, 1]", (1, 4), (2,)),
        ("M[0:1, 1:]", (1, 2), (1, 2)),
        ("x[1]", (1,), ()),
    ):
        root = read({"y": text}).outputs["y"]
        assert isinstance(root, Item)
        assert (elements(root), root.shape) == (numbers, shape)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k*u*abs(u) + u", "'+' takes one unit, but 'k*u*abs(u)' is in N, and 'u' is in m/s"),
        ("u + 1", "'1' is a pure number; a number with a unit is a parameter, such as limit: 1 m/s"),
        ("min(0, u, psi)", "'min' takes one unit, but 'u' is in m/s, and 'psi' is in rad"),
        ("exp(u)", "'exp' takes a pure number, and 'u' is in m/s; it needs a factor in s/m, such as a parameter"),
        ("sin(u)", "'sin' takes an angle or a pure number, and 'u' is in m/s"),
        ("u if u else 0", "a choice takes conditions: comparisons, or pure numbers, and 'u' is in m/s; u != 0 is one"),
        ("where(u > 0, u, psi)", "a choice takes one unit, but 'u' is in m/s, and 'psi' is in rad"),
        ("u**psi", "'u' is in m/s, and what it is raised to is no number as it stands"),
        ("2**u", "an exponent is a pure number, and 'u' is in m/s"),
        ("u**21", "would have a unit with exponents beyond 20"),
        ("nu + u", "'+' takes one unit, but element 3 of 'nu' is in rad/s, and 'u' is in m/s"),
        ("norm(nu)", "'norm' adds up what is in different units: m/s of element 0 and rad/s of element 3"),
        ("dot(nu, nu)", "take elements of one unit, such as x[0:3]"),
        ("M*nu", "* goes element by element; a matrix times a vector is written A @ v"),
        ("M@nu", "the 3 columns of the first meet the 6 elements of the second"),
        ("M@x", "transpose(A) exchanges rows and columns"),
        ("M@u", "'u' is a number, and @ is for matrices and vectors; a number times anything is written *"),
        ("x + nu", "'nu' is a vector of 6 and 'x' a vector of 2: + goes element by element"),
        ("cross(x, x)", "cross takes vectors of 3, and 'x' is a vector of 2"),
        ("dot(x, nu)", "dot takes two vectors of one length, and 'x' has 2, and 'nu' is a vector of 6"),
        ("transpose(x)", "transpose takes a matrix, and 'x' is a vector of 2"),
        ("sum(u)", "sum takes a vector or matrix, and 'u' is a number"),
        ("[u, x]", "a vector is made of numbers, and a matrix of rows of one length"),
        ("[[[u]]]", "a matrix is made of rows of numbers"),
        ("nu[6]", "'nu' has 6 elements, 0 to 5, and no 6"),
        ("nu[2:7]", "'2:7' is no range of them; first:last ends before its last, so that 0:6 is all"),
        ("nu[3:3]", "'3:3' is no range of them"),
        ("nu[rr]", "no element 'rr' in 'nu'; did you mean 'r'?"),
        ("x[u]", "no element 'u' in 'x', whose elements have no names; they have numbers, 0 to 1"),
        ("u[0]", "'u' is a number, which has no elements"),
        ("x[0, 0]", "'x' is a vector of 2, and 2 places are given"),
        ("r*u", "there is no 'r' here; write nu[r]"),
        ("kk*u", "there is no 'kk' here; did you mean 'k'?"),
        ("sin*u", "there is no 'sin' here; a function stands before brackets, sin(…)"),
        ("z", "there is no 'z' here; an output is no name in formulas; what several of them use is a line in let"),
        ("2.7*e", "there is no 'e' here; write exp(1)"),
    ],
)
def test_messages(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        read({"y": text, "z": "u"})
    said, line, mark = str(caught.value).split("\n")
    assert said.startswith("outputs.y: ")
    assert message in said
    assert line.strip() == text
    where = caught.value.where
    assert where is not None
    assert mark == " " * (4 + where.first) + "^" * (where.last - where.first)


def test_all_faults_are_told_at_once_and_none_that_follow() -> None:
    with pytest.raises(ParameterError) as caught:
        read(
            {"y": "(u + psi)*foo(kk) + min(u)", "z": ["u +", "a", 1], "w": "b + c + u", "v": "pi", "n": "'"},
            let={"a": "u + psi", "b": "1 + c", "c": "2*b", "pi": "3", "u": "1", "if": "2", "a b": "1"},
            states={"x": "[u, psi]"},
        )
    assert [(problem.part, problem.code) for problem in caught.value.problems] == [
        ("let.pi", "bad-name"),
        ("let.u", "bad-name"),
        ("let.if", "bad-name"),
        ("let.a b", "bad-name"),
        ("outputs.y", "unknown-function"),
        ("outputs.y", "wrong-arguments"),
        ("outputs.z[0]", "bad-formula"),
        ("outputs.n", "bad-formula"),
        ("outputs.y", "unknown-name"),
        ("let.b", "helper-ring"),
        ("outputs.y", "unit-mismatch"),
        ("states.x", "unit-mismatch"),
    ]
    with pytest.raises(FormulaError, match="ring: a → b → c → a; what depends on its own value"):
        read({"y": "a"}, let={"a": "1 + b", "b": "c*2", "c": "a"})


def test_equations_fit_their_states() -> None:
    for equation, message in (
        ("u", "states.x: x is a vector of 2, and 'u' is a number; write a list, an expression for each element"),
        (
            "[u, psi]",
            "states.x: 'psi' is in rad, but the rate of change of x is in m/s; it needs a factor in m/s, such",
        ),
        (
            "[u, 9.81]",
            "states.x: '9.81' is a pure number, but the rate of change of x is in m/s; it needs a factor in m/s",
        ),
        ("x", "states.x: 'x' is in m, but the rate of change of x is in m/s"),
        (True, "states.x: an expression, a number, or a list of them is wanted"),
        ([], "states.x: an expression, a number, or a list of them is wanted"),
        ([["u"], ["u"]], "states.x: x is a vector of 2, and '[[u], [u]]' is a matrix of 2×1"),
        ([0, float("nan")], "states.x[1]: an expression, a number, or a list of them is wanted"),
    ):
        with pytest.raises(FormulaError) as caught:
            read({"y": "u"}, states={"x": equation})
        assert str(caught.value).startswith(message)
    assert read({"y": "u"}, states={"x": [0, "u"]}).derivatives["x"].shape == (2,)


def test_what_is_not_used_is_told() -> None:
    found = read({"y": "a*u", "z": "x"}, let={"a": "d", "b": "c*k", "c": "1"}, states={"x": "nu[0:2]"})
    assert [problem.part for problem in unused(found)] == [
        "inputs.psi",
        "parameters.k",
        "parameters.M",
        "let.c",
        "let.b",
    ]
    assert unused(found)[0].text == "inputs.psi is used by no equation; leave it out, or write it where it is meant"


FILE = """\
drag:
  let: {pi: 3, a: u}
  outputs:
    f: k*u*abs(u) + u
    g: "u + psi"
    h: >-
      k*u*abs(u)
      + kk * psi
    i: |
       k * u*abs(u)
         + u

    j: ['ψ', 'u +', 1]
    k: u +
      psi
    l: "u + \\x70si"
  states: {x: ["u", psi]}
"""


def test_carets_stand_in_files_under_the_same_characters() -> None:
    document = read_yaml(FILE, "boat.yaml")
    said = document.data["drag"]
    with pytest.raises(FormulaError) as caught:
        read(said["outputs"], let=said["let"], states=said["states"])
    problems = document.located(caught.value, ("drag",)).problems
    lines = FILE.splitlines()
    marked = [lines[(p.line or 0) - 1][(p.column or 0) - 1 : (p.end_column or 0) - 1] for p in problems]
    assert [(p.line, p.column, mark) for p, mark in zip(problems, marked, strict=True)] == [
        (2, 9, "pi"),
        (13, 18, ""),
        (8, 9, "kk"),
        (13, 10, "ψ"),
        (4, 21, "u"),
        (5, 13, "psi"),
        (11, 12, "u"),
        (15, 7, "psi"),
        (16, 8, '"u + \\x70si"'),
        (17, 21, "psi"),
    ]
    assert problems[2].title == "write 'k'"
    assert problems[2].fix(FILE).splitlines()[7] == "      + k * psi"


def test_types_of_signals_and_names_in_any_writing() -> None:
    wrench = {"tau": Symbol("tau", "input", (6,), Wrench.unit, Wrench.labels)}
    found = read_equations(
        wrench, let={}, outputs={"y": "-0.1*tau", "n": 3, "t2": [1e-3, "tau[N]"]}, states={}, update={}, sampled=True
    )
    assert found.outputs["y"].unit == Wrench.unit
    assert found.outputs["n"].unit == "1"
    assert found.sampled
    micro = {"\N{MICRO SIGN}": Symbol("\N{MICRO SIGN}", "input", (2, 3), "m")}
    for name in ("\N{MICRO SIGN}", "\N{GREEK SMALL LETTER MU}"):
        text = f"transpose({name})"
        assert read_equations(micro, let={}, outputs={"y": text}, states={}, update={}, sampled=False).outputs[
            "y"
        ].shape == (3, 2)
