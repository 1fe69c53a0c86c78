"""Build the FMU runtime: the FMI front door over the engine, one shared library that serves every exported model.

Nothing of Keelblocks is imported here, because the build runs this file before anything is installed.
"""

import importlib.util
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
# How the engine is compiled, here and as an extension module. One rounding per operation, so that an FMU computes what
# the engine in Python computes, to the last bit. Not vectorised: kernels write a few numbers each, and a wide load of
# numbers just written one by one has to wait for them (store forwarding).
ENGINE_FLAGS = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-vectorize", "-fno-tree-slp-vectorize"]
FLAGS = ["-std=c99", *ENGINE_FLAGS, "-fPIC", "-fvisibility=hidden", "-shared"]


def fmi_platform() -> tuple[str, str]:
    """What FMI 2.0 calls this machine's platform (of the processor it tells the bits only), and how libraries end."""
    bits = 64 if sys.maxsize > 2**32 else 32
    if sys.platform == "win32":
        return f"win{bits}", ".dll"
    if sys.platform == "darwin":
        return "darwin64", ".dylib"
    return f"linux{bits}", ".so"


def fmi_headers() -> Path:
    """The folder of the FMI headers, which FMPy brings. Raises FileNotFoundError if it does not."""
    spec = importlib.util.find_spec("fmpy")
    for place in (spec.submodule_search_locations or []) if spec else []:
        if Path(place, "c-code", "fmi2Functions.h").is_file():
            return Path(place, "c-code")
    raise FileNotFoundError("the FMI headers come with FMPy: pip install fmpy")


def build_runtime(engine_c: Path, binaries: Path) -> Path:
    """Compile the runtime for this machine into `binaries/<platform>/keelblocks.*`, unless it is there and up to date.

    `engine_c` is the engine as `cython_kernels.standalone` wrote it. Raises subprocess.CalledProcessError if the
    compiler ($CC, or cc) refuses.
    """
    name, suffix = fmi_platform()
    output = binaries / name / f"keelblocks{suffix}"
    sources = [engine_c, Path(__file__), *SOURCES.glob("*.[ch]")]
    if output.exists() and output.stat().st_mtime >= max(source.stat().st_mtime for source in sources):
        return output
    output.parent.mkdir(parents=True, exist_ok=True)
    compiler = shlex.split(os.environ.get("CC", "cc"))
    includes = [f"-I{engine_c.parent}", f"-I{SOURCES}", f"-I{fmi_headers()}"]
    with tempfile.TemporaryDirectory(dir=output.parent) as scratch:
        made = Path(scratch, output.name)
        subprocess.run([*compiler, *FLAGS, *includes, str(SOURCES / "keelblocks.c"), "-o", str(made), "-lm"], check=True)
        made.replace(output)  # at once, so that a process that has the old one open keeps it
    return output
