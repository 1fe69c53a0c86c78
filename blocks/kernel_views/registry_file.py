"""The text of the registry: every kernel by name, with its functions and what it expects of a plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from blocks.kernel_views.declarations import place_of
from blocks.kernel_views.entry_file import entry_name
from blocks.kernel_views.functions import ROLES, Kernel
from blocks.kernel_views.groups import Form, Group, groups_of, overrides
from blocks.model.block import Block
from blocks.model.declare import Input, Output

_HEAD = '''\
"""Every kernel by name, in one place: what a plan may ask for. Made by the build from declarations and kernels.

One line per kernel: name, setup, start, outputs, derivatives, update, crossings, jumps, then how many inputs, outputs,
parameters (without the initial values of states) and sizes it expects; -1 where the number varies.
"""

from libc.string cimport strcmp

'''

_ENTRY = '''

cdef inline bint entry(
    KernelEntry* k, const char* wanted, const char* name,
    Kernel setup, Kernel start, Kernel outputs, Kernel derivatives, Kernel update, Kernel crossings, Kernel jumps,
    int inputs, int outputs_count, int parameters, int sizes,
) noexcept nogil:
    """Fill `k` if `name` is the wanted one."""
    if strcmp(wanted, name) != 0:
        return False
    k.name = name
    k.setup = setup
    k.start = start
    k.outputs = outputs
    k.derivatives = derivatives
    k.update = update
    k.crossings = crossings
    k.jumps = jumps
    k.inputs = inputs
    k.outputs_count = outputs_count
    k.parameters = parameters
    k.sizes = sizes
    k.checked = 0
    return True


cdef inline bint find_kernel(const char* s, KernelEntry* k) noexcept nogil:
    """Look a kernel up by name. False if there is none."""
'''


def registry_file(kernels: Mapping[str, tuple[type[Block], Kernel]]) -> str:
    """The whole file."""
    imports = {
        f"from cython_kernels.entries.{place_of(cls)} cimport {entry_name(function)}"
        for cls, kernel in kernels.values()
        for function in kernel.values()
    }
    imports.add("from cython_kernels.view cimport Kernel, KernelEntry")
    lines = [_line(name, cls, kernel) for name, (cls, kernel) in kernels.items()]
    return _HEAD + "\n".join(sorted(imports)) + _ENTRY + "\n".join(lines) + "\n    return False\n"


def _line(name: str, cls: type[Block], kernel: Kernel) -> str:
    functions = [entry_name(kernel[role]) if role in kernel else "NULL" for role in ROLES]
    counts = ", ".join(map(str, counts_of(cls)))
    return f'    if entry(k, s, b"{name}", {", ".join(functions)}, {counts}): return True'


def counts_of(cls: type[Block]) -> tuple[int, int, int, int]:
    """Inputs, outputs, parameters and sizes; -1 where instances differ."""
    groups = groups_of(cls)
    return (
        _ports(cls, groups["u"], "input_ports", cls.declared_inputs.values()),
        _ports(cls, groups["y"], "output_ports", cls.declared_outputs.values()),
        -1 if groups["p"].form is Form.RAW else len(cls.parameters),
        -1 if groups["n"].form is Form.RAW else len(cls.sizes),
    )


def _ports(cls: type[Block], group: Group, ports: str, declared: Collection[Input | Output]) -> int:
    varies = group.form is Form.RAW or overrides(cls, ports) or any(port.when for port in declared)
    return -1 if varies else len(declared)
