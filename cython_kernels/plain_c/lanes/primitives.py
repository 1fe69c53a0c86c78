"""What lanes have of the C library, and what kernels take from beside it."""

from __future__ import annotations

from dataclasses import replace

from cython_kernels.plain_c.lanes.emission import Emission
from cython_kernels.plain_c.lanes.types import INT, MASK, VOID, D, NotLaned, pointer, whole
from cython_kernels.plain_c.lanes.values import E, as_double, as_mask, as_whole, to_lane

_FLOATS = {
    "sqrt": "kl_sqrt", "floor": "kl_floor", "ceil": "kl_ceil", "trunc": "kl_trunc", "fabs": "kl_fabs",
    "round": "kl_round",
}  # fmt: skip


def primitive(name: str, arguments: list[E]) -> E | None:
    """A call of what lanes have of their own; None if it is none. Raises NotLaned where it cannot be for several."""
    first = arguments[0] if arguments else E("0", INT)
    lane = any(e.lane for e in arguments)
    if name in _FLOATS:
        e = as_double(first)
        return E(f"{_FLOATS[name]}({e.text})" if lane else f"{name}({e.text})", e.type)
    if name in ("isfinite", "isnan"):
        if lane:
            return E(f"kl_{name}({first.text})", MASK, truth=True)
        return E(f"({name}({first.text}) != 0)", INT, truth=True)
    if name == "copysign":
        if lane:
            return E(f"kl_copysign({', '.join(to_lane(as_double(e)) for e in arguments)})", D.laned())
        return E(f"copysign({', '.join(e.text for e in arguments)})", D)
    if name == "kb_bits_of":
        return E(f"((VI){first.text})" if lane else f"kb_bits_of({first.text})",
                 replace(whole("unsigned long long"), lane=lane))  # fmt: skip
    if name == "kb_from_bits":
        return E(f"((VD){first.text})" if lane else f"kb_from_bits({first.text})", replace(D, lane=lane))
    if name == "kb_choice" and lane:
        a, b = (to_lane(as_double(e)) for e in arguments[1:])
        return E(f"kl_seld({as_mask(first)}, {a}, {b})", D.laned())
    if name == "kb_digits_of_two_over_pi" and lane:
        return E(f"kl_digits_of_two_over_pi({to_lane(as_whole(first))})", whole("unsigned long long").laned())
    if name == "kb_keep":
        if lane:
            raise NotLaned("a table at an address per member")
        return E(f"kl_keep({first.text})", pointer(D))
    return None


def memory(emission: Emission, name: str, arguments: list[E]) -> E:
    """memcpy, or memset to 0, of whole vectors. Raises NotLaned for what is no such."""
    to, source, size = arguments
    if size.lane:
        raise NotLaned(f"{name} of a count per member")
    if to.lane or (name == "memcpy" and source.lane):
        raise NotLaned(f"{name} at an address per member")
    if name == "memset" and source.text not in ("0", "'\\0'"):
        raise NotLaned("memset to what is not 0")
    mask = emission.mask
    emission.needs_mask = True
    kinds = [e.type.of for e in (to, source) if e.type.kind == "p" and e.type.of is not None]
    if any(kind.kind == "p" for kind in kinds):
        raise NotLaned(f"{name} of pointers")
    if mask is not None and any(kind.kind == "s" for kind in kinds):
        raise NotLaned(f"{name} of a struct of some members only")
    if name == "memcpy" and [(kind.kind, kind.lane) for kind in kinds] == [("d", True), ("i", False)]:
        if "sizeof(VD)" not in size.text:
            raise NotLaned("memcpy of doubles among whole numbers, not counted as doubles")
        return E(f"kl_spread({mask or 'KL_ALL'}, {to.text}, {source.text}, {size.text})", VOID)
    for e in (to, source):
        if e.type.of is not None and e.type.of.kind == "i" and not e.type.of.lane:
            emission.hold_lanes(e.array)
        if e.type.of is not None and e.type.of.kind == "d" and not e.type.of.lane:
            raise NotLaned(f"{name} of numbers that all have in common")
    if mask is None:
        return E(f"{name}({to.text}, {source.text}, {size.text})", VOID)
    if name == "memcpy":
        return E(f"kl_copy({mask}, {to.text}, {source.text}, {size.text})", VOID)
    return E(f"kl_clear({mask}, {to.text}, {size.text})", VOID)
