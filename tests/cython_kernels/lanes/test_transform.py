"""Each construct of C in lanes: every member has the bits of a run alone. What once was wrong is among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from libraries import WHY_NOT
from side_by_side_c import COMPILER, WIDTHS, laned

pytestmark = pytest.mark.skipif(not COMPILER, reason=WHY_NOT)

HELPERS = """
static inline void put(double *to, double x) { (to[0]) = x; }
static inline void count(Pair *s) { s->n = 3; }
static inline void both(Pair *s, Pair const *from) { (s[0]) = (from[0]); }
static inline void zeros(double *to) { (void)(memset(to, 0, (((size_t)2) * (sizeof(double))))); }
static inline double const *second(double const *p) { return (p + 1); }
static inline double const *kept(double const *p) { double const *result; result = p; return result; }
static inline unsigned int none(void) { return 0; }
static inline unsigned int small(unsigned int x) { return x; }
static inline Pair made(double x, int n) {
  Pair s;
  s.x = x;
  s.y = (-x);
  s.n = n;
  (s.v[0]) = x;
  (s.v[1]) = 0.0;
  (s.v[2]) = 1.0;
  return s;
}
static inline double first_above(double const *x, int n, double limit) {
  int i;
  double result;
  int t1;
  int t2;
  for (t1 = 0; t1 < n; t1+=1) {
    i = t1;
    t2 = ((x[i]) > limit);
    if (t2) {
      {
        result = (x[i]);
      }
      goto L0;
    }
  }
  {
    result = -1.0;
  }
  goto L0;
  L0:;
  return result;
}
"""
BODIES = {
    "choice": "if ((b->u[0]) < (b->u[1])) { (y[0]) = 1.0; } else { (y[0]) = (b->u[2]); }",
    "choice_of_nan": "t1 = (!((b->u[0]) <= 0.0)); if (t1) { (y[0]) = 1.0; } else { (y[0]) = -0.0; }",
    "and": """
      t2 = ((b->u[0]) > 0.0);
      if (t2) {} else { t1 = t2; goto L3_bool_binop_done; }
      t2 = ((b->u[1]) > 0.0);
      t1 = t2;
      L3_bool_binop_done:;
      (y[0]) = ((double)t1);""",
    "chain": """
      t1 = ((b->u[0]) < -1.0);
      if (t1) { x = 1.0; goto L3; }
      t1 = ((b->u[0]) < 1.0);
      if (t1) { x = 2.0; goto L3; }
      { x = (b->u[1]); }
      L3:;
      (y[0]) = x;""",
    "bounds_that_differ": """
      n = (((int)(u & 3)) + 1);
      x = 0.0;
      for (t1 = 0; t1 < n; t1+=1) { i = t1; x = ((2.0 * x) + (b->u[i])); }
      (y[0]) = x;
      (y[1]) = ((double)i);""",
    "break_and_continue": """
      x = 0.0;
      for (t1 = 0; t1 < 8; t1+=1) {
        i = t1;
        t2 = ((b->u[i]) < 0.0);
        if (t2) { goto L3_continue; }
        t2 = ((b->u[i]) > 4.0);
        if (t2) { goto L4_break; }
        x = (x + (b->u[i]));
        L3_continue:;
      }
      L4_break:;
      (y[0]) = x;
      (y[1]) = ((double)i);""",
    "loops_within": """
      x = 0.0;
      for (t1 = 0; t1 < 4; t1+=1) {
        i = t1;
        while (1) {
          t2 = (x < (b->u[i]));
          if (!t2) break;
          x = (x + 1.0);
          t2 = (x > 3.0);
          if (t2) { goto L0; }
        }
      }
      L0:;
      (y[0]) = x;""",
    "switch": """
      switch ((u & 3)) {
        case 0:
        case 7:
        x = 1.0;
        break;
        case 2:
        x = (b->u[1]);
        t1 = (x > 0.0);
        if (t1) { goto L5; }
        break;
        default:
        x = 3.0;
        break;
      }
      (y[1]) = x;
      L5:;
      (y[0]) = x;""",
    "tables": """
      (a[0]) = (b->u[0]);
      (a[1]) = 2.0;
      (a[2]) = (b->u[1]);
      (a[(u % 3U)]) = 5.0;
      (y[(u % 5U)]) = (a[((u + 1) % 3U)]);""",
    "numbers_of_all_in_a_table": """
      (k[0]) = 1;
      (k[1]) = 2;
      if ((b->u[0]) > 0.0) { (k[1]) = 3; }
      (y[0]) = ((double)((k[0]) + (k[1])));
      (k[(u & 1)]) = 9;
      (y[1]) = ((double)((k[0]) - (k[1])));""",
    "pointers": """
      p = (b->u + 1);
      if ((b->u[0]) > 0.0) { p = (p + 2); }
      (y[0]) = (p[0]);
      q = y;
      if ((b->u[1]) > 0.0) { (q[0]) = 7.0; q = (q + 1); }
      (q[1]) = 8.0;""",
    "structs": """
      s = made((b->u[0]), 1);
      if ((b->u[1]) > 0.0) { s = made((b->u[1]), 2); }
      (y[0]) = (s.x + ((double)s.n));
      (y[1]) = (s.v[0]);""",
    "results": """
      if ((b->u[5]) > 0.0) { x = first_above(b->u, b->n->n, 2.0); } else { x = first_above((b->u + 4), 3, t); }
      (y[0]) = x;""",
    "out_parameters": """
      x = 1.0;
      if ((b->u[0]) > 0.0) { put((&x), (b->u[1])); }
      (y[0]) = x;""",
    "shifts_and_wrapping": """
      u = ((u << 5) - 0x9E3779B9U);
      (y[0]) = ((double)((u >> 3) ^ (u * 7U)));
      w = (kb_bits_of((b->u[0])) >> 52);
      (y[1]) = ((double)((w << 60) + (0 - (w & 1))));""",
    "divisors_that_are_zero_elsewhere": """
      n = ((int)(u & 3));
      t1 = (n != 0);
      if (t1) { (y[0]) = ((double)((100 / n) + (7 % n))); }""",
    "casts": """
      x = (b->u[0]);
      if (fabs(x) < 1e9) { (y[0]) = ((double)((int)x)); (y[1]) = ((double)((long long)(x * 1e6))); }
      if ((x >= 0.0) & (x < 1e9)) {
        (y[2]) = ((double)((unsigned int)x));
        (y[3]) = ((double)((unsigned long long)x));
      }""",
    "rounding": """
      (y[0]) = round((b->u[0]));
      (y[1]) = floor((b->u[1]));
      (y[2]) = (trunc((b->u[2])) + ceil((b->u[3])));
      (y[3]) = copysign((b->u[4]), (b->u[0]) - (b->u[0]));
      (y[4]) = ((double)((float)(b->u[5])));
      (y[5]) = ((double)(isfinite((b->u[6])) + (2 * isnan((b->u[7])))));""",
    "copies": """
      (void)(memset(a, 0, (((size_t)4) * (sizeof(double)))));
      if ((b->u[0]) > 0.0) { (void)(memcpy(a, b->u, (((size_t)b->n->m) * (sizeof(double))))); }
      if ((b->u[1]) > 0.0) { (void)(memset(y, 0, (((size_t)2) * (sizeof(double))))); }
      (y[2]) = ((a[0]) + (a[2]));""",
    "a_jump_over_others_that_wait": """
      x = 0.0;
      t1 = ((b->u[0]) > 0.0);
      if (t1) { goto L3; }
      x = 1.0;
      goto L5;
      L3:;
      x = (x + 2.0);
      (y[1]) = 3.0;
      L5:;
      (y[0]) = x;""",
    "a_value_that_those_who_jumped_keep": """
      if ((b->u[0]) > 0.0) {
        x = 1.0;
        if ((b->u[1]) > 0.0) { goto L5; }
      } else {
        x = 2.0;
        (y[1]) = (x * 2.0);
        if ((b->u[2]) > 0.0) { goto L5; }
      }
      x = 3.0;
      L5:;
      (y[0]) = x;""",
    "what_is_not_there": """
      t1 = (b->extra != NULL);
      if (t1) { t1 = ((b->u[0]) > 0.0); }
      if (t1) { (y[0]) = (b->extra[2]); }""",
    "a_divisor_of_all_that_is_zero": """
      n = b->n->n;
      t1 = (n != 0);
      if (t1) { t1 = ((b->u[0]) > 0.0); }
      if (t1) { i = (100 / n); } else { i = 1; }
      (y[0]) = ((double)i);""",
    "stores_of_functions_for_some": """
      s = made((b->u[0]), 1);
      r = made(7.0, 5);
      if ((b->u[1]) > 0.0) { count((&s)); zeros(y); }
      if ((b->u[2]) > 0.0) { both((&s), (&r)); }
      (y[2]) = (s.x + ((double)s.n));""",
    "an_array_that_a_pointer_reads": """
      (a[0]) = (b->u[1]);
      (a[1]) = (b->u[2]);
      p = a;
      if ((b->u[0]) > 0.0) { (a[0]) = 3.0; }
      (y[0]) = (p[0]);
      p = second(a);
      if ((b->u[0]) > 1.0) { (a[1]) = 4.0; }
      (y[1]) = (p[0]);""",
    "a_member_that_a_pointer_reads": """
      s = made((b->u[1]), 1);
      p = (&s.x);
      if ((b->u[0]) > 0.0) { s.x = 3.0; }
      (y[0]) = (kept(p)[0]);""",
    "an_int_beside_an_unsigned_int": """
      n = (2 - ((int)(u & 3)));
      (y[0]) = ((double)(n < u));
      (y[1]) = ((double)((n | u) / 3U));
      (y[2]) = ((double)(n ^ 1U));
      (y[3]) = ((double)(7U % (n | 8U)));""",
    "a_number_of_all_as_unsigned_int": """
      n = (b->n->n - 3);
      u = 7U;
      if ((b->u[0]) > 0.0) { u = n; }
      (y[0]) = ((double)u);
      i = 1;
      if ((b->u[0]) > 0.0) { i = (4294967290U + b->n->n); }
      (y[1]) = ((double)i);
      (y[2]) = ((double)small(n + (u & 0)));
      (y[3]) = ((double)((none() + ((u & 1) == 9)) - 1));""",
    "an_unsigned_truth": """
      u = 0;
      if ((b->u[0]) > 0.0) { u = 1; }
      (y[0]) = ((double)(u - 2));""",
    "constants_of_their_types": """
      n = ((int)(u & 1));
      (y[0]) = ((double)(n - 0xffffffff));
      (y[1]) = ((double)(n - 3000000000));
      (y[2]) = ((double)(n - 1U));""",
}
DECLARED = """
  double *y;
  double x;
  double a[4];
  double const *p;
  double *q;
  int k[2];
  int n;
  int i;
  int t1;
  int t2;
  unsigned int u;
  unsigned long long w;
  Pair s;
  Pair r;
  y = b->y;
  x = (b->u[15]);
  t1 = (fabs(x) < 1e6);
  if (t1) { u = ((unsigned int)((int)floor(x))); } else { u = 3U; }
"""


@pytest.mark.parametrize("width", [pytest.param(w, marks=pytest.mark.slow) if w != 4 else w for w in WIDTHS])
def test_every_construct(width: int, tmp_path: Path) -> None:
    functions = [
        f"static inline void of_{name}(View const *b, double t) {{{DECLARED}{body}\n}}\n"
        for name, body in BODIES.items()
    ]
    made = laned(HELPERS + "".join(functions), [f"of_{name}" for name in BODIES])
    assert made.refused == {}
    assert made.differences(tmp_path, width, trials=300) == []
