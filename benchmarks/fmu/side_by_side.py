"""The same model as FMUs of several kinds in four tools: time per step, and ratios over hand-written C in that tool.

Every FMU integrates 300 s by Runge-Kutta 4 with a step of 0.02 s, a communication step each, and has to end where the
benchmark model does. Rounds take turns, so that what the machine does besides is shared out, and each takes the
quickest of five runs.
"""

import os
import statistics
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import files
from pathlib import Path

from benchmarks import model
from benchmarks.compiling import c_compiler
from benchmarks.fmu.contenders import Contender, contenders
from benchmarks.fmu.worker import RUNS, TOOLS
from fmu.runtime import fmi_platform
from fmu.runtime.build.runtimes import fmi_headers

STEPS = model.step_count(model.END)
Times = dict[tuple[str, str], list[float]]


def measure(folder: Path, rounds: int) -> Times:
    """Seconds per step by tool and contender, called by its name and number of variables, one for each round."""
    made = [replace(one, name=f"{one.name} ({one.size})") for one in contenders(folder)]
    tools: dict[str, Callable[[Contender], list[float]]] = {"C host": _c_host(folder)}
    tools |= {tool: lambda one, tool=tool: _in_tool(tool, one) for tool in TOOLS}  # type: ignore[misc]
    times: Times = {(tool, one.name): [] for tool in tools for one in made}
    for _ in range(rounds):
        for tool, run in tools.items():
            for one in made:
                seconds, *end = run(one)
                model.check_end_state(f"{one.name} in {tool}", tuple(end))  # type: ignore[arg-type]
                times[tool, one.name].append(seconds / STEPS)
    return times


def table(times: Times) -> str:
    """Microseconds per step, and how many times hand-written C in the same tool; medians."""
    tools = list(dict.fromkeys(tool for tool, _ in times))
    names = list(dict.fromkeys(name for _, name in times))
    lines = [f"{'µs per step (over hand-written C)':44s}" + "".join(f"{tool:>20s}" for tool in tools)]
    for name in names:
        cells = []
        for tool in tools:
            ratios = [a / b for a, b in zip(times[tool, name], times[tool, names[0]], strict=True)]
            cells.append(f"{1e6 * statistics.median(times[tool, name]):9.3f} ({statistics.median(ratios):6.2f})")
        lines.append(f"{name:44s}" + "".join(f"{cell:>20s}" for cell in cells))
    return "\n".join(lines)


def figures(times: Times) -> dict[str, dict[str, object]]:
    """The same for scripts."""
    return {
        f"{name} in {tool}": {"value": 1e6 * statistics.median(seconds), "unit": "µs", "rounds": len(seconds)}
        for (tool, name), seconds in times.items()
    }


def _in_tool(tool: str, one: Contender) -> list[float]:
    return _numbers(
        [sys.executable, "-m", "benchmarks.fmu.worker", tool, str(one.path), str(STEPS), *model.STATE_NAMES]
    )


def _c_host(folder: Path) -> Callable[[Contender], list[float]]:
    """A host in C. PythonFMU does not link Python's library, so that has to be there before."""
    from fmpy import read_model_description

    host = folder / "step_host"
    source = str(Path(__file__).with_name("step_host.c"))
    subprocess.run([*c_compiler(), "-O2", f"-I{fmi_headers()}", source, "-o", str(host), "-ldl"], check=True)

    def run(one: Contender) -> list[float]:
        unpacked = folder / one.path.stem
        if not unpacked.exists():
            with zipfile.ZipFile(one.path) as archive:
                archive.extractall(unpacked)
        described = read_model_description(one.path, validate=False)
        references = {variable.name: str(variable.valueReference) for variable in described.modelVariables}
        library = next((unpacked / "binaries" / fmi_platform()[0]).iterdir())
        command = [
            str(host), str(library), (unpacked / "resources").as_uri(), described.guid, repr(model.STEP), str(STEPS),
            *(references[name] for name in model.STATE_NAMES),
        ]  # fmt: skip
        return min(_numbers(command, preload=one.name.startswith("PythonFMU")) for _ in range(RUNS))

    return run


def _numbers(command: list[str], *, preload: bool = False) -> list[float]:
    """What a process prints."""
    libraries = {str(Path(file.locate()).resolve().parent) for file in files("tbb") or [] if file.match("libtbb.so*")}
    environment = os.environ | {"LD_LIBRARY_PATH": os.pathsep.join(sorted(libraries))}  # of Ecos, which asks for it
    if preload:
        python = Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LDLIBRARY"))
        paths = [path for path in sys.path if path.endswith("site-packages")]
        environment |= {"LD_PRELOAD": str(python), "PYTHONPATH": os.pathsep.join(paths), "PYTHONHOME": sys.base_prefix}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise model.BenchmarkError(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return [float(line) for line in done.stdout.split()]
