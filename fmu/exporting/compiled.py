"""FMUs whose binary is compiled for one plan: its kernels called by name, its sizes known to the compiler.

The FMI functions and the engine are those of every FMU, and the plan stands in the resources all the same: a binary of
this kind opens that plan only.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from blocks.compiled.calls import Call, Calls
from blocks.compiled.flags import flags
from blocks.compiled.possible import why_not
from blocks.compiled.source import engine_of
from blocks.compiled.structure import Structure
from blocks.errors import ExportError, LibraryError
from blocks.libraries.c_compiler import CompilerError, made_by
from blocks.libraries.compiling import commands_for
from blocks.plan import Plan
from blocks.plan.encode import checksum
from cython_kernels.plain_c.compilers import BuildError, link_options
from cython_kernels.plain_c.platforms import Platform, find, local
from fmu.exporting.libraries import runtime_kernels
from fmu.exporting.source_code import COMPILED, source_files
from fmu.runtime import fat_binary
from fmu.runtime.build.runtimes import fmi_headers
from fmu.runtime.build.windows_library import WHAT_WINDOWS_LACKS, import_libraries
from fmu.runtime.c_files import WIDE_PATHS
from fmu.runtime.compiled_libraries import CompiledLibrary
from fmu.runtime.deflated import Library, deflate, joined

_ONE_PLAN = """
/* This binary is of one plan: as it was compiled, no other can be opened. */
static inline int plan_open_compiled(
    void *memory, unsigned char const *data, size_t size, FinderAmong more, void *those, Plan **opened)
{
    unsigned long long found = 0;
    if (size >= CHECKED_FROM) memcpy(&found, data + CHECKED_FROM - sizeof found, sizeof found);
    *opened = NULL;
    return found == KB_CHECKSUM ? plan_open_among(memory, data, size, more, those, opened) : STATUS_OTHER_STATE;
}
#define plan_open_among plan_open_compiled
"""


def compiled_libraries(
    plan: Plan, chosen: Iterable[str] | None, fmi: str, identifier: str, libraries: Sequence[CompiledLibrary]
) -> dict[str, Library]:
    """The files below `binaries` of an FMU of this plan alone, by their paths in it.

    chosen: platforms, by either name of FMI, for which zig compiles; None: this machine's, by its own compiler, or by
    zig. Compiled libraries are linked in. Raises ExportError if there is no compiler, or the plan cannot be compiled.
    """
    refuse_to_compile(plan)
    found: dict[str, list[Platform]] = {}
    for platform in _platforms(chosen):
        found.setdefault(f"binaries/{platform.folder(fmi)}/{identifier}{platform.suffix}", []).append(platform)
    files = _files(plan, fmi, identifier, libraries)
    made: dict[str, Library] = {}
    for path, those in found.items():
        contents = [_compiled(files, fmi, platform, _compiler(platform, chosen is not None)) for platform in those]
        content = contents[0] if len(contents) == 1 else fat_binary.join(contents)
        made[path] = joined([(content, deflate(content))])
    return made


def refuse_to_compile(plan: Plan) -> None:
    """Raise ExportError if a plan cannot be compiled, whatever compiler there is."""
    if (problem := why_not(plan)) is not None:
        raise ExportError(f"an FMU cannot be compiled: {problem.args[0]}")


def _platforms(chosen: Iterable[str] | None) -> list[Platform]:
    if chosen is None:
        return [local()]
    found = [platform for name in chosen for platform in find(name)]
    return [*dict.fromkeys(found)]


def _files(plan: Plan, fmi: str, identifier: str, libraries: Sequence[CompiledLibrary]) -> dict[str, bytes]:
    """The C: that of a source-code FMU, with the engine of this plan."""
    files = source_files(identifier, fmi, runtime_kernels(plan), libraries)
    files["sources/engine.c"] = _engine(plan, fmi).encode()
    return {name.removeprefix("sources/"): content for name, content in files.items()}


def _engine(plan: Plan, fmi: str) -> str:
    calls = partial(_ResizableCalls, resizable=_resizable(plan) if fmi == "3.0" else set())
    own_checksum = f"#define KB_CHECKSUM 0x{checksum(plan.stored)}ULL\n"
    return f"{engine_of(Structure(plan.stored), calls)}\n{own_checksum}{_ONE_PLAN}"


def _resizable(plan: Plan) -> set[int]:
    """Blocks of which a structural parameter of FMI 3.0 may make a size smaller."""
    return {leaf.number for leaf in plan.flat.leaves if leaf.block.resizable_sizes()}


class _ResizableCalls(Calls):
    """Calls of which some read sizes where they stand while the model runs."""

    def __init__(
        self,
        structure: Structure,
        functions: Mapping[str, Mapping[str, str]],
        has: Mapping[str, set[str]],
        resizable: set[int],
    ) -> None:
        super().__init__(structure, functions, has)
        self.resizable = resizable

    def _view(self, call: Call) -> str:
        text = super()._view(call)
        if call.block.number not in self.resizable:
            return text
        constant = f"static const int n[] = {{{', '.join(map(str, call.block.numbers)) or '0'}}};"
        assert constant in text
        return text.replace(constant, f"int const *const n = s->numbers + {call.block.first_number};")


def _compiled(files: Mapping[str, bytes], fmi: str, platform: Platform, command: list[str]) -> bytes:
    """The shared library for a platform."""
    name = f"plan{platform.suffix}"
    files = {**files, WIDE_PATHS.name: WIDE_PATHS.read_bytes()}
    units = [COMPILED, *(file for file in files if file.endswith("_library.c"))]
    options = [*link_options(platform, command, "plan"), "-lm"]
    if platform.suffix == ".so":
        options.append("-ldl")
    with ExitStack() as stack:
        try:
            if platform.suffix == ".dll" and "ziglang" in command:
                files[WHAT_WINDOWS_LACKS.name] = WHAT_WINDOWS_LACKS.read_bytes()
                units.append(WHAT_WINDOWS_LACKS.name)
                scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                options = [*options[:-1], *import_libraries(scratch), "-lm"]
            how = [*_flags(), f"-DFMI{fmi[0]}_OVERRIDE_FUNCTION_PREFIX=1", "-isystem", str(fmi_headers())]
            return made_by([*command, *how, *units, "-o", name, *options], files, name)
        except CompilerError as problem:
            raise _refused(command, problem.why) from None
        except (OSError, BuildError) as problem:
            raise _refused(command, str(problem)) from None


def _flags() -> list[str]:
    """As plans are compiled here, but for every processor of a platform."""
    return [flag for flag in flags() if not flag.startswith("-m")]


def _compiler(platform: Platform, named: bool) -> list[str]:
    try:
        return commands_for(platform, named=named)[0]
    except LibraryError as problem:
        raise ExportError(
            f"an FMU for {platform.name} cannot be compiled: {problem}; or leave `compiled` out"
        ) from None


def _refused(command: Sequence[str], why: str) -> ExportError:
    return ExportError(f"an FMU cannot be compiled: {shlex.join(command)}: {why}; or leave `compiled` out")
