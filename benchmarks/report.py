"""How benchmarks say what they measured: a table for people, JSON for scripts."""

import argparse
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser with the options that every benchmark has."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="how often to measure (default: enough)")
    return parser


def over_seeds(description: str | None, seeds: int) -> argparse.ArgumentParser:
    """A parser with the options of what is found over many seeds, and not timed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--seeds", type=_positive, default=seeds, metavar="N", help=f"how many (default: {seeds})")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text}")
    return int(text)


def show(title: str, figures: Mapping[str, Mapping[str, Any]], as_json: bool) -> None:
    """Print figures: per name a value, its unit, and the target if there is one."""
    if as_json:
        json.dump({"machine": machine(), "figures": figures}, sys.stdout, indent=2)
        print()
        return
    print(f"{title}\n{machine()}\n")
    for name, figure in figures.items():
        target = f"   (target: {figure['target']})" if "target" in figure else ""
        spread = f"   [{figure['least']:.3g} … {figure['most']:.3g}]" if "least" in figure else ""
        print(f"{name:58s} {figure['value']:>10.4g} {figure['unit']:8s}{spread}{target}")


def spread(values: Sequence[float], unit: str) -> dict[str, Any]:
    """The median of what was measured several times, with the least and the greatest."""
    return {"value": median(values), "least": min(values), "most": max(values), "unit": unit}


def processor() -> str:
    """What the processor is called, where Linux says so."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "?")


def machine() -> str:
    """What the figures were measured on."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
