"""Whether a plan gives the same numbers everywhere: how many of each run differ from those of this Python, by judge.

Plans of the examples are run by every compiler, C library, system and processor that this machine can take; numbers are
compared by their bits. Judges that are not there are named, with what to install. The exit status is 1 if any number
differs or a judge fails, 2 if none was run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.report import machine
from benchmarks.same_bits.cases import cases
from benchmarks.same_bits.job import Answer, Job, compare, run_here
from benchmarks.same_bits.judges import Judge, JudgeError, judges
from benchmarks.same_bits.program import CompilerError, engine_for


def main(arguments: list[str] | None = None) -> int:
    """Run the judges and print what they found."""
    options = _parser().parse_args(arguments)
    found = {"machine": machine(), "cases": {}, "judges": {}}
    jobs = [make() for make in cases().values()]
    expected = [run_here(job) for job in jobs]
    found["cases"] = {name: len(one.numbers) for name, one in zip(cases(), expected, strict=True)}
    if not options.json:
        print(f"{found['machine']}: {sum(len(one.numbers) for one in expected):,} numbers of {len(jobs)} runs")
    with tempfile.TemporaryDirectory(prefix="same_bits") as scratch:
        Path(scratch, "engine.c").write_text(engine_for(jobs), encoding="utf-8")
        for number, judge in enumerate(options.only):
            if sys.stderr.isatty():
                print(
                    f"\r\x1b[K{number + 1} of {len(options.only)}: {judge.name} …", end="", file=sys.stderr, flush=True
                )
            said = heard(judge, jobs, expected, Path(scratch, "engine.c"))
            found["judges"][judge.name] = said
            if sys.stderr.isatty():
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            if not options.json:
                print(line(judge.name, said), flush=True)
    if options.json:
        json.dump(found, sys.stdout, indent=2)
        print()
    all_said = found["judges"].values()
    if not any("cases" in said for said in all_said):
        return 1 if any("failed" in said for said in all_said) else 2
    return int(any(said.get("differ", 0) or "failed" in said for said in all_said))


def heard(judge: Judge, jobs: list[Job], expected: list[Answer], engine_c: Path) -> dict[str, Any]:
    """What a judge found, as JSON has it: the differences of each case, or why there are none."""
    if missing := judge.missing():
        return {"not run": missing}
    try:
        with tempfile.TemporaryDirectory(dir=engine_c.parent) as own:
            answers = judge.answers(jobs, engine_c, Path(own))
    except (JudgeError, CompilerError) as problem:
        return {"failed": str(problem)}
    found = [compare(one, other) for one, other in zip(expected, answers, strict=True)]
    return {
        "version": judge.version(),
        "differ": sum(one.count for one in found),
        "of": sum(one.of for one in found),
        "cases": {name: asdict(one) for name, one in zip(cases(), found, strict=True)},
    }


def line(name: str, said: dict[str, Any]) -> str:
    """A judge and what it found, for people."""
    if "not run" in said:
        return f"{name:30s} not run, it needs {said['not run']}"
    if "failed" in said:
        return f"{name:30s} FAILED: {said['failed']}"
    differing = [
        f"\n    {case}: {one['count']:,} of {one['of']:,}, at most by {one['worst']:.2g}"
        for case, one in said["cases"].items()
        if one["count"]
    ]
    return f"{name:30s} {said['differ']:>9,} differ   {said['version']}{''.join(differing)}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.same_bits", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    known = dict.fromkeys(word for judge in judges() for word in judge.words)
    parser.add_argument(
        "--only", type=_chosen, default=judges(), metavar="WORDS", help=f"judges of these: {', '.join(known)}"
    )
    return parser


def _chosen(text: str) -> list[Judge]:
    everyone = judges()
    known = dict.fromkeys(word for judge in everyone for word in judge.words)
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            raise argparse.ArgumentTypeError(f"there is no judge '{word}'; there are {', '.join(known)}")
    return [judge for judge in everyone if any(word in judge.words for word in words)]


if __name__ == "__main__":
    sys.exit(main())
