"""A block's declaration and its kernel agree."""

from __future__ import annotations

from blocks.plan.kernel import check_kernel, kernel_functions
from blocks.trials.samples import Sample


def check_declaration(sample: Sample) -> None:
    """Ports, states and derived constants are those that the kernel works on, and no two are called alike."""
    block, sizes = sample(), sample.shapes.sizes
    check_kernel(block)
    has = kernel_functions(block)
    discrete = [name for name, state in block.states.items() if state.discrete]
    if has["update"] and not discrete:
        raise sample.fault("its kernel has an update, but no state is declared discrete: State(…, discrete=True)")
    if discrete and not has["update"]:
        raise sample.fault(f"nothing changes its discrete states {', '.join(discrete)}: it needs an update")
    if has["setup"] and not block.work_size(sizes):
        raise sample.fault("its kernel has a setup, which writes derived constants, but declares none: Derived(…)")
    if block.work_size(sizes) and not has["setup"]:
        raise sample.fault("it declares derived constants, but its kernel has no setup that writes them")
    if block.crossing_count(sizes) and not has["crossings"]:
        raise sample.fault("it declares crossings, but its kernel has no function of that name")
    names = [*block.input_ports, *block.states, *block.all_parameters()]
    alike = sorted({name for name in names if names.count(name) > 1})
    if alike:
        raise sample.fault(f"two of its inputs, states and parameters are called {', '.join(alike)}: rename one")
    for output in block.output_ports:
        if unknown := sorted(set(block.feedthrough(output)) - set(block.input_ports)):
            raise sample.fault(f"{output} is to depend on {', '.join(unknown)}, which it has no input of that name")
