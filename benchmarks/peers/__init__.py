"""The benchmark model in other block-diagram simulators from PyPI, each as its competent user would write it.

Every peer is a module with ``run(end) -> Outcome``. All of them integrate by classical RK4 at the model's fixed step,
so the same mathematics is timed and the end states have to agree. A peer is imported only when it is run: none of
them is needed to use Keelblocks, and all of them come with ``pip install -r benchmarks/requirements.txt``.
"""

import importlib
from dataclasses import dataclass
from typing import Final

from benchmarks.model import BenchmarkError, Run


class PeerNotInstalledError(BenchmarkError):
    """The package of a peer cannot be imported in this environment."""


@dataclass(frozen=True)
class Peer:
    """A simulator that Keelblocks is measured against.

    Attributes:
        distribution: its name on PyPI.
        module: the module here that holds its ``run``.
        integration: how it integrates the model, and what its wall time holds besides.
    """

    distribution: str
    module: str
    integration: str

    def load(self) -> Run:
        """Import the peer and return its ``run``.

        Raises:
            PeerNotInstalledError: its package, or something in it that is needed, cannot be imported.
        """
        try:
            run: Run = importlib.import_module(self.module).run
        except ImportError as error:
            raise PeerNotInstalledError(f"pip install -r benchmarks/requirements.txt ({error})") from error
        return run


PEERS: Final = (
    Peer("jaxonomy", "benchmarks.peers.jaxonomy_loop", "own RK4, compiled by XLA; compilation excluded"),
    Peer("pathsim", "benchmarks.peers.pathsim_loop", "own RK4"),
    Peer("bdsim", "benchmarks.peers.bdsim_loop", "SciPy solve_ivp with RK4; replays every step to record it"),
    Peer(
        "control", "benchmarks.peers.python_control_loop", "SciPy solve_ivp with RK4; replays every step to record it"
    ),
)
