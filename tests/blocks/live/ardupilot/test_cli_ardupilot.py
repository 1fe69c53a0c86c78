"""`keelblocks live --ardupilot`, with an autopilot that speaks its protocol on loopback."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from click.testing import Result as Invoked
from fake_ardupilot import packet, seen

from blocks import Result
from blocks.cli.commands import cli

OTTER = str(Path(__file__).parents[4] / "examples" / "otter_ardupilot.yaml")


class Autopilot(threading.Thread):
    """Sends frames of full throttle, from 0 on in each of several lives, and asks again until it has its answer."""

    def __init__(self, *lives: int, then: int | None = None) -> None:
        super().__init__(daemon=True)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.lives, self.then = lives, then

    def run(self) -> None:
        """All frames, and then a signal to this process."""
        for life in self.lives:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
                found.settimeout(0.1)
                for count in range(life):
                    self.answered(found, packet(count, [1900, 0, 1900]))
        if self.then is not None:
            os.kill(os.getpid(), self.then)

    def answered(self, found: socket.socket, data: bytes) -> None:
        """Ask until there is an answer."""
        for _ in range(200):
            found.sendto(data, ("127.0.0.1", self.port))
            try:
                seen(found.recv(4000))
            except OSError:
                continue
            return


def live(folder: Path, autopilot: Autopilot, *arguments: str) -> Invoked:
    autopilot.start()
    words = ["live", "--ardupilot", OTTER, "--port", str(autopilot.port), "--output", str(folder), *arguments]
    made = CliRunner().invoke(cli, words)
    autopilot.join(10.0)
    return made


def test_it_sails_until_the_end_and_saves(tmp_path: Path) -> None:
    made = live(tmp_path, Autopilot(80), "--end", "0.2")
    assert made.exit_code == 0, made.output
    lines = made.stderr.splitlines()
    assert lines[0].startswith("waiting for ArduPilot on UDP 127.0.0.1:")
    assert lines[1:] == ["ArduPilot is there, from 127.0.0.1"]
    assert made.stdout.startswith("Otter USV for ArduPilot's Rover, steered by its two propellers: 0.2 s, 80 frames")
    run = Result.load(tmp_path / "otter_ardupilot.nc")
    assert run.time[-1] == pytest.approx(0.2)
    assert run["vessel.nu"].values[-1, 0] > 0.1
    assert (tmp_path / "otter_ardupilot.yaml").exists()


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
def test_ctrl_c_saves_every_life(tmp_path: Path) -> None:
    """Also that of before ArduPilot started again."""
    made = live(tmp_path, Autopilot(80, 41, then=signal.SIGINT), "--json")
    assert made.exit_code == 130
    assert "ArduPilot has started again, and so has the vehicle\n" in made.stderr
    assert "Error: interrupted at t = 0.1025 s; what was recorded until then is in " in made.stderr
    said = json.loads(made.stdout)
    assert (said["frames"], said["restarts"], said["time"]) == (121, 1, pytest.approx(0.1025))
    ends = [Result.load(path).time[-1] for path in said["files"] if path.endswith(".nc")]
    assert np.array(ends) == pytest.approx([0.1025, 0.2], abs=1e-9)


def test_what_cannot_be(tmp_path: Path) -> None:
    def says(*arguments: str) -> str:
        made = CliRunner().invoke(cli, ["live", *arguments, "--output", str(tmp_path)])
        assert made.exit_code == 2, made.output
        return made.stderr

    los = OTTER.replace("otter_ardupilot", "otter_los")
    assert "otter_los.yaml: --ardupilot needs a section live: ardupilot:" in says("--ardupilot", los)
    assert "--address and --port go with --ardupilot" in says(los, "--port", "9002")
    assert "'no.such.host.invalid' is no address" in says("--ardupilot", OTTER, "--address", "no.such.host.invalid")
    bad = tmp_path / "bad.yaml"
    for old, new, wanted in (
        ("channel: 3", "chanel: 3", "unknown key 'chanel' in live.ardupilot.servos.thrust[starboard]; did you mean"),
        (
            "thrust[port]",
            "thrust[prt]",
            "bad.yaml:89: live.ardupilot.servos: thrust[prt]: 'thrust' has no element 'prt'",
        ),
        ("live:", "live:\n  log: run.csv", "bad.yaml: live.log: with --ardupilot nobody else takes part"),
    ):
        bad.write_text(Path(OTTER).read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        assert wanted in says("--ardupilot", str(bad))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        assert "is another simulation running?" in says("--ardupilot", OTTER, "--port", str(taken.getsockname()[1]))
