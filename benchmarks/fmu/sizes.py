"""How large FMUs are: three models, and what their runtime takes of that on each platform.

Platforms that there is no runtime for are left out: `make platforms` builds all.
"""

import sys
import tempfile
from pathlib import Path

import fmu
from benchmarks.report import arguments, show
from benchmarks.sea import diagram as boat_among_waves
from blocks import Block, Diagram
from blocks.control import PID
from blocks.plan.flatten import flatten
from blocks.plan.kernel import kernel_name
from blocks.scenario import Scenario
from fmu import runtime
from fmu.exporting.export import VERSIONS

MISSION = Path(__file__).parents[2] / "examples" / "minerva_los.yaml"
BOTH = ("x86_64-linux", "x86_64-windows")


def models() -> dict[str, Diagram | Block]:
    """What is measured."""
    return {
        "a PID": PID(2.0, 0.5),
        "a boat among waves": boat_among_waves(25, 3),
        "the Minerva mission": Scenario.load(MISSION).diagram,
    }


def measure(folder: Path) -> dict[str, dict[str, object]]:
    """Kilobytes: of whole FMUs of both versions of FMI, and of the libraries in them."""
    built = runtime.platforms()
    sets = {"Linux and Windows": BOTH} if {*BOTH} <= {*built} else {}
    figures: dict[str, float] = {}
    for name, model in models().items():
        for version in VERSIONS:
            for where, platforms in {**sets, f"all {len(built)}" if len(built) > 1 else built[0]: built}.items():
                path = fmu.export(model, folder / "model.fmu", fmi=version, platforms=platforms)
                figures[f"{name}, FMI {version}, {where}"] = path.stat().st_size / 1e3
    for platform in built:
        for name, model in models().items():
            kernels = {kernel_name(leaf.block) for leaf in flatten(model).leaves}
            figures[f"library of {name}, {platform}"] = _deflated(platform, kernels)
        figures[f"library with every kernel, {platform}"] = _deflated(platform, None)
    return {name: {"value": size, "unit": "kB"} for name, size in figures.items()}


def _deflated(platform: str, kernels: set[str] | None) -> float:
    """Kilobytes of a library for FMI 2.0 in the zip."""
    (library,) = runtime.libraries([platform], "2.0", "model", kernels).values()
    return len(library.deflated) / 1e3


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        show("Sizes of FMUs", measure(Path(folder)), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
