"""From plain C to a shared library for a platform, by this machine's compiler or by zig."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Sequence
from importlib.metadata import version

from blocks.errors import LibraryError
from blocks.libraries.c_compiler import CompilerError, made_by, short, version_of
from blocks.libraries.manifest import C_FILE, KERNELS, digest_of
from blocks.libraries.messages import refuse_c
from blocks.libraries.package import Library
from cython_kernels.plain_c.compilers import ENGINE_FLAGS, link_options, own_compiler, zig
from cython_kernels.plain_c.platforms import ALL, Platform, find, local, names, written_out
from cython_kernels.plain_c.standalone import Form

_WIDE = KERNELS / "mathematics" / "wide_paths.h"
_FEW_KERNELS = "-finline-limit=2000"
"""For gcc, which inlines less into a small file than into the engine: 8 % of a Vessel3DOF. clang takes no notice."""
FLAGS = [
    "-std=c99", *ENGINE_FLAGS, _FEW_KERNELS, "-DKEELBLOCKS_WIDE", "-I.", "-fopenmp-simd", "-fPIC",
    "-fvisibility=hidden", "-g0", "-fdata-sections", "-ffunction-sections", "-Werror=implicit-function-declaration",
]  # fmt: skip
"""As those of the engine: the same numbers at the same speed."""
CHECKS = [
    "-fsanitize=bounds,shift,integer-divide-by-zero,signed-integer-overflow,float-cast-overflow,unreachable",
    "-fsanitize-undefined-trap-on-error",
]
"""What gcc, clang and zig check besides where a library is built with checks: a trap, which ends a guarded call with a
message (see `core/checked.pxd`). On Windows, where none is caught, they are left out."""


def platforms_of(given: Sequence[str]) -> list[Platform]:
    """The platforms of these names, FMI 3.0's or FMI 2.0's; "all" are those that zig compiles for.

    This machine's if none is given. Raises LibraryError for a name that is none.
    """
    found: list[Platform] = [] if given else [local()]
    for name in written_out(given):
        known = find(name)
        if not known:
            raise LibraryError(f"there is no platform '{name}'", wrong=name, valid=[ALL, *names()])
        found += [platform for platform in known if platform not in found]
    return found


def commands_for(platform: Platform, *, named: bool) -> list[list[str]]:
    """The compilers that may build for a platform, the best first. Raises LibraryError if there is none.

    This machine's own for this machine; zig, whose libraries need an old C library only, for what is named and for
    others. Where there is no zig a named platform takes this machine's compiler if it can.
    """
    has_zig = bool(platform.target) and importlib.util.find_spec("ziglang") is not None
    own = [own_compiler()] if platform == local() and own_compiler() else []
    by_zig = [zig(platform)] if has_zig else []
    if own and shutil.which(own[0][0]) is None:
        raise LibraryError(f"there is no C compiler '{own[0][0]}', which $CC names: give another one, or unset it")
    if not own and not by_zig:
        lacking = "there is no C compiler here" if platform == local() else f"building for {platform.name} needs zig"
        raise LibraryError(f"{lacking}: pip install 'keelblocks[build]' brings zig, which is one")
    if named:
        return by_zig[:1] or own
    return [*own, *by_zig]


def compiler_digest(command: Sequence[str]) -> str:
    """What tells one compiler, and how it is called, from others. Raises CompilerError if it cannot be started."""
    told = version("ziglang") if "ziglang" in command else version_of(tuple(command))
    own = command[1:] if "ziglang" in command else command  # not where Python is
    return digest_of("\0".join([*own, *FLAGS, told]).encode())


def compiled(
    library: Library, platform: Platform, compiler: Sequence[str], texts: Callable[[Form], str], *, checked: bool
) -> bytes:
    """The shared library of this C for a platform. Raises LibraryError if the compiler refuses.

    texts: gives the C as it is compiled, and the same with the lines of the user's files, for what the compiler has to
    say.
    """
    command = [*compiler, *FLAGS, f"-DKB_CHECKED={int(checked)}"]
    if checked and platform.suffix != ".dll":
        command += CHECKS
    name = f"{platform.name}{platform.suffix}"
    options = link_options(platform, command, library.name)
    if platform.suffix == ".so":
        options = [*options, "-Wl,-z,defs"]  # a function that is nowhere is an error here, not where it is opened

    def made(form: Form, *quiet: str) -> bytes:
        files = {_WIDE.name: _WIDE.read_bytes(), C_FILE: texts(form).encode()}
        return made_by([*command, *quiet, C_FILE, "-o", name, *options, "-lm"], files, name)

    try:
        return made(Form.COMPILED)
    except CompilerError as problem:
        if not problem.ran:
            raise
        said = problem.said
    try:
        made(Form.TRACED, "-w")
    except CompilerError as again:
        said = again.said or said
    refuse_c(said, library, f"the C compiler ({short(command)})")
