"""The bars of `make acceptance GROUP=jobs` judge what benchmarks/jobs wrote."""

import acceptance
import job_figures
from acceptance_lines import JOBS


def content(jobs: int = 30, **changes: object) -> dict:
    entry = {
        "equal": True,
        "errors": {"plain": [], "accelerated": []},
        "ratio": {"mean": 0.5, "low": 0.4, "high": 0.6},
        "bridged": {"cpu_s": 10.0, "bridged_s": 1.0},
    }
    totals = {
        "jobs": jobs,
        "equal": jobs,
        "operators": {"native": 97, "left": 3, "passing": 2, "lacking": 20},
        "native_share": 0.97,
        "geometric_mean": 0.8,
        "own_geometric_mean": 0.7,
        "slower": [],
        "shorter_than_5_s": [],
        "failed_where_plain_does_not": [],
        "bridged_share": 0.1,
        "without_text_and_python": {"jobs": 20, "plain": 400.0, "accelerated": 200.0, "ratio": 0.5},
        "with_text_or_python": {"jobs": 10, "plain": 100.0, "accelerated": 80.0, "ratio": 0.8},
    }
    return {"scale": 1.5, "totals": totals | changes, "jobs": [entry | {"job": f"taxi.job{n}"} for n in range(jobs)]}


def test_all_bars_hold() -> None:
    costs = ("bridged", "cheaper", "cheaper_without", "cheaper_with", "none_slower")
    judges = ("native", "equal", *costs, "none_fails")
    assert all(getattr(job_figures, judge)(content()).holds for judge in judges)
    assert not any(getattr(job_figures, judge)(content(29)).holds for judge in judges)
    figure = "97.0%: 97 native, 3 left to Spark; 20 that the engine lacks, 2 that pass rows on between Spark's own"
    assert job_figures.native(content()).figure == figure


def test_each_bar_is_missed() -> None:
    assert not job_figures.native(content(native_share=0.969)).holds
    assert not job_figures.cheaper(content(geometric_mean=0.81)).holds
    assert not job_figures.cheaper(content(geometric_mean=None)).holds
    assert not job_figures.cheaper(content(shorter_than_5_s=["taxi.job1"])).holds
    assert not job_figures.none_slower(content(slower=["taxi.job1"])).holds
    assert not job_figures.bridged(content(bridged_share=0.151)).holds
    total = content()["totals"]["without_text_and_python"]
    assert not job_figures.cheaper_without(content(without_text_and_python=total | {"ratio": 0.51})).holds
    assert not job_figures.cheaper_with(content(with_text_or_python=total | {"ratio": 0.86})).holds
    assert not job_figures.cheaper_with(content(with_text_or_python=total | {"ratio": None})).holds
    failed = job_figures.none_fails(content(failed_where_plain_does_not=["taxi.job1"]))
    assert not failed.holds
    assert "taxi.job1" in failed.figure


def test_jobs_that_differ_or_fail_are_named() -> None:
    for changes in ({"equal": False}, {"errors": {"plain": [], "accelerated": ["no memory"]}}):
        found = content()
        found["jobs"][3] |= changes
        judged = job_figures.equal(found)
        assert not judged.holds
        assert "taxi.job3" in judged.figure


def test_a_long_group_runs_only_where_it_is_named() -> None:
    assert acceptance.chosen_lines("jobs") == JOBS
    assert not set(JOBS) & set(acceptance.chosen_lines(""))
    assert not set(JOBS) & set(acceptance.chosen_lines("plain Spark"))
    assert acceptance.chosen_lines("TPC-H")
