"""Pages for a browser: a mission, or a study, as one HTML file that simulates again while one drags.

`share` writes such a file of a scenario or a result, `result.save("run.html")` one of a run, and the command
`keelblocks share` those of studies and comparisons, too. What a page shows and does is written in TypeScript, in
`studio/web`, and built into `studio/assets` by `make studio`.
"""

import lazy_loader

# What is offered stands in __init__.pyi, each from the module that has it, and is loaded when it is first asked for.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
