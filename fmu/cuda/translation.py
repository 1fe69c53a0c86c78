"""Flat C as CUDA C++: the same functions, for the device.

Nothing is computed otherwise. Functions and tables get the words that say where they live, square roots are those of
the device, which rounds them correctly, and copies of doubles go by doubles: a device compiler makes loops over bytes
of `memcpy` and `memcmp`.
"""

from __future__ import annotations

import re

_SQUARE_ROOT = re.compile(r"^/\* The square root, correctly rounded: .*?^#endif\n", re.M | re.S)
_DEVICE_SQUARE_ROOT = """\
/* The square root, correctly rounded. */
static inline double own_sqrt(double x)
{
    return __dsqrt_rn(x);
}
"""
_FAULT_TEXT = re.compile(r"^const char \*\w+_fault_text\(.*?^}\n", re.M | re.S)
"""Words stay with the host."""
_TABLE = re.compile(r"^static (const (?:double|int) ([A-Z]+)\[)", re.M)
"""A table of a plan; those within functions are of other types, or indented."""
_RARELY_READ = frozenset({"GIVEN", "INPUTS", "PARAMETERS", "COPIES", "STATES"})
"""At the start or after a fault only. They grow with the plan, and `__constant__` holds 65 536 bytes of a file."""
_CONTRACTED = """\
    case {upper}_CONTRACTED:
        text = "compiled without --fmad=false: the numbers would not be those of a processor";
        break;
    default:
"""
"""What C for controllers has no status for: its compiler finds that out."""
_FUNCTION = re.compile(r"^static (inline )?(?=\w[\w *]*?\b(\w+)\()", re.M)
_OWN_FUNCTION = r"^(?=(?:int|void|double) {name}_\w+\()"
_RARE = re.compile(r"kb_far_\w+|\w+_(?:setup|start)_entry|own_load|own_store")
"""Functions to which the way is rarely taken: once in the code, with registers of their own."""
_COPY = re.compile(r"\bmemcpy\((?=\(values\(s\)|b->y->|model->outputs\.|&model->)")
"""Of doubles; others are of the bits of one number."""
_OFFSET = re.compile(r"^typedef char \w+\[\(offsetof\(.*\n", re.M)
_COPIES = {
    "own_copy": """\
/* Doubles, by their bits. size: in bytes. */
static inline void own_copy(void *to, const void *from, size_t size)
{
    size_t i;
    for (i = 0; i < (size / sizeof(double)); i += 1) {
        ((double *)to)[i] = ((const double *)from)[i];
    }
}

""",
    "own_differ": """\
/* Whether doubles differ in a bit. size: in bytes. */
static inline int own_differ(const void *a, const void *b, size_t size)
{
    size_t i;
    for (i = 0; i < (size / sizeof(double)); i += 1) {
        if (((const unsigned long long *)a)[i] != ((const unsigned long long *)b)[i]) {
            return 1;
        }
    }
    return 0;
}

""",
}


def structs_of(header: str, name: str) -> str:
    """What a header of flat C says of a model: its step, what functions return, its structs."""
    return header[_found(header, f"#define {name.upper()}_STEP ") : _found(header, f"}} {name}_model;\n", end=True)]


def device_code(source: str, name: str) -> str:
    """The functions of a file of flat C, for the device."""
    text = source[_found(source, f"typedef {name}_model Plan;\n") :]
    text = _FAULT_TEXT.sub("", text)
    if "own_sqrt(" in text and not _SQUARE_ROOT.search(text):
        raise ValueError("flat C has another square root: fmu/cuda does not fit fmu/flat_c")
    text = _SQUARE_ROOT.sub(_DEVICE_SQUARE_ROOT, text)
    text = _COPY.sub("own_copy(", text.replace("memcmp(", "own_differ("))
    text = _checks_where_there_is_offsetof(text)
    first = _found(text, "static inline unsigned long long bits_of(")
    copies = "".join(function for called, function in _COPIES.items() if f"{called}(" in text)
    return for_device(text[:first] + copies + text[first:], name)


def for_device(text: str, name: str) -> str:
    """C whose functions and tables are those of the device. What is long or rare is not put into its callers."""
    text = _TABLE.sub(lambda m: f"static {'__device__' if m[2] in _RARELY_READ else '__constant__'} {m[1]}", text)
    text = _FUNCTION.sub(_qualified, text)
    return re.sub(_OWN_FUNCTION.format(name=name), "__device__ ", text, flags=re.M)


def fault_text(source: str, name: str) -> str:
    """The body of the function that tells what is wrong, with `status`, `block` and `fault` for members."""
    found = _FAULT_TEXT.search(source)
    if found is None:
        raise ValueError(f"there is no {name}_fault_text: fmu/cuda does not fit fmu/flat_c")
    body = found[0][found[0].index("{\n") + 2 :].replace("model->failure.", "").replace("model->status", "status")
    body = body.replace("    default:\n", _CONTRACTED.format(upper=name.upper()))
    return f"{{\n    (void)block;\n    (void)fault;\n{body}"


def _qualified(match: re.Match[str]) -> str:
    inline, function = match[1] or "", match[2]
    if not inline or _RARE.fullmatch(function):
        return "static __device__ __noinline__ "
    return f"static __device__ {inline}"


def _checks_where_there_is_offsetof(text: str) -> str:
    checks = _OFFSET.findall(text)
    if not checks:
        return text
    said = "#ifdef offsetof      /* NVRTC has none */\n"
    return text.replace("".join(checks), f"{said}{''.join(checks)}#endif\n")


def _found(text: str, what: str, *, end: bool = False) -> int:
    at = text.find(what)
    if at < 0:
        raise ValueError(f"flat C has no {what.strip()!r}: fmu/cuda does not fit fmu/flat_c")
    return at + len(what) if end else at
