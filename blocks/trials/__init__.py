"""The common checks that every block has to pass: those of Keelblocks, and those of libraries of others.

`registry.TRIALS` has them by name, `check_…` in a file each. `running.run_trials` tries a library in a process of its
own, which is what `keelblocks test` does; `registry.TRIALS["solvers"].check(Drag)` in a test of one's own does it here.
"""
