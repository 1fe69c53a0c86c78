"""Two FMUs of a mission in Ecos: in its process, in processes of their own, and over TCP, by Ecos' `proxyfmu`.

That program listens on every interface and asks nobody who he is, so all of this runs in a network of its own, which
has nothing but the loopback (`unshare`, Linux). The exit status is 1 if numbers differ, 2 if it cannot run here.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import fmu
from benchmarks.report import arguments, show
from blocks.scenario import Scenario

MISSION = Path(__file__).parents[2] / "examples" / "minerva_los.yaml"
PORT, STEP = 9090, 0.05
WIRES = {"plant::eta": 6, "plant::nu": 6, "plant::nu_r": 6, "autopilot::command": 5}
PLACES = {
    "in the process of Ecos": "",
    "in processes of their own": "proxyfmu://localhost?file=",
    "over TCP": f"proxyfmu://127.0.0.1:{PORT}?file=",
}
_UP = 0x41  # IFF_UP | IFF_RUNNING
_SIOCSIFFLAGS = 0x8914
_INSIDE = "KEELBLOCKS_OWN_NETWORK"


def found(distribution: str, name: str) -> Path | None:
    """A file of an installed package."""
    try:
        return next((Path(str(f.locate())).resolve() for f in files(distribution) or () if f.name == name), None)
    except PackageNotFoundError:
        return None


def measure(folder: Path, steps: int) -> tuple[dict[str, dict[str, object]], bool]:
    """Time of a step in each place, the least of four parts of a run; whether the vessel ends at the same numbers."""
    from ecospy import EcosLib, EcosSimulation, EcosSimulationStructure

    EcosLib.set_log_level("err")
    mission = Scenario.load(MISSION)
    names = ("plant", "autopilot")
    parts = {name: fmu.export(mission.diagram[name], folder / f"{name}.fmu", step=0.01) for name in names}
    figures: dict[str, dict[str, object]] = {}
    ends = set()
    for place, address in PLACES.items():
        structure = EcosSimulationStructure()
        for name, path in parts.items():
            structure.add_model(name, f"{address}{path}")
        for source, count in WIRES.items():
            model, port = source.split("::")
            sink = {"plant": "autopilot", "autopilot": "plant"}[model]
            for i in range(1, count + 1):
                structure.make_real_connection(f"{source}[{i}]", f"{sink}::{port}[{i}]")
        with EcosSimulation(STEP, structure=structure) as simulation:
            simulation.init()
            spent = []
            for _ in range(4):
                begin = time.perf_counter()
                simulation.step(steps // 4)
                spent.append((time.perf_counter() - begin) / (steps // 4))
            ends.add(tuple(simulation.get_real(f"plant::eta[{i}]") for i in range(1, 7)))
            figures[f"a step of both, {place}"] = {"value": 1e6 * min(spent), "unit": "µs"}
            simulation.terminate()
    return figures, len(ends) == 1


def _in_a_network_of_its_own(folder: Path, steps: int, as_json: bool) -> int:
    """With the loopback up, and `proxyfmu` serving there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP))
    program = folder / "proxyfmu"
    shutil.copy(str(found("ecospy", "proxyfmu")), program)
    program.chmod(0o755)
    os.environ |= {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(folder)}
    ctypes.CDLL(str(found("tbb", "libtbb.so.12")), mode=ctypes.RTLD_GLOBAL)
    os.chdir(folder)  # where Ecos writes its logs
    command = [str(program), "boot", "--port", str(PORT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as booter:
        try:
            assert booter.stdout
            ready = select.select([booter.stdout], [], [], 20.0)[0]
            if not ready or "serving" not in booter.stdout.readline():
                print("proxyfmu does not begin", file=sys.stderr)
                return 2
            figures, same = measure(folder, steps)
            booter.communicate("\n", timeout=10.0)
        finally:
            booter.kill()
    show("Plant and autopilot of the mission, coupled every 0.05 s", figures, as_json)
    print("the same numbers to the last bit" if same else "the numbers differ", file=sys.stderr)
    return 0 if same else 1


def main() -> int:
    """See the top."""
    parser = arguments(__doc__)
    parser.add_argument("--steps", type=int, default=3200, metavar="N", help="how many (default: 3200, the mission)")
    options = parser.parse_args()
    there = {
        "ecospy": found("ecospy", "proxyfmu"), "tbb": found("tbb", "libtbb.so.12"), "unshare": shutil.which("unshare"),
    }  # fmt: skip
    missing = [name for name, path in there.items() if path is None]
    if missing:
        print(f"not run: {', '.join(missing)} is not here (pip install ecospy tbb; util-linux)", file=sys.stderr)
        return 2
    if _INSIDE in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            return _in_a_network_of_its_own(Path(folder), options.steps, options.json)
    command = ["unshare", "--map-root-user", "--net", sys.executable, "-m", "benchmarks.fmu.distributed", *sys.argv[1:]]
    if subprocess.run([*command[:3], "true"], capture_output=True, check=False).returncode:
        print("not run: this system gives nobody a network of his own (unshare --map-root-user --net)", file=sys.stderr)
        return 2
    return subprocess.run(command, env=os.environ | {_INSIDE: "1"}, timeout=120, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
