"""Which compiler builds for which platform: this machine's own, or zig, which compiles C for any.

Nothing of Keelblocks but its neighbours is imported here: the build uses this file before anything is installed.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cython_kernels.plain_c.platforms import WEBASSEMBLY, Platform, find, local, names

ZIG = "ziglang>=0.17,<0.18"
"""The requirement: one version, because another gives other bytes. The extra `platforms` of the project has it too."""

# How the engine and kernels are compiled, here and as an extension module. One rounding per operation, so that an FMU
# computes what the engine in Python computes, to the last bit. Not vectorised: kernels write a few numbers each, and a
# wide load of numbers just written one by one has to wait for them (store forwarding). gcc and clang know all of these.
ENGINE_FLAGS = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-vectorize", "-fno-tree-slp-vectorize"]

_LINK = {
    # -Bsymbolic: where a tool loads FMUs with RTLD_GLOBAL, each still calls its own functions
    ".so": ["-shared", "-s", "-Wl,--gc-sections", "-Wl,--build-id=none", "-Wl,-Bsymbolic"],
    ".dll": ["-shared", "-s", "-Wl,--gc-sections"],
    ".dylib": ["-shared", "-Wl,-dead_strip"],
}

VARIABLE = "KEELBLOCKS_PLATFORMS"
"""In the environment: platforms to build for beside this machine's, by FMI's names and "wasm32", or "all"."""


class BuildError(Exception):
    """The build cannot go on: says why, and what to do."""


def named_platforms() -> list[Platform]:
    """The platforms that $KEELBLOCKS_PLATFORMS names. Raises BuildError if there is no such platform."""
    words = os.environ.get(VARIABLE, "").replace(",", " ").split()
    chosen: list[Platform] = []
    known = [*names(), WEBASSEMBLY.name]
    for word in known if words == ["all"] else words:
        found = [WEBASSEMBLY] if word == WEBASSEMBLY.name else [platform for platform in find(word) if platform.target]
        if not found:
            raise BuildError(f"${VARIABLE}: there is no platform '{word}'; valid: all, {', '.join(known)}")
        chosen += [platform for platform in found if platform not in chosen]
    return chosen


def own_compiler() -> list[str]:
    """The command of this machine's C compiler: $CC, or the first of cc, gcc and clang; empty if there is none."""
    given = shlex.split(os.environ.get("CC", ""))
    return given or next(([name] for name in ("cc", "gcc", "clang") if shutil.which(name)), [])


def accepts(option: str) -> bool:
    """Whether this machine's own compiler makes programs with an option."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "empty.c")
        source.write_text("int main(void) { return 0; }\n", encoding="ascii")
        command = [*own_compiler(), option, str(source), "-o", str(Path(folder, "empty"))]
        return bool(own_compiler()) and subprocess.run(command, capture_output=True, check=False).returncode == 0


def requirements() -> list[str]:
    """What the build needs from PyPI to compile: zig, if it is to build for named platforms or stands in for cc."""
    return [ZIG] if named_platforms() or (local().target and not own_compiler()) else []


def compiler(platform: Platform, named: Sequence[Platform]) -> list[str]:
    """The command that compiles for a platform: zig for those named, so that the result needs an old C library only.

    For the platform of this machine, unless it is named, its own compiler; zig too if it has none. Raises BuildError if
    neither is there.
    """
    own = own_compiler()
    if platform not in named and own:
        return own
    if platform.target and importlib.util.find_spec("ziglang") is not None:
        return zig(platform)
    if platform in named:
        raise BuildError(
            f"building for {platform.name} needs zig, from PyPI: pip install '{ZIG}' (or 'keelblocks[platforms]') into "
            "the environment that builds, or let `make platforms` do it"
        )
    zig_helps = f", or pip install '{ZIG}' into the environment that builds" if platform.target else ""
    raise BuildError(
        f"there is no C compiler on this machine: none of cc, gcc and clang, and $CC is not set; install one{zig_helps}"
    )


def zig(platform: Platform) -> list[str]:
    """zig as a C compiler for a platform.

    Code for x86_64 runs on every such processor, but is arranged for newer ones: within 10 % as fast as gcc's. Loops
    are not unrolled: that would make it a seventh larger, and 1 to 3 % faster.
    """
    # told to clang itself: zig takes -mtune for -march, and the result would need such a processor
    tuning = ["-Xclang", "-tune-cpu", "-Xclang", "haswell"] if platform.target.startswith("x86_64") else []
    options = ["-fno-sanitize=undefined", "-fno-unroll-loops", *tuning]
    return [sys.executable, "-m", "ziglang", "cc", "-target", platform.target, *options]


def link_options(platform: Platform, command: Sequence[str], name: str) -> list[str]:
    """What makes a shared library of objects, with nothing of the machine that builds; `name`: of it, for darwin."""
    if platform.suffix != ".dylib":
        return _LINK[platform.suffix]
    own = [f"-Wl,-install_name,@rpath/{name}{platform.suffix}"]
    return [*_LINK[platform.suffix], *own, *(["-s"] if "ziglang" in command else [])]  # Apple's linker has no -s


def keep_zig_cache(folder: Path) -> None:
    """Let zig keep what it makes, its C libraries foremost, in a folder, unless the environment names another."""
    for variable in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        os.environ.setdefault(variable, str(folder))
