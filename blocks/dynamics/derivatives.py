"""Hydrodynamic derivatives in words, {X_uu: …, Y_vvr: …, N_|v|r: …}, and the rows of numbers of them for kernels."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError, near_misses, shown
from blocks.model.declare import REQUIRED, Value
from blocks.model.text_parameter import WordsParameter

SYSTEMS = ("SI", "prime_I", "prime_II", "bis")
"""The systems that derivatives are published in, in the order of cython_kernels/mathematics/monomials.pxd."""
AXES = "XYKN"
FACTORS = ("u", "v", "p", "r", "phi", "beta", "delta", "n")
"""What may stand in a product, in the order of the kernel's places from 1; magnitudes have those from 9."""
COLUMNS = 14
ORDER = 3
_SHORT = {"φ": "phi", "b": "beta", "β": "beta", "d": "delta", "δ": "delta", "ζ": "z", "zeta": "z", "*": "0"}
_TOKEN = re.compile(
    r"(?P<rate>[uvpr])_?dot|(?P<magnitude>\|[^|]+\|)|\((?:z|zeta|ζ)-(?P<beyond>\d+(?:\.\d+)?|\.\d+)\)"
    r"|(?P<factor>phi|beta|delta|zeta|[uvprnbdzcφβδζ0*])"
)
_WRITTEN = {"beta": "b", "delta": "d"}
_FLOW = 17


@dataclass(frozen=True)
class Term:
    """One derivative: its axis, what its coefficient is multiplied by, and the coefficient."""

    name: str
    axis: str
    factors: tuple[str, ...] = ()
    """Names of `FACTORS`, those of magnitudes between bars."""
    flow: bool = False
    """Times c²."""
    depth: int = 0
    beyond: float = 0.0
    """Times (ζ - beyond) to this power."""
    acceleration: str = ""
    """u, v, p or r: what it is multiplied by is the rate of change of that."""
    coefficient: float = 0.0

    @property
    def variables(self) -> set[str]:
        """What of `FACTORS` it hangs on."""
        return {factor.strip("|") for factor in self.factors}

    @property
    def places(self) -> tuple[int, int, int, int]:
        """Of its factors in the kernel's list; accelerations are apart from that."""
        if self.acceleration:
            return (FACTORS.index(self.acceleration) + 1, 0, 0, 0)
        found = [
            FACTORS.index(factor.strip("|")) + 1 + (len(FACTORS) if factor[0] == "|" else 0) for factor in self.factors
        ]
        first, second, third = [*found, 0, 0, 0][:3]
        return (first, second, third, _FLOW if self.flow else 0)


def read_term(name: str, coefficient: float, where: str) -> Term:
    """What a derivative's name means. Raises ParameterError."""
    plain = name.translate(str.maketrans("", "", "{} '"))
    axis, rest = plain[:1], plain[1:].removeprefix("_")
    if axis not in AXES or not rest or not axis:
        raise _unknown(name, where, f"it begins with the force or moment, {', '.join(AXES)}")
    factors: list[str] = []
    constant, flows, beyond, accelerations, at = False, 0, list[float](), "", 0
    while at < len(rest):
        token = _TOKEN.match(rest, at)
        if token is None:
            raise _unknown(name, where, f"'{rest[at:]}' stands for nothing")
        at = token.end()
        if token["rate"]:
            accelerations += token["rate"]
        elif token["magnitude"]:
            factors += [f"|{one}|" for one in _within(token["magnitude"][1:-1], name, where)]
        elif token["beyond"]:
            beyond.append(float(token["beyond"]))
        else:
            factor = _SHORT.get(token["factor"], token["factor"])
            if factor == "0":
                constant = True
            elif factor == "z":
                beyond.append(0.0)
            elif factor == "c":
                flows += 1
            else:
                factors.append(factor)
    if flows not in (0, 2):
        raise ParameterError(f"{where}: {name}: the speed c of the flow at the rudder comes as its square, cc")
    if len(factors) > ORDER:
        raise ParameterError(
            f"{where}: {name} is of order {len(factors)}, and polynomials here go to the third: velocities and angles "
            f"count, ζ and cc do not"
        )
    if len(set(beyond)) > 1:
        raise ParameterError(f"{where}: {name}: depth comes as a power of ζ or of one ζ less a number: zz, or (z-0.8)")
    acceleration, depth = accelerations[:1], len(beyond)
    if acceleration and (factors or constant or flows or len(accelerations) > 1):
        raise ParameterError(f"{where}: {name}: an added mass is multiplied by nothing but ζ: {axis}_{acceleration}dot")
    if acceleration and (axis == "X") != (acceleration == "u"):
        raise ParameterError(
            f"{where}: {name}: surge has X_udot alone, and sway, roll and yaw have Y, K and N by vdot, pdot and rdot"
        )
    ordered = sorted(factors, key=lambda factor: (factor[0] == "|", FACTORS.index(factor.strip("|"))))
    term = Term("", axis, tuple(ordered), bool(flows), depth, max(beyond, default=0.0), acceleration, coefficient)
    return replace(term, name=_name(term))


def _within(text: str, name: str, where: str) -> list[str]:
    """The factors between two bars."""
    found, at = [], 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        factor = _SHORT.get(token["factor"], token["factor"]) if token and token["factor"] else ""
        if token is None or factor not in FACTORS:
            raise _unknown(name, where, f"'|{text}|' is no magnitude")
        at = token.end()
        found.append(factor)
    return found


def _name(term: Term) -> str:
    """How a term is written: X_uu, N_|v|r, Y_vdotz."""
    if term.acceleration:
        product = f"{term.acceleration}dot"
    else:
        product = "cc" * term.flow + "".join(
            f"|{_WRITTEN.get(one.strip('|'), one.strip('|'))}|" if one[0] == "|" else _WRITTEN.get(one, one)
            for one in sorted(term.factors, key=lambda factor: factor[0] != "|")
        )
    depth = f"(z-{term.beyond:g})" * term.depth if term.beyond else "z" * term.depth
    return f"{term.axis}_{product or '0'}{depth}"


_COMMON = tuple(
    f"{axis}_{product}"
    for axis in AXES
    for product in (
        "0", "u", "v", "r", "p", "phi", "d", "uu", "uuu", "uv", "ur", "up", "vv", "vr", "rr", "vvv", "vvr", "vrr",
        "rrr", "|v|v", "|v|r", "|r|v", "|r|r", "|u|u", "|u|v", "|u|r", "|p|p", "vdot", "rdot", "pdot", "udot", "dd",
        "ddd", "ud", "vd", "vvd", "vdd", "rd", "vphi", "vphiphi", "rphiphi", "phiphi", "phiphiphi",
    )
)  # fmt: skip
"""Names that are met, for near misses."""


def _unknown(name: str, where: str, why: str) -> ParameterError:
    near = near_misses(name, _COMMON)
    return ParameterError(
        f"{where} has no derivative '{name}': {why}. A name is a force or moment and what the coefficient is "
        f"multiplied by, such as X_uu, Y_vvr, N_|v|r, K_phi, Y_vdot",
        code="unknown-key",
        wrong=name,
        valid=near or None,
    )


@lru_cache(maxsize=256)
def terms_of(text: str) -> tuple[Term, ...]:
    """The terms that a value means."""
    return tuple(read_term(name, number, "derivatives") for name, number in json.loads(text).items())


@lru_cache(maxsize=256)
def rows_of(text: str) -> tuple[NDArray[np.float64], int]:
    """The table of a value, a row for each product with its coefficients in X, Y, K and N and their numbers in the set,
    accelerations last, and how many rows come before these."""
    products: dict[tuple[float, ...], list[float]] = {}
    accelerations: dict[tuple[float, ...], list[float]] = {}
    for number, term in enumerate(terms_of(text)):
        key = (*map(float, term.places), float(term.depth), term.beyond)
        row = (accelerations if term.acceleration else products).setdefault(key, [0.0] * 8)
        axis = AXES.index(term.axis)
        row[axis], row[4 + axis] = term.coefficient, float(number)
    if not products:
        products[0.0, 0.0, 0.0, 0.0, 0.0, 0.0] = [0.0] * 8
    table = [[*key, *row] for rows in (products, accelerations) for key, row in rows.items()]
    return np.array(table, dtype=np.float64), len(products)


class DerivativesParameter(WordsParameter):
    """A set of derivatives in words. Factors that stand in `factors` are allowed in it, added masses in `inertia`."""

    def __init__(self, factors: tuple[str, ...], elsewhere: str, *, inertia: bool, flow: bool) -> None:
        super().__init__(
            REQUIRED, doc="coefficients by name, {X_uu: …, Y_vvr: …, N_|v|r: …}, in `system`; factorials are in them"
        )
        self.shape, self.structural, self.fixed = ("n", COLUMNS), True, ""
        self.factors, self.elsewhere, self.inertia, self.flow = factors, elsewhere, inertia, flow

    def read(self, value: Any, where: str) -> Value:
        """`value` with names as they are written here. Raises ParameterError."""
        given = _as_mapping(value, where, self.form())
        found: dict[str, float] = {}
        said: dict[str, str] = {}
        for name, number in given.items():
            term = read_term(str(name), _coefficient(number, f"{where}.{name}"), where)
            strange = sorted(term.variables - set(self.factors))
            if strange or (term.acceleration and not self.inertia) or (term.flow and not self.flow):
                what = f"'{strange[0]}'" if strange else "an acceleration" if term.acceleration else "the flow cc"
                raise ParameterError(f"{where}: {name}: {what} does not count here; {self.elsewhere}")
            if term.name in found:
                raise ParameterError(f"{where} has {term.name} twice, as {said[term.name]} and as {name}")
            found[term.name], said[term.name] = term.coefficient, str(name)
        if not found:
            raise ParameterError(f"{where} must be {self.form()}, not empty")
        return json.dumps(found)

    def form(self) -> str:
        """What a value looks like, in words."""
        return "derivatives by name, such as {X_uu: -0.0011, Y_v: -0.0116}"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "str | Mapping[str, float]"

    def schema(self) -> dict[str, Any]:
        """The JSON schema of what may be given."""
        return {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": "^[XYKN]"},
            "additionalProperties": {"type": ["number", "string"]},
        }

    def encode(self, value: Value, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The rows of the table."""
        return rows_of(str(value))[0].reshape(-1)


def _as_mapping(value: Any, where: str, form: str) -> Mapping[Any, Any]:
    if isinstance(value, str):
        with contextlib.suppress(json.JSONDecodeError):
            value = json.loads(value)
    if not isinstance(value, Mapping):
        raise ParameterError(f"{where} must be {form}, not {shown(value)}")
    return value


def _coefficient(value: Any, where: str) -> float:
    try:
        if isinstance(value, bool):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{where} must be a plain number in the system of the set, not {shown(value)}") from None
    if not math.isfinite(number):
        raise ParameterError(f"{where} must be finite, not {shown(value)}")
    return number
