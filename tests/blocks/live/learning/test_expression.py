"""Expressions over signals: what they give, and that they are arithmetic and nothing else."""

import numpy as np
import pytest

from blocks.basic import Formula
from blocks.errors import ScenarioError
from blocks.scenario.evaluation import VOCABULARY
from blocks.scenario.expression import Expression

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
        ("(vessel.nu[u] > 0) + (vessel.eta[psi] > 0) - -(vessel.nu[u] > 0)", [3.0, 0.0]),
        ("sum([vessel.nu[u] > -9, vessel.eta[psi] > -9])", [2.0, 2.0]),
        ("where(vessel.nu[u] < 0, True, false) + (1 if vessel.eta[psi] > 0 else 2)", [1.0, 3.0]),
        ("norm([vessel.nu[u], 2, 0]) - cross([0, 0, 1], [vessel.nu[u], 0, 0])[1]", [1.0, np.sqrt(4.25) + 0.5]),
        ("dot(vessel.eta[0:2], [1, 2]) + [3, 4][1]", [15.0, 9.0]),
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
        ("abs(vessel.nu[u]", "'abs\\(vessel.nu\\[u\\]': the bracket '\\(' is left open"),
        ("vessel.nu[u] > 2 m/s", "numbers have no units here, and they are in SI"),
        ("vessel.nu[u] ^ 2", "powers are written \\*\\*"),
        ("abz(vessel.nu[u])", "there is no function 'abz'; did you mean 'abs'"),
        ("clip(vessel.nu[u], 1)", "clip takes 3 arguments, not 2"),
        ("change(change(x))", "takes the change of a change"),
        ("vessel.nu[u, v]", "names no element; write its label, its number, or first:last"),
        ("cross(a, b)[x]", "names no element"),
        ("[[a, b], [c, d]]", "have no matrices"),
        ("'5 deg' + psi", "numbers are in SI: write 0.1, and not '5 deg'"),
        ("vessel.eta.__class__()", "there is no function"),
        ("-" * 900 + "1", "nests too deep"),
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
    assert set(VOCABULARY) >= {"change", "wrap", "norm"}


def test_numbers_are_those_of_a_formula() -> None:
    """All functions, bit by bit, for a fleet and for the block in the engine."""
    uses = [f.usage.replace(", …", "") for f in VOCABULARY.values() if f.name != "change" and f.group != "vectors"]
    uses += [f"a ** {power}" for power in (2, -3, 5, 0.5)] + ["asin(a/9)", "acos(b/9)", "where(a > b, a, -b)", "-a"]
    random = np.random.default_rng(5)
    a, b = np.exp(random.normal(size=(2, 20)))
    symbols = {"a": a, "b": b, "c": a - b, "x": a, "y": b, "low": b, "high": a + b}
    uses = [use for use in uses if use not in ("asin(x)", "acos(x)")]
    vectors = ["sum([a, b, c])", "norm([a, b, c])", "dot([a, b, c], [x, y, b])", "cross([a, b, c], [x, c, b])[2]"]
    texts = {f"y{number}": use for number, use in enumerate([*uses, *vectors])}
    block = Formula(texts, inputs=dict.fromkeys(symbols, "1"))
    for name, text in texts.items():
        expression = Expression(text)
        found = expression.evaluate([symbols[str(reference)] for reference in expression.references], [])
        wanted = [block.evaluate(**{s: v[i] for s, v in symbols.items()}).outputs[name] for i in range(3)]
        np.testing.assert_array_equal(np.broadcast_to(found, a.shape)[:3], wanted, text)
