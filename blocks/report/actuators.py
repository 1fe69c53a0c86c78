"""Thrusters, rudders and sails over time, as a run recorded them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks import style
from blocks.block import Block
from blocks.model.given import differs
from blocks.plan.flatten import Feed
from blocks.report.references import recorded
from blocks.run.result import Result

Array = NDArray[np.float64]

_ANGLES = ("azimuth", "angle")


@dataclass(frozen=True)
class Lane:
    """One thruster, rudder or sail: what it did, and what was wanted of it, if that was recorded in the same unit."""

    label: str
    unit: str
    values: Array
    wanted: Array | None


def lanes(result: Result, blocks: Mapping[str, Block], feeds: dict[str, dict[str, Feed]]) -> list[Lane]:
    """A lane for each thruster of each block that was recorded: shaft speed, or thrust where it has none, and angle.

    A `full_speed` that nobody gave is that of a thruster whose shaft speed is not known: thrust, then.
    """
    drives = {
        name: block for name, block in blocks.items()
        if "command" in block.input_ports and {"force", "speed", "thrust", *_ANGLES} & set(block.output_ports)
        and "force" in block.output_ports and any(f"{name}.{port}" in result for port in block.output_ports)
    }  # fmt: skip
    found: list[Lane] = []
    for name, block in drives.items():
        own = name.rpartition(".")[2].replace("_", " ")
        ports = list(_shown(result, name, block))
        for port in ports:
            wanted = next(
                (w for w in ("command", "angle") if _fits(result, feeds.get(name, {}).get(w), name, port)), ""
            )
            called = [own] * (len(drives) > 1) + ["angle"] * (port in _ANGLES and len(ports) > 1)
            found += _lanes(result, f"{name}.{port}", " ".join(called), feeds[name].get(wanted))
    return found


def _shown(result: Result, name: str, block: Block) -> Iterator[str]:
    """What is shown of a block: what drives, and the angle at which it stands."""
    full = block.all_parameters().get("full_speed")
    known = full is None or differs(block.values["full_speed"], full)
    ports = ("speed", "thrust") if known else ("thrust", "speed")
    driving = [port for port in ports if f"{name}.{port}" in result and port in block.output_ports]
    yield from next(([port] for port in driving if np.ptp(result.values(f"{name}.{port}")) > 0.0), driving[:1])
    yield from [port for port in _ANGLES if f"{name}.{port}" in result and port in block.output_ports][:1]


def _fits(result: Result, feed: Feed | None, name: str, port: str) -> bool:
    """Whether what an input reads was recorded and can stand beside an output."""
    if feed is None or (values := recorded(result, feed)) is None:
        return False
    source = feed.port if feed.block is None else f"{feed.block.name}.{feed.port}"
    units = result.element_units(source)[feed.start : feed.stop]
    return (
        set(units) == set(result.element_units(f"{name}.{port}"))
        and values.size == result.values(f"{name}.{port}").size
    )


def _lanes(result: Result, name: str, block: str, feed: Feed | None) -> Iterator[Lane]:
    table = result.values(name).reshape(len(result), -1)
    given = recorded(result, feed) if feed is not None else None
    wanted = None if given is None else given.reshape(len(result), -1)
    labels = result.labels(name)
    for number, raw in enumerate(result.element_units(name)):
        unit, factor = style.drawn_unit(raw)
        own = labels[number] if labels else str(number + 1) if table.shape[1] > 1 or not block else ""
        yield Lane(
            f"{block} {own}".strip(), unit, factor * table[:, number],
            None if wanted is None else factor * wanted[:, number],
        )  # fmt: skip
