"""What the engine asks of the C library's mathematics: nothing but what IEEE 754 makes exact."""

from __future__ import annotations

import re
from pathlib import Path

import lief
import pytest

from cython_kernels import elementary, engine, swarm
from fmu import runtime

EXACT = {
    *("sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "lround", "llround", "lrint", "llrint"),
    *("fmod", "remainder", "copysign", "modf", "frexp", "fdim"),
}
MATHEMATICS = EXACT | {
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2"),
    *("expm1", "fma", "fmax", "fmin", "hypot", "ilogb", "j0", "j1", "jn", "ldexp", "lgamma", "log", "log10", "log1p"),
    *("log2", "logb", "nexttoward", "nextafter", "pow", "remquo", "scalbln", "scalbn", "sin", "sincos", "sinh", "tan"),
    *("tanh", "tgamma", "y0", "y1", "yn", "exp10", "pow10", "roundeven"),
}
"""Functions of <math.h>, and what compilers make of them. fmin and fmax choose either of 0 and -0."""


def _plain(symbol: str) -> str:
    """Of "__pow_finite", "powf", "powl" and "_ZGVbN2v_sin": pow and sin."""
    name = re.sub(r"^_ZGV\w+?_|^__?|_finite$", "", symbol)
    return name if name in MATHEMATICS else name.rstrip("fl")


def _asked(binary: bytes | Path) -> set[str]:
    read = lief.parse(binary if isinstance(binary, bytes) else str(binary))
    assert read is not None
    if isinstance(read, lief.ELF.Binary):  # those without a version, too, which a library of Python's leaves to others
        symbols = [symbol for symbol in read.dynamic_symbols if symbol.shndx == 0]
    elif isinstance(read, lief.PE.Binary):
        symbols = [entry for library in read.imports for entry in library.entries]
    else:
        symbols = [*read.imported_symbols]
    names = {str(symbol.name).partition("@")[0] for symbol in symbols}
    if isinstance(read, lief.MachO.Binary):
        names = {name.removeprefix("_") for name in names}
    assert len(names) > 10, "the list is what it is taken for"
    return {name for name in names if _plain(name) in MATHEMATICS}


@pytest.mark.parametrize("module", [engine, swarm, elementary], ids=lambda module: module.__name__)
def test_extension_modules_ask_for_what_is_exact(module) -> None:
    assert _asked(Path(module.__file__)) - EXACT == set()


@pytest.mark.parametrize("platform", runtime.platforms())
@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_runtimes_ask_for_what_is_exact(platform, version) -> None:
    assert _asked(runtime.binary(platform, version)) - EXACT == set()


def test_the_standalone_c_asks_for_what_is_exact() -> None:
    """Whatever a compiler makes of it: a call that it works out while it compiles counts, too."""
    text = re.sub(r"/\*.*?\*/", "", runtime.ENGINE_C.read_text(encoding="utf-8"), flags=re.S)
    called = {*re.findall(r"\b([a-z]\w*)\(", text)}
    assert {name for name in called if _plain(name) in MATHEMATICS} - EXACT == set()
    assert "sqrt" in called


def test_mathematics_is_recognised_by_any_of_its_names() -> None:
    for symbol in ("sin", "sinf", "powl", "__exp_finite", "_ZGVbN2v_sin", "_sin", "sincos"):
        assert _plain(symbol) in MATHEMATICS, symbol
    for symbol in ("memcpy", "kb_sin", "malloc", "fopen"):
        assert _plain(symbol) not in MATHEMATICS, symbol
