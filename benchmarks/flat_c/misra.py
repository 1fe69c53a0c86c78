"""What cppcheck finds in C for controllers by the rules of MISRA C:2012: how often, by rule.

    python -m benchmarks.flat_c.misra

Needs cppcheck with its add-on: apt-get install cppcheck. The texts of the rules are MISRA's and not here;
docs/flat_c.md says why each is not kept.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.flat_c import mission
from benchmarks.report import arguments, show

_FINDING = re.compile(r"\[misra-c2012-(\d+\.\d+)\]")


def findings(folder: Path, name: str) -> Counter[str]:
    """How often each rule is found broken. Raises RuntimeError if cppcheck fails."""
    command = ["cppcheck", "--addon=misra", "--std=c99", "--enable=style", "--quiet", f"{name}.c"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[:1000])
    return Counter(_FINDING.findall(done.stderr))


def main() -> int:
    """Find and print."""
    options = arguments(__doc__).parse_args()
    if shutil.which("cppcheck") is None:
        print("this needs cppcheck: apt-get install cppcheck", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        found = findings(mission.write(Path(scratch)), mission.NAME)
    order = sorted(found, key=lambda rule: [int(n) for n in rule.split(".")])
    figures = {f"rule {rule}": {"value": found[rule], "unit": ""} for rule in order}
    figures["all of them"] = {"value": sum(found.values()), "unit": ""}
    show("Minerva's autopilot in C, by MISRA C:2012", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
