"""What the FMI front door adds to a step of the engine.

A C host without Python steps an FMU and the same plan in the engine by turns: of FMI 2.0 and 3.0, ordinary and compiled
for the one model, each beside the engine that is in it. Valgrind, where it is, counts the instructions of both.
"""

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import fmu
from benchmarks import model
from benchmarks.compiling import c_compiler, run_compiler
from benchmarks.fmu.contenders import six_states
from benchmarks.report import arguments, show
from blocks import Diagram
from blocks.basic import Constant, Integrator
from blocks.compiled.flags import flags as compiled_flags
from blocks.compiled.source import engine_of
from blocks.compiled.structure import Structure
from blocks.plan import Plan, make_plan
from blocks.plan.kernel import kernel_name
from cython_kernels.plain_c.engine_parts import EngineC
from fmu.runtime import ENGINE_C, fmi_platform
from fmu.runtime.build.runtimes import FLAGS, fmi_headers
from fmu.runtime.c_files import WIDE_PATHS

HOST = Path(__file__).with_name("boundary_host.c")
STEPS, ROUNDS = 5000, 100
COUNTED = 2000
"""Steps of which Valgrind counts the instructions."""


def integrator() -> Diagram:
    """The least that has a state: the engine takes so little that what the door adds can be told."""
    diagram = Diagram("integrator")
    diagram.add("rate", Constant(1.0))
    diagram.add("position", Integrator())
    diagram.connect("rate.y", "position.u")
    diagram.outputs(x="position.y")
    return diagram


MODELS: dict[str, Callable[[], Diagram]] = {"benchmark model": six_states, "an integrator": integrator}
KINDS = tuple((fmi, compiled) for compiled in (False, True) for fmi in ("2.0", "3.0"))


def kind(fmi: str, compiled: bool) -> str:
    """What one is called."""
    return f"FMI {fmi}{', compiled' if compiled else ''}"


class Boundary:
    """An FMU for this machine, unpacked, and its host, in a new folder."""

    def __init__(self, component: Diagram, fmi: str, compiled: bool, folder: Path) -> None:
        from fmpy import read_model_description

        folder.mkdir(parents=True)
        path = fmu.export(
            component, folder / "model.fmu", step=model.STEP, fmi=fmi, compiled=compiled,
            platforms=None if compiled else [fmi_platform()[0]],
        )  # fmt: skip
        self.unpacked = folder / "unpacked"
        with zipfile.ZipFile(path) as content:
            content.extractall(self.unpacked)
        description = read_model_description(str(path), validate=False)
        plan = make_plan(component, wanted=list(component.output_ports), step=model.STEP, solver="rk4")
        self.library = next(self.unpacked.glob("binaries/*/*"))
        self.resources = self.unpacked / "resources"
        self.arguments = [
            self.resources.as_uri() if fmi == "2.0" else f"{self.resources}/",
            str(self.resources / "plan.bin"),
            description.guid if fmi == "2.0" else description.instantiationToken,
            repr(model.STEP),
        ]
        reference = next(v.valueReference for v in description.modelVariables if v.name == "x")
        self.value = [str(reference), str(plan.external_outputs["x"].first)]
        Path(folder, "engine.c").write_text(_engine(plan, compiled), encoding="utf-8")
        self.host = folder / "host"
        flags = [flag for flag in compiled_flags() if not flag.startswith("-m")] if compiled else FLAGS
        includes = [f"-I{place}" for place in (folder, HOST.parent, WIDE_PATHS.parent, fmi_headers())]
        version = f"-DFMI_VERSION={fmi[0]}"
        run_compiler([*c_compiler(), *flags, version, *includes, str(HOST), "-o", str(self.host), "-ldl", "-lm"])

    def command(self, steps: int, rounds: int) -> list[str]:
        """What runs the host."""
        return [str(self.host), str(self.library), *self.arguments, str(steps), str(rounds), *self.value]

    def times(self, rounds: int) -> list[tuple[float, float, float]]:
        """(ns per doStep, ns per step in the engine, ns per value that is read) of each round."""
        done = subprocess.run(self.command(STEPS, rounds), check=True, stdout=subprocess.PIPE, text=True)
        return [tuple(map(float, line.split())) for line in done.stdout.splitlines()]  # type: ignore[misc]

    def instructions(self, function: str) -> float:
        """Per step, within a function and what it calls."""
        counts = self.host.with_name("counts")
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", "--collect-atstart=no",
             f"--toggle-collect={function}", *self.command(COUNTED, 1)],
            check=True, capture_output=True,
        )  # fmt: skip
        found = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(encoding="utf-8"), re.M)
        return int(found[1]) / COUNTED if found else float("nan")


def _engine(plan: Plan, compiled: bool) -> str:
    """The engine that is in the FMU."""
    if compiled:
        return engine_of(Structure(plan.stored))
    return EngineC(ENGINE_C.read_text(encoding="utf-8")).only({kernel_name(leaf.block) for leaf in plan.flat.leaves})


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """All figures, each with the middle half of its rounds. The rounds of all kinds take turns in tens."""
    figures: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        for called, made in MODELS.items():
            doors = {kind(*one): Boundary(made(), *one, Path(name, called, kind(*one))) for one in KINDS}
            times: dict[str, list[tuple[float, float, float]]] = {one: [] for one in doors}
            for _ in range(0, rounds, 10):
                for one, door in doors.items():
                    times[one] += door.times(min(10, rounds))
            for one, door in doors.items():
                by_step, by_engine, by_get = zip(*times[one], strict=True)
                added = [a - b for a, b in zip(by_step, by_engine, strict=True)]
                start = f"{called}, {one}"
                figures[f"{start}: doStep"] = _middle(by_step)
                figures[f"{start}: engine"] = _middle(by_engine)
                figures[f"{start}: the boundary"] = _middle(added) | {"target": "≤ 5"}
                figures[f"{start}: a value read"] = _middle(by_get)
                if shutil.which("valgrind"):
                    whole, engine = (door.instructions(function) for function in (f"fmi{one[4]}DoStep", "engine_step"))
                    figures[f"{start}: instructions more"] = {"value": whole - engine, "unit": f"of {whole:.0f}"}
    return figures


def _middle(values: Sequence[float]) -> dict[str, Any]:
    """The median, and the quartiles: what interrupts a round of a millisecond is not of interest."""
    least, median, most = statistics.quantiles(values, n=4)
    return {"value": median, "least": least, "most": most, "unit": "ns"}


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    show("The boundary of FMI", measure(options.rounds or ROUNDS), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
