"""The C that names the kernels of a library, and the Cython that asks for them."""

from __future__ import annotations

from blocks.kernel_views.declarations import place_of
from blocks.kernel_views.entry_file import entry_name
from blocks.kernel_views.functions import ROLES
from blocks.kernel_views.registry_file import counts_of
from blocks.kernel_views.write import Made
from blocks.libraries.manifest import ABI

START = "entry_points"
"""The function that names all that is wanted."""

_COUNTS = ("inputs", "outputs_count", "parameters", "sizes")
_FUNCTION = """

KB_EXPORT const KernelLibrary *KEELBLOCKS_LIBRARY(void);

KB_EXPORT const KernelLibrary *KEELBLOCKS_LIBRARY(void)
{
    return &kb_library;
}
"""
_EXPORT = """\
#ifdef _WIN32
#define KB_EXPORT __declspec(dllexport)
#else
#define KB_EXPORT __attribute__((visibility("default")))
#endif

#ifndef KEELBLOCKS_LIBRARY /* another name, where several libraries are linked into one program */
#define KEELBLOCKS_LIBRARY keelblocks_library
#endif

"""


def cython_of(package: str, made: Made) -> str:
    """The module that Cython is given: what it does not use, it leaves out."""
    found = [(cls, function) for cls, kernel in made.kernels.values() for function in kernel.values()]
    imports = {f"from {package}.entries.{place_of(cls)} cimport {entry_name(function)}" for cls, function in found}
    uses = [f"    functions[{i}] = <void*>{entry_name(function)}" for i, (_, function) in enumerate(found)]
    return "\n".join(
        [
            "from cython_kernels.view cimport KernelEntry, KernelLibrary",
            *sorted(imports),
            "",
            f"cdef void {START}(void** functions, const KernelEntry* e, const KernelLibrary* library) noexcept nogil:",
            "    if e == library.entries: return",
            *uses,
            "",
        ]
    )


def table_of(package: str, made: Made, digest: str) -> str:
    """What stands behind the kernels in C: one entry each, and the one function that a library shows."""
    entries = [
        ", ".join(
            [
                f'    {{.name = "{package}.{name}"',
                *(f".{role} = {entry_name(kernel[role])}" for role in ROLES if role in kernel),
                *(f".{count} = {number}" for count, number in zip(_COUNTS, counts_of(cls), strict=True)),
                ".checked = KB_CHECKED},",
            ]
        )
        for name, (cls, kernel) in made.kernels.items()
    ]
    return "\n".join(
        [
            "#ifndef KB_CHECKED /* 1: the engine guards every call */",
            "#define KB_CHECKED 0",
            "#endif",
            "",
            "static const KernelEntry kb_entries[] = {",
            *entries,
            "};",
            "",
            "static const KernelLibrary kb_library = {",
            f'    .magic = "KEELLIB", .abi = {ABI}, .count = {len(entries)}, .name = "{package}",',
            f'    .digest = "{digest}", .entries = kb_entries',
            "};",
            "",
            _EXPORT + _FUNCTION.strip("\n") + "\n",
        ]
    )


def functions_of(package: str, made: Made) -> dict[str, dict[str, object]]:
    """What `library.json` says of the kernels."""
    return {
        f"{package}.{name}": {
            "functions": [role for role in ROLES if role in kernel],
            "counts": dict(zip(("inputs", "outputs", "parameters", "sizes"), counts_of(cls), strict=True)),
        }
        for name, (cls, kernel) in made.kernels.items()
    }
