"""The longest path of C, in operations: counted by hand for C that is small enough."""

from __future__ import annotations

import pytest
from pycparser import c_parser

from fmu.flat_c.operations import COUNTED, Operations

AHEAD = "typedef struct Plan Plan; double own_sqrt(double); static const int ROWS[][2] = {{1, 2}, {3, 4}};\n"


def counted(body: str, **rounds: int) -> tuple[dict[str, int], list[str]]:
    tree = c_parser.CParser().parse(f"{AHEAD}{body}")
    found, unbounded = Operations(tree).of("f", rounds)
    return {name: count for name, count in found.items() if count}, unbounded


def only(body: str, **rounds: int) -> dict[str, int]:
    found, unbounded = counted(body, **rounds)
    assert unbounded == []
    return found


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("double f(double a) { return a * a + 2.0; }", {"multiplications": 1, "additions": 1}),
        ("int f(int a) { return a * a + 2; }", {}),
        ("double f(double const *a) { return a[3] / *(a + 1); }", {"divisions": 1}),
        ("double f(int a) { return (double)a; }", {"conversions": 1}),
        ("double f(double a) { return own_sqrt(a - 1.0); }", {"additions": 1, "square roots": 1}),
        ("double f(double a) { if (a > 0.0) return a + 1.0; return a / 2.0; }", {"comparisons": 1, "divisions": 1}),
        ("double f(double a) { if (a > 0.0) { a = a + 1.0; } return a / 2.0; }",
         {"comparisons": 1, "additions": 1, "divisions": 1}),
        ("double f(double a) { int i; for (i = 0; i < 3; i += 1) { a = a * a; } return a; }", {"multiplications": 3}),
        ("double f(double a) { int i, n; n = 4; for (i = n - 1; i > 0; i -= 1) { a = a * a; } return a; }",
         {"multiplications": 3}),
        ("double f(double a) { int i, k; for (i = 0; i < 3; i += 1) { for (k = i; k < 3; k += 1) { a = a * a; } } }",
         {"multiplications": 9}),
        ("double g(double a, int n) { int i; for (i = 0; i < n; i += 1) { a = a + a; } return a; }"
         "double f(double a) { return g(g(a, 2), 5); }", {"additions": 7}),
        ("double f(double a) { int i; for (i = 0; i < ROWS[1][0]; i += 1) { a = a + a; } return a; }",
         {"additions": 4}),
        ("double f(double a) { if (1 < 0) { a = a / a; } else { a = a + a; } return a; }", {"additions": 1}),
        ("double f(double a, int n) { switch (n) { case 0: a = a + a; case 1: a = a + a; break; default: a = a * a; }"
         "return a; }", {"additions": 2}),
        ("double f(double a) { if (a > 1.0) { goto end; } a = a * a; end:; return a; }",
         {"comparisons": 1, "multiplications": 1}),
        ("struct S { double x; struct { double *y; int n; } in; };"
         "double f(struct S *s) { return s->x + s->in.y[s->in.n + 1]; }", {"additions": 1}),
    ],
)  # fmt: skip
def test_counts(body: str, wanted: dict[str, int]) -> None:
    assert only(body) == wanted


def test_a_loop_that_changes_its_bound_or_its_counter_has_none() -> None:
    for inner in ("n = n + 1;", "i = i - 1;"):
        found, unbounded = counted(
            f"double f(double a) {{ int i, n; n = 3; for (i = 0; i < n; i += 1) {{ a = a + a; {inner} }} return a; }}"
        )
        assert unbounded == ["a loop (for) in f"]
        assert found == {"additions": 1}


def test_loops_with_conditions_need_a_bound_from_outside() -> None:
    body = "double f(double a) { while (a > 1.0) { a = a / 2.0; } return a; }"
    assert counted(body) == ({"divisions": 1, "comparisons": 1}, ["a loop (while) in f"])
    assert only(body, f=10) == {"divisions": 10, "comparisons": 10}


def test_calls_in_a_circle_are_told() -> None:
    assert counted("double f(double a) { return f(a + 1.0); }")[1] == ["f calls itself"]


def test_all_kinds_are_told() -> None:
    tree = c_parser.CParser().parse("int f(void) { return 0; }")
    assert Operations(tree).of("f", {})[0] == dict.fromkeys(COUNTED, 0)
