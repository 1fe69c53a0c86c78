"""Everything that speaks FMI: take a diagram or a block away as an FMU, and use an FMU as a block.

`fmu.export(diagram, "minerva.fmu", step=0.02)`, `fmu.FmuBlock("pump.fmu", communication_step=0.01)`; whole systems of
FMUs by `fmu.export_ssp(diagram, "minerva.ssp")`, `fmu.export_osp(diagram, "minerva_osp")`, `fmu.read_ssp("pump.ssp")`.
"""

import lazy_loader

# What `__init__.pyi` offers is imported when it is asked for: a run with an FMU in it does not load what exports one.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
