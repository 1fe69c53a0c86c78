"""What kernels take of the C library's mathematics, in C99 of its own: a controller needs no libm.

Each function gives the same bits as that of IEEE 754: they round to whole numbers, change a sign or, in the case of the
square root, round correctly. Where the processor has an instruction for square roots of doubles, that is taken.
"""

from __future__ import annotations

import re

_BITS = """\
static inline unsigned long long bits_of(double x)
{
    unsigned long long bits;
    (void)memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double from_bits(unsigned long long bits)
{
    double x;
    (void)memcpy(&x, &bits, sizeof x);
    return x;
}
"""
_TEXTS = {
    "fabs": """\
static inline double own_fabs(double x)
{
    return from_bits(bits_of(x) & 0x7fffffffffffffffULL);
}
""",
    "copysign": """\
static inline double own_copysign(double x, double sign)
{
    return from_bits((bits_of(x) & 0x7fffffffffffffffULL) | (bits_of(sign) & 0x8000000000000000ULL));
}
""",
    "isfinite": """\
static inline int own_isfinite(double x)
{
    return (bits_of(x) & 0x7ff0000000000000ULL) != 0x7ff0000000000000ULL;
}
""",
    "trunc": """\
/* The whole number next to x on the side of 0. */
static inline double own_trunc(double x)
{
    const unsigned long long bits = bits_of(x);
    const int exponent = (int)((bits >> 52) & 0x7ffULL) - 1023;
    if (exponent < 0) {
        return from_bits(bits & 0x8000000000000000ULL);
    }
    return (exponent > 51) ? x : from_bits(bits & ~(0x000fffffffffffffULL >> exponent));
}
""",
    "floor": """\
static inline double own_floor(double x)
{
    const double whole = own_trunc(x);
    return (whole > x) ? (whole - 1.0) : whole;
}
""",
    "ceil": """\
static inline double own_ceil(double x)
{
    const double whole = own_trunc(x);
    return (whole < x) ? (whole + 1.0) : whole;
}
""",
    "round": """\
/* The nearest whole number, halves away from 0. */
static inline double own_round(double x)
{
    const double whole = own_trunc(x);
    return (own_fabs(x - whole) >= 0.5) ? (whole + own_copysign(1.0, x)) : whole;
}
""",
    "sqrt": """\
/* The square root, correctly rounded: by the processor where it has one for doubles, else bit by bit. */
{by_processor}#else
static double own_sqrt(double x)
{
    const unsigned long long bits = bits_of(x);
    unsigned long long fraction = bits & 0x000fffffffffffffULL;
    unsigned long long root = 0, rest = 0;
    int exponent = (int)((bits >> 52) & 0x7ffULL);
    int i;
    if ((x == 0.0) || (x != x)) {
        return x;
    }
    if ((bits >> 63) != 0) {
        return (x - x) / (x - x);
    }
    if (exponent == 0x7ff) {
        return x;
    }
    if (exponent == 0) {                /* below the normal numbers */
        exponent = 1;
        for (i = 0; (i < 52) && ((fraction & 0x0010000000000000ULL) == 0); i += 1) {
            fraction <<= 1;
            exponent -= 1;
        }
    } else {
        fraction |= 0x0010000000000000ULL;
    }
    exponent -= 1075;                   /* x = fraction 2^exponent, which is to be even */
    if ((exponent & 1) != 0) {
        fraction <<= 1;
        exponent -= 1;
    }
    for (i = 53; i >= 0; i -= 1) {      /* 54 digits of the root: of the last one it is rounded */
        rest = (rest << 2) | ((i >= 27) ? ((fraction >> (2 * (i - 27))) & 3ULL) : 0ULL);
        root <<= 1;
        if (rest >= ((root << 1) | 1ULL)) {
            rest -= (root << 1) | 1ULL;
            root |= 1ULL;
        }
    }
    root = (root + 1) >> 1;             /* no root ends with a half */
    return from_bits(((unsigned long long)((exponent / 2) + 1049) << 52) + (root - 0x0010000000000000ULL));
}
#endif
""",
}
_SQUARE_ROOTS = (
    ("__SSE2__", "", "sqrtsd %1, %0", "x"),
    ("__aarch64__", "", "fsqrt %d0, %d1", "w"),
    ("__ARM_FP", "(__ARM_FP & 8)", "vsqrt.f64 %P0, %P1", "w"),
    ("__riscv_flen", "(__riscv_flen >= 64)", "fsqrt.d %0, %1", "f"),
)
"""Which processors have an instruction for it: what compilers define there, the instruction, its registers."""
_BY_PROCESSOR = """\
#{0}if defined(__GNUC__) && defined({1}){2} && !defined(KEELBLOCKS_SOFT)
static inline double own_sqrt(double x)
{{
    double root;
    __asm__("{3}" : "={4}"(root) : "{4}"(x));
    return root;
}}
"""
_TEXTS["sqrt"] = _TEXTS["sqrt"].replace(
    "{by_processor}",
    "".join(
        _BY_PROCESSOR.format("el" if number else "", macro, more and f" && {more}", instruction, register)
        for number, (macro, more, instruction, register) in enumerate(_SQUARE_ROOTS)
    ),
)
_NEEDS = {"floor": ("trunc",), "ceil": ("trunc",), "round": ("trunc", "fabs", "copysign")}
_CODE = re.compile(rf'/\*.*?\*/|"[^"\n]*"|\b({"|".join(_TEXTS)})(?=\()|\b(INFINITY|NAN)\b', re.S)


def with_own_arithmetic(text: str) -> tuple[str, str]:
    """C that calls these functions instead of the C library's; and the functions that it takes."""
    used: set[str] = set()

    def own(match: re.Match[str]) -> str:
        if match[1]:
            used.add(match[1])
            return f"own_{match[1]}"
        if match[2]:
            used.add(match[2])
            return f"OWN_{match[2]}"
        return match[0]

    changed = _CODE.sub(own, text)
    wanted = used | {other for name in used for other in _NEEDS.get(name, ())}
    own_text = "\n".join([_BITS, *(text for name, text in _TEXTS.items() if name in wanted)])
    if "INFINITY" in used:
        own_text += "\n#define OWN_INFINITY from_bits(0x7ff0000000000000ULL)\n"
    if "NAN" in used:
        own_text += "\n#define OWN_NAN from_bits(0x7ff8000000000000ULL)\n"
    return changed, own_text
