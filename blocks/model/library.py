"""Every block there is, by the name that scenario files use."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from blocks import elsewhere
from blocks.errors import PackageError, did_you_mean, near_misses
from blocks.model.block import FAMILIES, REGISTERED, Block
from blocks.packages import BLOCKS, Offer, offers, say

_loaded: set[Offer] = set()


def library() -> Mapping[str, type[Block]]:
    """See `blocks.block.library`."""
    for family in FAMILIES:
        importlib.import_module(f"blocks.{family}")
    for offer in offers(BLOCKS):
        if offer not in _loaded:
            _loaded.add(offer)
            _load(offer)
    return dict(sorted(REGISTERED.items()))


def block_class(name: str) -> type[Block] | None:
    """See `blocks.block.block_class`."""
    known = library()
    return known.get(name) or known.get(other_names(known).get(name, ""))


def unknown_type(name: str) -> str:
    """What to do about a type that there is none of: what another tool's is here, the nearest, or where others are."""
    known = [*library()]
    if (other := elsewhere.block(name)) and not any(_ends(name) == _ends(ours) for ours in known):
        return other.advice
    if near_misses(name, known):
        return did_you_mean(name, known).removeprefix("; ")
    family = name.partition(".")[0]
    if own := [other for other in known if other.partition(".")[0] == family != name]:
        return did_you_mean(name, own).removeprefix("; ")
    of = family if "." in name else "my_blocks"
    return (
        f"`keelblocks list` shows those that there are; blocks of a library or module come with libraries: [{of}] in "
        f"the file, or with keelblocks --import {of}"
    )


def _ends(name: str) -> str:
    return name.rpartition(".")[2].lower()


def other_names(blocks: Mapping[str, type[Block]]) -> dict[str, str]:
    """Further names that types may have in scenario files, and the type that each means."""
    return {other: name for name, cls in blocks.items() for other in vars(cls).get("other_names", ())}


def _load(offer: Offer) -> None:
    """Let a package define its blocks. Those that are there already stay what they are."""
    before = dict(REGISTERED)
    try:
        offer.load()
    except PackageError as problem:
        say(f"{problem}")
    for name, cls in before.items():
        if REGISTERED[name] is not cls:
            REGISTERED[name] = cls
            say(
                f"{offer}: its block {name} is left out, because there is one of that name in {cls.__module__}; give "
                f"blocks of your own a family of your own"
            )
