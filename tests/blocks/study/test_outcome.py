"""Outcomes: dataset, table and files say the same, with units and where they come from; metrics are what they say."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import xarray as xr
from study_subjects import lag, last, noise, noisy_study, swing

from blocks import Diagram, simulate
from blocks.basic import UniformNoise
from blocks.environment import UniformCurrent
from blocks.files.csv_numbers import to_the_last_bit
from blocks.run.result import ResultError
from blocks.study import LatinHypercube, Metric, Study, Uniform


def other() -> UniformNoise:
    """Noise that has a plan of its own."""
    return UniformNoise(period=0.2)


def test_statistics_are_those_of_the_recorded_signal() -> None:
    words = ("mean", "rms", "standard_deviation", "significant", "least", "greatest", "final")
    outcome = Study(noise(), {}, [f"{word}(lag.y)" for word in words], end=3.0).run("serial")
    y = simulate(noise(), 3.0).values("lag.y")
    expected = [y.mean(), np.sqrt(np.mean(y**2)), y.std(), 2.0 * y.std(), y.min(), y.max(), y[-1]]
    np.testing.assert_allclose([outcome.values(f"{word}(lag.y)") for word in words], expected, rtol=1e-11)


def test_functions_see_what_they_need_and_nothing_else() -> None:
    seen = {}

    def look(result) -> float:
        seen.update(names=list(result), status=result.status, written=result.values("lag.y").flags.writeable)
        return len(result)

    outcome = Study(lag(), {"u": [1.0]}, {"points": Metric(look, "lag.*", unit="m")}, end=1.0, step=0.1).run("serial")
    assert outcome.values("points")[0] == 11
    assert seen == {"names": ["lag.y"], "status": "end", "written": False}
    assert outcome.dataset["points"].units == "m"


def test_a_metric_that_fails_is_not_there_and_says_why() -> None:
    metrics = {
        "last": Metric(last, "lag.y"),
        "swing": Metric(swing, "lag.y"),
        "none": Metric(lambda r: np.nan, "lag.y"),
    }
    outcome = Study(lag(), {"u": [0.1, 5.0]}, metrics, end=1.0).run("serial")
    assert outcome.status == ["end", "end"]
    assert outcome.reasons[0] == "metric 'last': ValueError: only 0.126"
    assert outcome.reasons[1] == "metric 'none' is not a number"
    assert np.isnan(outcome.values("last")[0])
    assert np.all(outcome.values("swing") > 0.0)


def test_the_dataset_and_the_table_say_the_same() -> None:
    outcome = noisy_study().run("serial")
    dataset, table = outcome.dataset, outcome.table
    assert dataset["rms"].dims == ("lag.time_constant", "noise.upper", "replicate")
    row = table[(table["lag.time_constant"] == 0.5) & (table["noise.upper"] == 2.0) & (table["replicate"] == 3)]
    picked = dataset["rms"].sel({"lag.time_constant": 0.5, "noise.upper": 2.0, "replicate": 3})
    assert row["rms"].item() == picked.item()
    assert list(table.columns) == [
        "member", "lag.time_constant", "noise.upper", "replicate", "noise.seed",
        "rms", "swing", "end", "end_time", "status", "reason",
    ]  # fmt: skip
    assert table.attrs["units"]["lag.time_constant"] == "s"
    assert table.attrs["study"] == dataset.attrs["study"]
    assert table["noise.seed"].is_unique
    np.testing.assert_array_equal(dataset["noise.seed"].values.ravel(), table["noise.seed"])
    with pytest.raises(ResultError, match=r"no metric 'rsm'; did you mean 'rms'"):
        outcome.values("rsm")
    assert repr(outcome) == (
        "<Outcome of 24 members: all ran to the end; 3 metrics along lag.time_constant, noise.upper, replicate>"
    )


def test_each_member_can_be_run_by_itself() -> None:
    study = Study(
        noise(),
        {"lag.time_constant": Uniform("200 ms", 1.0), "noise": {"often": UniformNoise(period=0.1), "seldom": other()}},
        {"end": "final(lag.y)"},
        end=1.0, replicates=2, seeds="noise.seed", design=LatinHypercube(2),
    )  # fmt: skip
    ends = study.run("serial").table["end"]
    assert [study.simulate(i, record="lag.y").values("lag.y")[-1] for i in range(8)] == list(ends)
    failing = Study(lag(), {"u": [1.0, 2.0]}, {"y": "final(lag.y)"}, end=1.0)
    assert failing.simulate(1)["lag.y"][-1] == failing.run("serial").values("y")[1]


def test_units_of_metrics_and_labels_of_levels() -> None:
    diagram = Diagram("current")
    diagram.add("current", UniformCurrent(1.0, 0.0))
    metrics = {"north": "mean(current.current[north])", "down": "mean(current.current[2])", "t": "end_time"}
    outcome = Study(diagram, {"current.speed": {"slow": "1 kn", "fast": 2.0}}, metrics, end=1.0).run("serial")
    assert [outcome.dataset[name].units for name in metrics] == ["m/s", "m/s", "s"]
    np.testing.assert_allclose(outcome.dataset["north"].sel({"current.speed": "slow"}), 1852 / 3600)
    assert "units" not in outcome.dataset["current.speed"].attrs


def test_files_hold_everything_and_where_it_comes_from() -> None:
    study = noisy_study()
    outcome = study.run("serial")
    saved = xr.open_dataset(outcome.save("outcome.nc"), engine="h5netcdf").load()
    xr.testing.assert_equal(saved.drop_vars(["reason", "status"]), outcome.dataset.drop_vars(["reason", "status"]))
    assert set(saved["status"].values.ravel()) == {"end"}
    read = pd.read_csv(outcome.save("outcome.csv"), keep_default_na=False, **to_the_last_bit())
    np.testing.assert_array_equal(read["rms"], outcome.table["rms"])
    parquet = pq.read_table(outcome.save("outcome.parquet"))
    np.testing.assert_array_equal(parquet["swing"].to_numpy(), outcome.table["swing"])
    assert parquet.schema.field("lag.time_constant").metadata == {b"units": b"s"}
    for found in (saved.attrs, {k.decode(): v.decode() for k, v in parquet.schema.metadata.items()}):
        about = {key.removeprefix("keelblocks."): value for key, value in found.items()}
        assert str(about["seed"]) == "7"
        assert json.loads(about["plans"]) == [study.cases[0].plan.checksum]
        assert json.loads(about["factors"]) == {
            "lag.time_constant": ["0.2", "0.5", "1.0"],
            "noise.upper": ["1.0", "2.0"],
        }
        assert about["study"] == study.identity
        assert {"date", "command", "numpy", "python", "design", "solver"} <= set(about)
    with pytest.raises(ResultError, match=r"the ending must be one of .nc, .csv, .parquet"):
        outcome.save("outcome.xlsx")
