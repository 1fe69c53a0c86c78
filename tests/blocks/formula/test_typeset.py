"""Formulas in two dimensions and as LaTeX: what is drawn is what the text says, in the width that there is."""

from __future__ import annotations

import pytest
from random_formulas import SYMBOLS, Random

from blocks.basic import Formula
from blocks.formula.boxes import width_of
from blocks.formula.functions import FUNCTIONS
from blocks.formula.grammar import parse
from blocks.formula.latex import latex, written
from blocks.formula.letters import GREEK
from blocks.formula.terminal import laid_out
from blocks.formula.tree import Name, Number, walk
from blocks.formula.typeset import element


def drawn(text: str, width: int = 80) -> str:
    return "\n".join(line.rstrip() for line in laid_out(element(parse(text, "outputs.y")), width).lines)


@pytest.mark.parametrize(
    ("text", "picture", "tex"),
    [
        ("k*u*abs(u) + d*u", "k·u·|u| + d·u", r"k \, u \, \left| u \right| + d \, u"),
        ("-x**2", "−x²", "- {x}^{2}"),
        ("(-x)**2", "(−x)²", r"{\left( - x \right)}^{2}"),
        ("a - (b - c)", "a − (b − c)", r"a - \left( b - c \right)"),
        ("(a - b) - c", "a − b − c", "a - b - c"),
        ("a*(b*c)", "a·(b·c)", r"a \, \left( b \, c \right)"),
        ("a + -b", "a + (−b)", r"a + \left( - b \right)"),
        ("not (a or b) and 0 <= c < 2", "not (a or b) and 0 ≤ c < 2", None),
        ("nu[u] + eta[psi] + tau_x + speed_max + x1", "νᵤ + η[ψ] + τₓ + speedₘₐₓ + x₁", None),
        ("1e-3*sin(x)**2 + log(x)", "1·10⁻³·sin²(x) + ln(x)", r"1 \cdot 10^{-3} \, {\sin}^{2} \left( x \right) + \ln"),
        ("A@x", "A·x", None),
        ("x**(a/(b*c))", " a/(b·c)\nx", "{x}^{a / \\left( b \\, c \\right)}"),
        ("(a/b)**2", "⎛a⎞²\n⎜─⎟\n⎝b⎠", None),
        ("a/(b + 1)*c", "  a\n─────·c\nb + 1", r"\frac{a}{b + 1} \, c"),
        ("sqrt(a/b)", "    __\n   ╱ a\n  ╱  ─\n╲╱   b", r"\sqrt{\frac{a}{b}}"),
        ("where(a > b, 1, 2 if b else a)", "⎧ 1  if a > b\n⎨ 2  if b\n⎩ a  otherwise", None),
        ("[a, 0] + [[1, b]]", None, r"\begin{bmatrix} a \\ 0 \end{bmatrix} + \begin{bmatrix} 1 & b \end{bmatrix}"),
    ],
)
def test_a_text_is_drawn_and_written(text: str, picture: str | None, tex: str | None) -> None:
    if picture is not None:
        assert drawn(text) == picture
    if tex is not None:
        assert written(element(parse(text, "outputs.y"))).startswith(tex)


def test_equations_of_a_block() -> None:
    formula = Formula(
        {"force": "drag"},
        inputs={"omega": "rad/s"},
        parameters={"c": "2 N*s^2/rad^2", "I": "4 kg*m^2", "initial_omega_1": "0 rad/s", "T": "1 s"},
        let={"drag": "c*omega*abs(omega)"},
        states={"omega_1": "(omega - omega_1)/T", "speed": "-speed/T"},
    )
    assert formula.typeset() == (
        "   drag = c·ω·|ω|\n\n  force = drag\n\n          ω − ω₁\n     ω̇₁ = ──────\n            T\n\n"
        "d speed   −speed\n─────── = ──────\n  dt        T"
    )
    assert latex(formula.equations).splitlines()[-2] == (
        r"\frac{\mathrm{d} \mathrm{speed}}{\mathrm{d} t} &= \frac{- \mathrm{speed}}{T}"
    )
    assert formula._repr_latex_().startswith("$$\\begin{aligned}")


def test_long_equations_fit_the_terminal_and_nothing_is_lost() -> None:
    """Names and numbers of random texts stand in the picture as often as in the tree, however narrow it is."""
    random = Random(3)
    for _ in range(25):
        tree = parse(random.text("N", 4), "outputs.y")
        whole = element(tree)
        leaves = [node for node in walk(tree) if isinstance(node, (Name, Number))]
        for width in (200, 60):
            picture = "\n".join(laid_out(whole, width).lines)
            assert len({width_of(line) for line in picture.splitlines()}) == 1
            for name in ("F", "k", "w"):
                count = sum(isinstance(leaf, Name) and leaf.name == name for leaf in leaves)
                assert picture.count(name) >= count
        for leaf in leaves:
            if isinstance(leaf, Name):
                assert (f"\\{leaf.name}" if leaf.name in GREEK else leaf.name) in written(whole)
    many = " + ".join(f"k*{name}*abs({name})/2" for name in SYMBOLS)
    for text in (many, f"({many})*w", f"sqrt({many})", f"[{many}, 2]", f"w if {many} > 2 else {many}", f"({many})/k"):
        assert max(width_of(line) for line in drawn(text, 60).splitlines()) <= 60


def test_every_function_can_be_drawn() -> None:
    for function in FUNCTIONS.values():
        text = function.usage.replace(", …", "")
        assert drawn(text)
        assert written(element(parse(text, "outputs.y")))
