"""The tool that changes lines: what it changes, and that nothing else is changed by it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mutants.mutant import Mutant, sample, sources
from mutants.operators import edits
from mutants.statements import statements, with_second_form
from mutants.tree import _blamed

ROOT = Path(__file__).resolve().parents[2]

PYTHON = '''
"""Words."""

def clamped(x, low, high=3):
    """Words."""
    if not low <= x:
        return max(low, x)
    total = -1
    for k in range(2):
        total += x * k
    return total
'''
KERNEL = """
cdef enum:
    GAIN = 0

cdef inline double gain_of(const View* b, double x, int n) noexcept nogil:
    cdef double k = b.p[GAIN][0]
    cdef double* y = <double*>b.y[0]
    cdef int i
    for i in range(n - 1):
        k -= clamp(x, 0.5, k)
    return k if x < 0.0 else -k * x
"""


def changes(path: str, text: str) -> set[tuple[str, str, str]]:
    """Kind, statement and what it becomes, on one line."""
    return {
        (kind, one.text.split("\n")[0], Mutant(one, kind, edit).changed.split("\n")[0])
        for one in statements(path, text)
        for kind, edit in edits(one)
    }


def test_what_is_changed_in_python() -> None:
    found = changes("a.py", PYTHON)
    head, call, start, loop, step = (
        "if not low <= x:", "return max(low, x)", "total = -1", "for k in range(2):", "total += x * k"
    )  # fmt: skip
    assert found == {
        ("comparison", head, "if not low < x:"), ("comparison", head, "if not low > x:"),
        ("negation", head, "if low <= x:"), ("negation", head, "if not (not low <= x):"),
        ("word", call, "return min(low, x)"), ("arguments", call, "return max(x, low)"), ("removal", call, "pass"),
        ("sign", start, "total = 1"), ("constant", start, "total = -2"), ("constant", start, "total = -0"),
        ("removal", start, "pass"),
        ("constant", loop, "for k in range(3):"), ("constant", loop, "for k in range(1):"),
        ("arithmetic", step, "total -= x * k"), ("arithmetic", step, "total += x / k"), ("removal", step, "pass"),
        ("removal", "return total", "pass"),
    }  # fmt: skip


def test_what_is_changed_in_a_kernel() -> None:
    """No types, no enums, no casts, no ends of functions that have to return something."""
    found = changes("a.pxd", KERNEL)
    gain, cast, loop, step, end = (
        "cdef double k = b.p[GAIN][0]", "cdef double* y = <double*>b.y[0]", "for i in range(n - 1):",
        "k -= clamp(x, 0.5, k)", "return k if x < 0.0 else -k * x",
    )  # fmt: skip
    assert found == {
        ("constant", gain, "cdef double k = b.p[GAIN][1]"), ("constant", cast, "cdef double* y = <double*>b.y[1]"),
        ("arithmetic", loop, "for i in range(n + 1):"), ("constant", loop, "for i in range(n - 2):"),
        ("constant", loop, "for i in range(n - 0):"), ("arithmetic", step, "k += clamp(x, 0.5, k)"),
        ("constant", step, "k -= clamp(x, 0.55, k)"), ("arguments", step, "k -= clamp(0.5, x, k)"),
        ("arguments", step, "k -= clamp(x, k, 0.5)"), ("removal", step, "pass"),
        ("comparison", end, "return k if x <= 0.0 else -k * x"),
        ("comparison", end, "return k if x >= 0.0 else -k * x"),
        ("constant", end, "return k if x < 1.0 else -k * x"), ("sign", end, "return k if x < 0.0 else k * x"),
        ("arithmetic", end, "return k if x < 0.0 else -k / x"),
    }  # fmt: skip


@pytest.mark.parametrize("chosen", [0, 1])
def test_a_mutant_is_there_where_it_is_chosen_and_not_otherwise(chosen: int) -> None:
    """Each by itself, run as what it says it is."""
    for one in statements("a.py", PYTHON):
        for kind, edit in edits(one):
            text, plain = PYTHON, PYTHON
            for start, end, new in reversed(with_second_form(one, edit, 1)):
                text = text[:start] + new + text[end:]
            if chosen:
                plain = PYTHON[: one.start] + Mutant(one, kind, edit).changed + PYTHON[one.end :]
            switched, wanted = {"_mutant": lambda number: number == chosen}, {}
            exec(text, switched)
            exec(plain, wanted)
            for x in (0.5, 2.0, 3.0):
                assert outcome(switched["clamped"], x) == outcome(wanted["clamped"], x), plain


def outcome(function, x):
    try:
        return function(x, 1.0)
    except (ZeroDivisionError, UnboundLocalError) as problem:
        return str(problem)


def test_samples_are_the_same_for_a_seed_and_can_be_compiled() -> None:
    only = ["blocks/control", "cython_kernels/thrust"]
    mutants = sample(ROOT, 60, 7, only)
    assert [one.key for one in mutants] == [one.key for one in sample(ROOT, 60, 7, only)]
    assert sum(one.is_kernel for one in mutants) == 30
    assert {one.statement.path for one in mutants} <= {*sources(ROOT, only)}
    assert not [name for name in sources(ROOT) if "/views/" in name or "/entries/" in name]  # the build writes them
    for one in mutants:
        text = (ROOT / one.statement.path).read_text(encoding="utf-8")
        assert text[one.statement.start : one.statement.end] == one.statement.text
        for start, end, new in with_second_form(one.statement, one.edit, 1):
            text = text[:start] + new + text[end:]
        if not one.is_kernel:
            ast.parse(text)


def test_what_does_not_compile_is_blamed_on_the_mutant_there(tmp_path: Path) -> None:
    lines = ["cdef double f(double x):", "    if _mutant(12): g(", "        b)", "    else: g(x)"]
    (tmp_path / "a.pxd").write_text("\n".join(lines))
    assert _blamed(tmp_path, "\nError compiling\n\na.pxd:3:8: Cannot convert\n") == {12}
    assert _blamed(tmp_path, "\na.pxd:1:8: other\n") == set()
