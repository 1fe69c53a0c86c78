"""The C of FMUs by every compiler that buildDescription.xml names: compiled with a host, run, and compared bit by bit.

Minerva's mission for 20 s, of both versions of FMI; the measure is the binary in the same FMU. Prints the table of
docs/platforms.md. What is not installed is named, with the package that brings it.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.compilers.trying import COMPILERS, Sources, command_of, packages_for, runner_of, version_of
from benchmarks.report import arguments

_RUNS_IN = {
    "x86_64-w64-mingw32-gcc": "Windows: wine", "emcc": "WebAssembly: Node",
    "arm-none-eabi-gcc": "Cortex-M4, no system: QEMU",
}  # fmt: skip


def main() -> int:
    """Try all and print; 1 if a number differs or a compiler refuses."""
    options = arguments(__doc__).parse_args()
    rows, failed = {}, 0
    with tempfile.TemporaryDirectory() as scratch:
        tried = [Sources.export(Path(scratch), fmi) for fmi in ("2.0", "3.0")]
        for compiler in COMPILERS:
            if not command_of(compiler) or runner_of(compiler) is None:
                print(f"{compiler.command}: not tried, it is not here: {packages_for(compiler)}", file=sys.stderr)
                continue
            results = []
            for sources in tried:
                try:
                    differing = sources.differing(sources.run(compiler, sources.compile(compiler)))
                    results.append("same bits" if differing == 0 else f"{differing} of {sources.expected.size} differ")
                except RuntimeError as problem:
                    results.append(str(problem))
            failed += any(result != "same bits" for result in results)
            where = _RUNS_IN.get(compiler.command, "this machine")
            rows[compiler.command] = [version_of(compiler), where, "no" if compiler.no_files else "yes", *results]
    if options.json:
        import json

        print(json.dumps(rows, indent=2))
    else:
        print("| compiler | version | runs in | files | FMI 2.0 | FMI 3.0 |\n|---|---|---|---|---|---|")
        for name, row in rows.items():
            print(f"| `{name}` | {' | '.join(row)} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
