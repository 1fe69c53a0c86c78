"""Logs: what a message costs that is written to MCAP, and how that compares with the writers of others.

A result with an Odometry at every one of 20 000 points is written as `result.save` does it. Beside it such messages,
whose contents are made already, by the writer of mcap-ros2-support, and packed by rosbags, which is not the whole way.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from mcap_ros2.writer import Writer
from rosbags.typesys import Stores, get_typestore

from benchmarks.report import arguments, show, spread
from blocks import Diagram, simulate
from blocks.dynamics import KinematicVehicle
from blocks.live.logs import save_mcap
from blocks.live.messages import definition, odometry, plain, stamp_of

MESSAGES, OTHERS, ROUNDS = 20_000, 2_000, 5
KIND = "nav_msgs/msg/Odometry"
TOPIC = {"/odom": {"type": "nav_msgs/Odometry", "eta": "vehicle.eta", "nu": "vehicle.nu"}}


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    diagram = Diagram("boat")
    diagram.add("vehicle", KinematicVehicle())
    diagram.inputs(force="vehicle.force")
    run = simulate(diagram, 0.01 * (MESSAGES - 1), step=0.01, inputs={"force": np.ones(6)})
    content = plain(
        odometry(stamp_of(0.0), "odom", "base_link", eta=run.values("vehicle.eta")[-1], nu=run.values("vehicle.nu")[-1])
    )
    store = get_typestore(Stores.ROS2_KILTED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.mcap"

        def theirs() -> None:
            with path.open("wb") as stream:
                writer = Writer(stream)
                schema = writer.register_msgdef(KIND, definition("nav_msgs/Odometry"))
                for number in range(OTHERS):
                    writer.write_message("/odom", schema, content, 10_000_000 * number)
                writer.finish()

        def ours() -> None:
            save_mcap(run, path, topics=TOPIC, signals=[])

        ours()
        packed = store.deserialize_cdr(_first(path), KIND)

        def packing() -> None:
            for _ in range(OTHERS):
                store.serialize_cdr(packed, KIND)

        figures = {
            "result.save, a message": _each(ours, MESSAGES, options.rounds),
            "mcap-ros2-support, a message": _each(theirs, OTHERS, options.rounds),
            "rosbags, packing alone, a message": _each(packing, OTHERS, options.rounds),
        }
    show("Logs", figures, options.json)


def _first(path: Path) -> bytes:
    from mcap.reader import make_reader

    with path.open("rb") as stream:
        return bytes(next(message.data for _, _, message in make_reader(stream).iter_messages()))


def _each(work: Callable[[], None], count: int, rounds: int) -> dict[str, object]:
    taken = []
    for _ in range(rounds or ROUNDS):
        began = time.process_time()
        work()
        taken.append((time.process_time() - began) / count * 1e6)
    return spread(taken, "µs")


if __name__ == "__main__":
    main()
