"""The environments that `gymnasium.make` knows by name, once `blocks.live.learning` has been imported."""

from __future__ import annotations

from pathlib import Path

TASKS = {
    "OtterPathFollowing": "otter_path_following",
    "BlueROV2StationKeeping": "bluerov2_station_keeping",
    "TitoNeriDocking": "tito_neri_docking",
    "SmartySpeed": "smarty_speed",
}
"""Names, and the files of the scenarios in `tasks`."""


def task_file(name: str) -> Path:
    """The scenario of one of the tasks."""
    return Path(__file__).parent / "tasks" / f"{TASKS[name]}.yaml"


def register() -> None:
    """Make the environments known: "keelblocks/OtterPathFollowing-v0" and so on.

    "keelblocks/Scenario-v0" takes any scenario that has `environment:`, by scenario="mine.yaml".
    """
    from gymnasium.envs.registration import register as add
    from gymnasium.envs.registration import registry

    single = "blocks.live.learning.environment:ScenarioEnv"
    vector = "blocks.live.learning.vector_environment:ScenarioVectorEnv"
    known: dict[str, dict[str, str]] = {"Scenario": {}} | {name: {"scenario": str(task_file(name))} for name in TASKS}
    for name, given in known.items():
        if f"keelblocks/{name}-v0" not in registry:
            add(f"keelblocks/{name}-v0", entry_point=single, vector_entry_point=vector, kwargs=given)
