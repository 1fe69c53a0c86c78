"""Expressions over signals: what they give, and that they are arithmetic and nothing else."""

import numpy as np
import pytest

from blocks.errors import ScenarioError
from blocks.scenario.expression import FUNCTIONS, Expression

U, PSI = np.array([1.5, -0.5]), np.array([4.0, -0.2])
ETA = np.array([[3.0, 1.0], [4.0, 2.0]])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-0.5 * abs(vessel.nu[u]) + 1", [0.25, 0.75]),
        ("vessel.nu[u] ** 2 - vessel.nu[u] / 2", [1.5, 0.5]),
        ("wrap(vessel.eta[psi])", [4.0 - 2.0 * np.pi, -0.2]),
        ("norm(vessel.eta[0:2])", [5.0, np.sqrt(5.0)]),
        ("sum(vessel.eta[0:2]) * pi", [7.0 * np.pi, 3.0 * np.pi]),
        ("0 < vessel.nu[u] <= 1.5 and not vessel.eta[psi] < 0", [True, False]),
        ("vessel.nu[u] > 5 or vessel.eta[psi] < 0", [False, True]),
        ("where(vessel.nu[u] > 0, 2, 3) + clip(vessel.nu[u], 0, 1)", [3.0, 3.0]),
        ("max(vessel.nu[u], 0) - min(vessel.nu[u], 0) + 1e308 * 0", [1.5, 0.5]),
        ("atan2(sin(vessel.eta[psi]), cos(vessel.eta[psi]))", [4.0 - 2.0 * np.pi, -0.2]),
    ],
)
def test_the_value(text: str, expected: list[float]) -> None:
    expression = Expression(text)
    rows = {"vessel.nu[u]": U, "vessel.eta[psi]": PSI, "vessel.eta[0:2]": ETA}
    found = expression.evaluate([rows[str(reference)] for reference in expression.references], [])
    np.testing.assert_allclose(found, expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("abs(vessel.nu[u]", "is not an expression: '\\(' was never closed"),
        ("vessel.nu[u] > 2 m/s", "numbers are in SI and have no units here"),
        ("vessel.nu[u] ^ 2", "powers are written \\*\\*"),
        ("abz(vessel.nu[u])", "'abz' in 'abz.*' is not a function; did you mean 'abs'"),
        ("clip(vessel.nu[u], 1)", "must have 3 arguments"),
        ("change(change(x))", "takes the change of a change"),
        ("vessel.nu[u, v]", "names no element; write its label, its number, or first:last"),
        ("'5 deg' + psi", "is text; a number with a unit is not possible here"),
        ("__import__('os').system('true')", "is not a function"),
        ("(1).__class__", "is not a signal"),
        ("[x for x in y]", "is not arithmetic"),
        ("vessel.eta.__class__()", "is not a function"),
        ("lambda: 1", "is not arithmetic"),
        ("(" * 300 + "1" + ")" * 300, "is not an expression"),
        ("-" * 900 + "1", "nests too deep|is not an expression"),
        ("1" * 2000, "has 1000 characters at most"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        Expression(text)


def test_names_of_python_are_signals_and_nothing_else() -> None:
    for text in ("__builtins__", "_c", "_s", "eval", "np.linalg"):
        assert [str(reference) for reference in Expression(text).references] == [text]


def test_large_powers_are_infinite_and_take_no_time() -> None:
    with np.errstate(over="ignore"):
        assert Expression("9 ** 9 ** 9 ** 9").evaluate([], []) == np.inf
    assert set(FUNCTIONS) >= {"change", "wrap", "norm"}
