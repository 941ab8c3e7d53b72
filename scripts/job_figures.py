"""Figures of benchmarks/jobs against what must hold: measured once for each way of running them."""

from collections.abc import Callable

import evidence
from evidence import Result

JOBS = 30
NATIVE_SHARE = 0.97
NATIVE_SHARE_OF_ALL = 0.9
# At 1 each job is just long enough; the session's start is much of what it takes.
SCALE = "1.5"
GEOMETRIC_MEAN = 0.8
BRIDGED_SHARE = 0.15
WITHOUT_TEXT_AND_PYTHON = 0.5
WITH_TEXT_OR_PYTHON = 0.85

Judge = Callable[[dict], Result]


def measured(name: str, *options: str) -> dict:
    """Runs all jobs and returns what was recorded; jobs that fail or differ are found in it."""
    return evidence.resumed(f"jobs-{name}", "jobs", "jobs/run.py", *options)


def in_pairs(judge: Judge) -> Callable[[], Result]:
    """Returns what judges the jobs as they are, in five pairs."""
    return lambda: judge(measured("pairs", "--pairs", "5", "--scale", SCALE))


def in_a_small_heap(judge: Judge) -> Callable[[], Result]:
    """Returns what judges the jobs with a heap of 1 GB, in one pair."""
    return lambda: judge(measured("1g", "--pairs", "1", "--scale", SCALE, "--heap", "1g"))


def native(content: dict) -> Result:
    """Of the operators that the engine has, enough ran natively."""
    totals = content["totals"]
    counts = totals["operators"]
    figure = f"{totals['native_share']:.1%}: {counts['native']} native, {counts['left']} left to Spark"
    lacking = f"; {counts['lacking']} that the engine lacks, {counts['passing']} that pass rows on between Spark's own"
    return Result(figure + lacking, totals["native_share"] >= NATIVE_SHARE and enough(content))


def native_of_all(content: dict) -> Result:
    """Of all operators, those that the engine lacks too, enough ran natively."""
    counts = content["totals"]["operators"]
    share = counts["native"] / max(sum(counts.values()), 1)
    return Result(f"{share:.1%} of {sum(counts.values()):,}", share >= NATIVE_SHARE_OF_ALL and enough(content))


def equal(content: dict) -> Result:
    """Every job gave what plain Spark gave."""
    others = [job["job"] for job in content["jobs"] if not job["equal"] or any(job["errors"].values())]
    figure = f"{content['totals']['equal']} of {content['totals']['jobs']} equal"
    return Result("; ".join([figure, *others]), not others and enough(content))


def enough(content: dict) -> bool:
    """Says whether there were as many jobs as there must be."""
    return content["totals"]["jobs"] >= JOBS


def cheaper(content: dict) -> Result:
    """Together the jobs take less of the processor than on plain Spark, each of them long enough to tell."""
    totals = content["totals"]
    mean, own = totals["geometric_mean"], totals["own_geometric_mean"]
    if mean is None:
        return Result("nothing was measured", False)
    figure = f"{mean:.2f}; {own:.2f} without the start of the sessions; at scale {content['scale']}"
    short = f"; shorter than 5 s: {', '.join(totals['shorter_than_5_s'])}" if totals["shorter_than_5_s"] else ""
    return Result(figure + short, mean <= GEOMETRIC_MEAN and not short and enough(content))


def bridged(content: dict) -> Result:
    """Little of the CPU was Spark's code within native operators."""
    share = content["totals"]["bridged_share"]
    runs = {job["job"]: job["bridged"] for job in content["jobs"] if job["bridged"]}
    shares = sorted((run["bridged_s"] / run["cpu_s"], job) for job, run in runs.items())
    most = "".join(f"; the most: {job} {of_job:.1%}" for of_job, job in shares[-1:])
    figure = f"{share:.1%} of the CPU without the sessions' start{most}"
    return Result(figure, share <= BRIDGED_SHARE and enough(content))


def cheaper_without(content: dict) -> Result:
    """The jobs that read no text and call no Python take half of plain Spark's CPU in total."""
    return in_total(content, "without_text_and_python", WITHOUT_TEXT_AND_PYTHON)


def cheaper_with(content: dict) -> Result:
    """The others take a little less of it."""
    return in_total(content, "with_text_or_python", WITH_TEXT_OR_PYTHON)


def in_total(content: dict, jobs: str, limit: float) -> Result:
    """Judges the CPU of some jobs together."""
    found = content["totals"][jobs]
    if not found["ratio"]:
        return Result("nothing was measured", False)
    costs = f"{found['accelerated']:.0f} against {found['plain']:.0f} s in {found['jobs']} jobs"
    figure = f"{costs}: {found['ratio']:.3f}; at scale {content['scale']}"
    return Result(figure, found["ratio"] <= limit and enough(content))


def none_slower(content: dict) -> Result:
    """No job's interval lies above that of plain Spark."""
    slower = content["totals"]["slower"]
    worst = sorted(content["jobs"], key=lambda job: -job["ratio"]["mean"] if "ratio" in job else 0)[:3]
    shown = [f"{job['job']} {job['ratio']['mean']:.2f}" for job in worst if "ratio" in job]
    figure = f"slower: {', '.join(slower) or 'none'}; the highest: {', '.join(shown)}"
    return Result(figure, not slower and bool(shown) and enough(content))


def none_fails(content: dict) -> Result:
    """No job fails that plain Spark finishes."""
    failed = content["totals"]["failed_where_plain_does_not"]
    return Result(
        f"failed: {', '.join(failed) or 'none'} of {content['totals']['jobs']}", not failed and enough(content)
    )
