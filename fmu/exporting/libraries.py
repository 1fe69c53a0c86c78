"""Compiled libraries in an FMU: for each of its platforms the file that `keelblocks build` has made, or their C.

The runtime opens them beside its own binary, see `runtime/c/opened_libraries.c`; of an FMU that is compiled from its
sources they are linked in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from blocks.errors import ExportError
from blocks.plan import Plan
from blocks.plan.kernel import kernel_name
from cython_kernels.plain_c.engine_parts import LIBRARIES
from cython_kernels.plain_c.platforms import ALL, Platform, find
from fmu import runtime
from fmu.notices import warn
from fmu.runtime import fat_binary
from fmu.runtime.compiled_libraries import CompiledLibrary
from fmu.runtime.deflated import Library, deflate, joined


def runtime_kernels(plan: Plan) -> set[str]:
    """What a plan needs of the runtime: its kernels, and, if some are of libraries, what opens these."""
    names = {kernel_name(leaf.block) for leaf in plan.flat.leaves}
    return {LIBRARIES if "." in name else name for name in names}


def common_platforms(libraries: Sequence[CompiledLibrary], wanted: list[str] | None) -> list[str] | None:
    """The platforms of an FMU with these libraries: the wanted, or, without, those that each of them has.

    Raises ExportError for one that is wanted and that a library was not built for, or if none is left; warns of those
    that are left out.
    """
    if not libraries:
        return wanted
    if wanted is not None:
        for library in libraries:
            those = [platform.name for name in wanted for platform in find(name)]
            missing = [name for name in dict.fromkeys(those) if name not in library.platforms]
            if missing:
                raise ExportError(
                    f"the library {library.name}, as it is now, was not built for {', '.join(missing)}, only for "
                    f"{', '.join(library.platforms)}: {library.build(missing[0] if len(missing) == 1 else ALL)}"
                )
        return wanted
    there = runtime.platforms()
    kept = [name for name in there if all(name in library.platforms for library in libraries)]
    lacking = [library for library in libraries if not {*there} <= {*library.platforms}]
    said = "; ".join(
        f"{library.name} was not built for {', '.join(name for name in there if name not in library.platforms)} "
        f"({library.build()})"
        for library in lacking
    )
    if there and not kept:
        raise ExportError(f"there is no platform that this FMU could be for: {said}")
    if lacking:
        warn(f"the FMU is for {', '.join(kept)} only: {said}")
    return kept


def library_binaries(
    libraries: Iterable[CompiledLibrary], wanted: Iterable[str] | None, fmi: str
) -> dict[str, Library]:
    """The files of libraries below `binaries`, by their paths in an FMU of this version of FMI."""
    chosen = dict.fromkeys(
        p for name in (runtime.platforms() if wanted is None else wanted) for p in runtime.built(name)
    )
    files: dict[str, Library] = {}
    for library in libraries:
        found: dict[str, list[Platform]] = {}
        for platform in chosen:
            found.setdefault(f"binaries/{platform.folder(fmi)}/{library.name}.kernels{platform.suffix}", []).append(
                platform
            )
        for path, those in found.items():
            contents = [library.binary(platform) for platform in those]
            content = contents[0] if len(contents) == 1 else fat_binary.join(contents)
            files[path] = joined([(content, deflate(content))])
    return files


def library_notes(libraries: Iterable[CompiledLibrary]) -> dict[str, bytes]:
    """Whose code else is in an FMU: a text beside the licence of Keelblocks, with theirs where they have one."""
    return {
        f"documentation/licenses/{library.name}.txt": (
            f"This FMU contains compiled code of {library.title}, a library of blocks, under terms of its own.\n"
        ).encode()
        + (b"\n" + licence if (licence := library.licence) else b"")
        for library in libraries
    }
