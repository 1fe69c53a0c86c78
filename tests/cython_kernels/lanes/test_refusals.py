"""What cannot be done for several members at once is refused with what it is, and never written as something else."""

from __future__ import annotations

import pytest
from libraries import WHY_NOT
from side_by_side_c import COMPILER, laned

pytestmark = pytest.mark.skipif(not COMPILER, reason=WHY_NOT)

OTHERS = """
static int const table[3];
struct Calling;
typedef struct Calling Calling;
struct Calling {
    void (*run)(double);
};
static inline double again(double x) { double result; result = again(x); return result; }
static inline void store(int *n) { (n[0]) = 3; }
"""
REFUSED = {
    "do { x = (x + 1.0); } while (x < 3.0);": "a loop that tests at its end",
    "switch (n) { case 1: x = 1.0; case 2: x = 2.0; break; }": "a case that goes on into the next one",
    "L1:; x = (x + 1.0); if (x < 3.0) { goto L1; }": "a goto backward or into a block",
    "if (x < 0.0) { goto L1; } if (x < 3.0) { L1:; x = 1.0; }": "a goto backward or into a block",
    "if (x < 0.0) { return; }": "a return of some members only",
    "x = ((x < 0.0) ? 1.0 : 2.0);": "an expression of TernaryOp",
    "t1 = ((x < 0.0) && (x > 3.0));": "the operator &&",
    "t1 = ((x < 0.0) || (x > 3.0));": "the operator ||",
    "n = x;": "a double as a whole number without a cast",
    "x = fmod(x, 2.0);": "the function fmod, which is not there",
    "x = again(x);": "again, which calls itself",
    "n = (table[1]);": "the name table",
    "calling.run(x);": "a call by a pointer to a function",
    "(void)(memset(a, 1, (((size_t)2) * (sizeof(double)))));": "memset to what is not 0",
    "(void)(memset(a, 0, (((size_t)u) * (sizeof(double)))));": "memset of a count per member",
    "p = (a + u); (void)(memcpy(p, b->y, (((size_t)1) * (sizeof(double)))));": "memcpy at an address per member",
    "if (x < 0.0) { (void)(memset((&s), 0, (sizeof(Pair)))); }": "memset of a struct of some members only",
    "p = (a + u); q = a; n = (p - q);": "a difference of addresses per member",
}
DECLARED = """
  double x; double *p; double *q; double a[4]; int n; int t1; unsigned int u; Pair s; Calling calling;
  x = (b->u[0]);
  u = ((unsigned int)(isfinite(x)));
"""


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body: str) -> None:
    function = f"static inline void refused(View const *b, double t) {{{DECLARED}{body}\n(b->y[0]) = x; }}\n"
    made = laned(OTHERS + function, ["refused"])
    assert list(made.refused.values()) == [f"{'again' if 'again(' in body else 'refused'}: {REFUSED[body]}"]
