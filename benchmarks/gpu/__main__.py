"""A million Otters on a GPU: steps of vehicles per second, beside what the card can do; a sample against the engine.

    python -m benchmarks.gpu [--members 1000000] [--steps 1000] [--sample 256]
    python -m benchmarks.gpu --processor --members 200

Each Otter follows seven legs by line of sight (examples/otter_los.yaml, RK4 with 0.05 s) in a current of its own.
Outputs of a sample are compared with those of `Swarm`, to the last bit, at eleven instants; where numbers differ, it
says which and returns 1. `--processor` runs the same source on this processor, compiled as C++: the comparison is the
same, the time says nothing of a GPU. Where there is no GPU, it says so and returns 2.

Not run on a GPU yet: compiled by NVRTC, and the same text run on a processor.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.gpu.card import limits_of
from benchmarks.gpu.comparison import LAUNCHES, Members, differing, sail
from benchmarks.gpu.counting import operations
from benchmarks.gpu.driver import Driver, OnCard
from benchmarks.gpu.nvrtc import found
from benchmarks.gpu.otters import NAME, Otters, by_swarm, otters, parameters, rows_given
from benchmarks.gpu.processor import OnProcessor
from benchmarks.model import BenchmarkError
from benchmarks.report import processor, show
from blocks.errors import KeelblocksError


def measure(
    options: argparse.Namespace, made: Otters, folder: Path
) -> tuple[str, dict[str, dict[str, Any]], list[str]]:
    """Title, figures, and where numbers differ. Raises NoCard where there is no GPU."""
    members, every = options.members, options.steps // LAUNCHES
    sample = np.unique(np.linspace(0, members - 1, min(options.sample, members)).astype(np.int64))
    limits: dict[str, dict[str, Any]] = {}
    if options.processor:
        fleet: Members = OnProcessor(made.source, NAME, made.rows.count, members, folder)
        title = f"{members} Otters one after the other on {processor()}, NOT on a GPU"
    else:
        fleet, title, limits = _on_card(made, members)
    seconds, seen = sail(made, fleet, every, sample)
    wrong = differing(made, seen, by_swarm(sample, members, every, LAUNCHES))
    rate = members * every * LAUNCHES / seconds
    moved = 2.0 * 8.0 * made.rows.count * members * LAUNCHES
    figures = {
        "steps of vehicles per second": _figure(rate, "1/s"),
        "times real time, all of them together": _figure(rate * 0.05, "×"),
        "numbers compared with the engine's": _figure(seen.size, ""),
        "of which differ in a bit": _figure(sum(wrong.values()), ""),
        "steps per launch": _figure(every, ""),
        "memory of a member": _figure(8 * made.rows.count, "bytes"),
        "members to and from memory, once per launch": _figure(moved / seconds / 1e9, "GB/s"),
    }
    return title, figures | _operations(made, rate, folder, limits) | limits, [*wrong]


def _on_card(made: Otters, members: int) -> tuple[OnCard, str, dict[str, dict[str, Any]]]:
    driver = Driver()
    attributes = driver.attributes()
    need, free = 8 * made.rows.count * members, driver.free_bytes()
    if need > free:
        raise BenchmarkError(
            f"{members} members take {need / 1e9:.3g} GB, and {driver.name} has {free / 1e9:.3g} GB free: "
            f"--members {int(0.8 * free / (8 * made.rows.count))}"
        )
    compiler = found(driver.version[0])
    architecture = 10 * attributes["major"] + attributes["minor"]
    if architecture not in compiler.architectures():
        raise BenchmarkError(f"NVRTC {compiler.version} does not compile for sm_{architecture}: take another version")
    code = compiler.compile(made.source, f"{NAME}.cu", f"sm_{architecture}").cubin
    fleet = OnCard(driver, code, NAME, made.rows.count, members)
    registers, local = driver.registers_and_local_bytes(fleet.kernels["step"])
    card = limits_of(attributes)
    limits = {
        "limit: bandwidth of the memory": _figure(card.bandwidth / 1e9, "GB/s"),
        "limit: additions or multiplications of doubles": _figure(card.doubles / 1e9, "10⁹/s"),
        "multiprocessors": _figure(attributes["processors"], ""),
        "registers of a thread": _figure(registers, ""),
        "local memory of a thread": _figure(local, "bytes"),
    }
    version = ".".join(map(str, driver.version))
    return fleet, f"{members} Otters on {driver.name} (sm_{architecture}), driver for CUDA {version}", limits


def _operations(made: Otters, rate: float, folder: Path, limits: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What a step takes, and what of the card that is."""
    few = np.arange(8)
    given = rows_given(made.rows, parameters(few, len(few)))
    try:
        counted = operations(made.source, NAME, made.rows.count, len(few), 200, given, folder)
    except BenchmarkError as problem:
        print(f"Operations are not counted: {problem}", file=sys.stderr)
        return {}
    figures = {f"{kind} per step of a vehicle": _figure(value, "") for kind, value in counted.items()}
    plain = counted["additions"] + counted["multiplications"]
    figures["additions and multiplications per second"] = _figure(plain * rate / 1e9, "10⁹/s")
    if limits:
        limit = limits["limit: additions or multiplications of doubles"]["value"]
        figures["  of the card's limit"] = _figure(100.0 * plain * rate / 1e9 / limit, "%")
    return figures


def _figure(value: float, unit: str) -> dict[str, Any]:
    return {"value": value, "unit": unit}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--members", type=_positive, default=1_000_000, metavar="N", help="how many (default: 1000000)")
    parser.add_argument(
        "--steps", type=_steps, default=1000, metavar="N",
        help=f"of each, of 0.05 s, a multiple of {LAUNCHES} (default: 1000)",
    )  # fmt: skip
    parser.add_argument("--sample", type=_positive, default=256, metavar="N", help="compared (default: 256)")
    parser.add_argument("--processor", action="store_true", help="run the same source on this processor instead")
    return parser.parse_args()


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text}")
    return int(text)


def _steps(text: str) -> int:
    if not text.isdecimal() or int(text) < 1 or int(text) % LAUNCHES:
        raise argparse.ArgumentTypeError(
            f"must be a multiple of {LAUNCHES}, for there are so many launches with as many steps each, not {text}"
        )
    return int(text)


def main() -> int:
    """Measure and print."""
    options = _options()
    try:
        with tempfile.TemporaryDirectory() as folder:
            title, figures, wrong = measure(options, otters(), Path(folder))
    except (BenchmarkError, KeelblocksError) as problem:
        print(f"Error: {problem}", file=sys.stderr)
        return 2
    show(title, figures, options.json)
    if wrong:
        said = "\n  ".join(wrong)
        print(f"Error: numbers differ from the engine's, and why is not known:\n  {said}", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
