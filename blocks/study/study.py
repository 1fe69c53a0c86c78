"""Study: many runs of a diagram that differ in factors, each measured by a few numbers."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.compiled.choice import Asked, asked
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.plan import Plan, make_plan
from blocks.run.recording import check_every
from blocks.run.result import Result
from blocks.simulation import simulate
from blocks.study.columns import column_of
from blocks.study.design import Design, Grid
from blocks.study.encoding import Numbers, encode
from blocks.study.errors import StudyError
from blocks.study.factor import NamedFactor
from blocks.study.measuring import unit_of
from blocks.study.members import Members
from blocks.study.metric import metrics_of
from blocks.study.names import check_names
from blocks.study.outcome import Outcome, attributes_of
from blocks.study.programs import Case, make_cases
from blocks.study.provenance import circumstances, describe, identity
from blocks.study.records import Records
from blocks.study.run_metrics import Reader
from blocks.study.running import Progress, Running, reporting, trial
from blocks.study.seeds import Seeds, seeds_of
from blocks.study.single import single
from blocks.study.store import Store
from blocks.units import to_unit

_log = logging.getLogger("keelblocks.study")


class Study:
    """Many runs of a diagram, or of a block, that differ in factors.

    factors: by name a list of levels, a mapping of labels to levels, or a distribution. The name is that of a
        parameter ("vessel.initial_eta"), of an input of the diagram, or of a component, whose levels are then other
        components; or it is free, and each level is a mapping of such names to values, or a `Factor` says `of` what
        the levels are.
    metrics: by name a text such as "significant(vessel.eta[phi])" or "end_time", any metric of `blocks.metrics`, or a
        `Metric`. `mean`, `rms`, `standard_deviation`, `significant`, `least`, `greatest`, `final` and `end_time` the
        engine takes on the way, at every step; for others what they need is recorded.
    design: `Grid()`, every combination of levels; or `LatinHypercube(n)`, `Sobol(n)`, `Random(n)` for factors that are
        distributions, where each combination of the other factors' levels is run at every sample.
    replicates: how often each of these is run, with other `seeds`: names of parameters, or `Seeds`.
    seed: the one seed of the study, from which samples and seeds follow.
    inputs: of the diagram, as `simulate` takes them, where they are no factors.
    every: metrics of what is recorded see every n-th point.
    end, step, solver, stop, start, tolerances and max_step: as in `simulate`.

    Members share plans, and only numbers change; a plan is made for each combination of levels that differ in more
    than numbers: components, sizes, choices of structure. Everything is checked here, before anything runs.

    Raises StudyError, ParameterError, WiringError or SimulationError where something does not fit.
    """

    def __init__(
        self,
        diagram: Diagram | Block,
        factors: Mapping[str, Any],
        metrics: Mapping[str, Any] | Sequence[str],
        *,
        end: float | str,
        step: float | str = 0.01,
        solver: str = "rk4",
        stop: str | None = None,
        start: float | str = 0.0,
        relative_tolerance: float = 1e-6,
        absolute_tolerance: float = 1e-8,
        max_step: float | str = 0.0,
        design: Design | None = None,
        replicates: int = 1,
        seeds: Seeds | str | Sequence[str] | Mapping[str, Any] | None = None,
        seed: int = 0,
        inputs: Mapping[str, Any] | None = None,
        every: int = 1,
    ) -> None:
        if not isinstance(diagram, (Diagram, Block)):
            raise StudyError(f"a study needs a diagram or a block, not {diagram!r}")
        self.diagram = diagram.copy()
        if not isinstance(factors, Mapping):
            raise StudyError(
                f"factors are a mapping of names to levels, {{'current.speed': [0.1, 0.2]}}, not {factors!r}"
            )
        self.design = design if design is not None else Grid()
        if not isinstance(self.design, Design):
            raise StudyError(f"a design is Grid(), LatinHypercube(100), Sobol(128) or Random(100), not {design!r}")
        self.replicates = _whole("replicates", replicates, 1)
        self.seed = _whole("seed", seed, 0)
        self.seeds = seeds_of(seeds)
        self.metrics = metrics_of(metrics, self._reader(factors).read)
        check_names(factors, self.metrics, self.seeds.names)
        self.factors = [NamedFactor(name, given) for name, given in factors.items()]
        if self.replicates > 1 and not self.seeds.names:
            raise StudyError(
                f"{self.replicates} replicates would all be equal: say which parameters are seeds, "
                f"Study(…, seeds=['sea.seed'])"
            )
        self.members = Members(self.factors, self.design, self.replicates, self.seed)
        self.how = {
            "end": end, "step": step, "solver": solver, "stop": stop, "start": start,
            "relative_tolerance": relative_tolerance, "absolute_tolerance": absolute_tolerance, "max_step": max_step,
        }  # fmt: skip
        self.inputs = dict(inputs or {})
        self._check_inputs()
        self.cases: list[Case] = make_cases(
            self.diagram, self.factors, self.members, self.metrics, self.seeds, self.seed, self.inputs,
            check_every(every), self.how,
        )  # fmt: skip
        self.columns = [column_of(factor, self.cases[0].plan, self.members) for factor in self.factors]
        self.description = describe(
            self.factors, self.metrics, self.design, self.replicates, self.seeds, self.seed, every, self.cases,
            self.members.dimensions,
        )  # fmt: skip

    def __len__(self) -> int:
        """How many members there are."""
        return self.members.count

    @property
    def identity(self) -> str:
        """Tells this study from others: equal ones have equal results."""
        return identity(self.description)

    def run(
        self,
        executor: Any = "threads",
        *,
        workers: int | None = None,
        folder: str | PathLike[str] | None = None,
        progress: bool | Progress = False,
        batch: int | None = None,
        patience: float | str = "10 min",
        compiled: Asked = False,
    ) -> Outcome:
        """Run all members, or those that are not in `folder` yet.

        executor: "threads", "processes" (for metrics and blocks written in Python), "serial", the address of a Dask
            scheduler ("tcp://host:8786"), or a `distributed.Client`.
        workers: threads or processes; all that this process may use, or that the cluster has, if not given.
        folder: where members are kept as they are done. A study that was interrupted, or killed, goes on from there.
        progress: True for a progress bar, or a function of (members done, members in all, members failed).
        batch: members that are sent to a worker at a time; by what one costs if not given.
        patience: how long to wait, again and again, where a Dask scheduler has no workers, in s or text with a unit;
            `math.inf` waits for ever. What it waits for is told by the logger "keelblocks.study".
        compiled: True compiles each plan, or takes it from the cache, in each worker; "auto" where the members to be
            run are worth it. The numbers are the same; `outcome.compiled` says what was chosen, and why.

        Numbers are the same to the last bit whatever these are. A member that fails is kept with its reason, and the
        others go on. Raises StudyError before anything runs, StudyInterrupted on Ctrl-C and StudyStopped if the
        executor cannot go on; both have the `outcome` of what was done.
        """
        at_once = None if workers is None else _whole("workers", workers, 1)
        size = None if batch is None else _whole("batch", batch, 1)
        wanted = asked(compiled)
        wait = to_unit(patience, "s") if isinstance(patience, str) else float(patience)
        records = Records.empty(len(self), len(self.metrics))
        store = Store(folder, self.description) if folder is not None else None
        if store is not None:
            store.read(records, self.description["start"], self.description["end"])
        if self.cases[0].program.stepped and records.done < len(self):
            turns = "; threads take turns, so executor='processes' is faster" if executor == "threads" else ""
            _log.warning("%s is stepped in Python, hundreds of times slower than rk4%s", self.how["solver"], turns)
        running = Running(self.cases, records, store, self.outcome, wanted)
        if records.done < len(self):
            with reporting(progress, len(self), records.done) as report:
                running.go(executor, at_once, size, report, wait)
        return self.outcome(records, running.compiled)

    def member(self, number: int) -> tuple[Diagram | Block, dict[str, Any]]:
        """The diagram and the inputs of one member, for a look at it by itself. Raises StudyError."""
        chosen = _whole("member", number, 0)
        if chosen >= len(self):
            raise StudyError(f"there is no member {chosen}: they are numbered from 0 to {len(self) - 1:,}")
        return single(self.diagram, self.factors, self.columns, self.members, self.seed_numbers(), self.inputs, chosen)

    def simulate(self, number: int, **how: Any) -> Result:
        """Run one member by itself, the same to the last bit, with all of its outputs recorded.

        how: record, every, progress and others, as `simulate` has them. Raises what `simulate` does: a member that
        failed raises RunStopped, whose `result` is the run until then.
        """
        subject, inputs = self.member(number)
        return simulate(subject, **{**self.how, "inputs": inputs, **how})

    def numbers(self, case: Case, plan: Plan) -> Numbers:
        """Where and by what the members of a case differ in another plan of its diagram, one with all outputs."""
        return encode(plan, case.factors, self.inputs, self.seeds, self.members, case.members, self.seed)

    def seconds_per_member(self) -> float:
        """About how long a member takes, s, by a short trial of the first."""
        return trial(self.cases, [case.program for case in self.cases], np.ones(len(self), dtype=np.bool_))

    def outcome(self, records: Records, compiled: str = "") -> Outcome:
        """What is known of the members, with all that tells how it came about; `compiled`: by what they were run."""
        metrics = {name: unit_of(self.cases[0].plan, metric) for name, metric in self.metrics.items()}
        stop = {"stop": str(self.how["stop"])} if self.how["stop"] else {}
        how = circumstances() | ({"compiled": compiled} if compiled else {})
        attributes = attributes_of({**self.description, **stop, "study": self.identity}, how)
        return Outcome(self.members.dimensions, self.columns, metrics, records, attributes, self.seed_numbers())

    def seed_numbers(self) -> dict[str, NDArray[np.int64]]:
        """By parameter the seed of each member."""
        found = {name: np.zeros(len(self), dtype=np.int64) for name in self.seeds.names}
        for case in self.cases:
            for name, numbers in case.numbers.seeds.items():
                found[name][case.members] = numbers
        return found

    def fixed_seeds(self) -> list[str]:
        """Parameters called "seed" that are the same in every member."""
        varied = {*self.seeds.names, *(target for factor in self.factors for target in factor.all_targets())}
        return [name for name in self.cases[0].plan.parameters if name.endswith(".seed") and name not in varied]

    def _reader(self, factors: Mapping[str, Any]) -> Reader:
        return Reader(
            lambda: make_plan(self.diagram, end=1.0, step=1.0, wanted=None),
            lambda: [NamedFactor(name, given) for name, given in factors.items()],
        )

    def _check_inputs(self) -> None:
        ports = self.diagram.input_ports
        targets = {target for factor in self.factors for target in factor.all_targets()}
        for name in self.inputs:
            if name in targets:
                raise StudyError(f"the input '{name}' is a factor: its value cannot be given under inputs too")
            if name not in ports:
                raise StudyError(f"no input '{name}'{did_you_mean(name, ports)}")


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise StudyError(f"{name} must be a whole number ≥ {least}, not {value!r}")
    return int(value)
