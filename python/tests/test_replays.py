"""Replays of captured queries by builds in turn; scripts stand for the programs, files with any text for captures."""

from pathlib import Path

import pytest

from accelerant.artifacts import JAR_NAME, REPLAY_NAME, of_build
from accelerant.benchmark import replays
from accelerant.benchmark.replays import Replayer
from accelerant.benchmark.results import results_of
from accelerant.benchmark.task import Query, Task
from accelerant.errors import UserError

# Arguments: CAPTURE --threads N --repeat N [--json FILE]. Notes its call, and answers as the capture's text says.
PROGRAM = """#!/bin/sh
echo {name} $5 >> {calls}
case "$(cat $1)" in
  *{refused}*) echo "format version 9; this engine reads 3" >&2; exit 2 ;;
  *bridged*) echo "Spark's own code computes initcap in this query" >&2; exit 2 ;;
  *differs*) echo "hash: 1 instead of 2" >&2; exit 1 ;;
esac
runs='{{"wall_s": 9, "cpu_s": 9}}'
i=1; while [ $i -lt $5 ]; do runs="$runs, {{\\"wall_s\\": $i, \\"cpu_s\\": $i}}"; i=$((i + 1)); done
[ -z "$7" ] || echo "{{\\"equal\\": true, \\"runs\\": [$runs]}}" > $7
"""


@pytest.fixture
def builds(tmp_path: Path) -> dict[str, Replayer]:
    """This build, and another one that can't read a capture with the word `new` in it."""
    return {"engine": replayer(tmp_path, "engine", "nothing"), "previous": replayer(tmp_path, "previous", "new")}


def replayer(root: Path, name: str, refused: str) -> Replayer:
    folder = root / name / "build" / "release"
    folder.mkdir(parents=True)
    program = folder / REPLAY_NAME
    program.write_text(PROGRAM.format(name=name, calls=root / "calls", refused=refused))
    program.chmod(0o755)
    build = of_build(folder)
    return Replayer(build, build.replay(), 2)


def task(**queries: str) -> Task:
    """Queries by name, whose SQL is what their captures hold."""
    return Task({}, {name: Query(text, repeats=3) for name, text in queries.items()}, threads=2, runs=3)


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch, builds: dict[str, Replayer]) -> None:
    """Captures without Spark: the other build's own have nothing new in them."""

    def captured(asked: Task, folder: Path, build: object = None) -> dict[str, Path]:
        folder.mkdir(parents=True)
        for name, query in asked.queries.items():
            text = query.sql.replace("new", "old") if build == builds["previous"].build else query.sql
            (folder / f"{name}.accq").write_text(text)
        return {name: folder / f"{name}.accq" for name in asked.queries}

    monkeypatch.setattr(replays, "captured", captured)


def test_builds_take_turns_and_each_goes_first(tmp_path: Path, builds: dict[str, Replayer], captures: None) -> None:
    reports = replays.ask_replays(task(q1="old"), tmp_path, builds)
    calls = (tmp_path / "calls").read_text().split("\n")
    turns = ["engine 4", "previous 4", "previous 4", "engine 4", "engine 4", "previous 4"]
    assert calls == ["previous 1", "engine 4", *turns, ""]
    assert [cost.cpu_s for cost in reports["engine"][0].costs] == [9, 1, 1, 1]
    (result,) = results_of("previous", reports["previous"], None)
    assert result.cpu_runs_s == [1, 1, 1]


def test_a_build_that_reads_other_messages_gets_its_own(
    tmp_path: Path, builds: dict[str, Replayer], captures: None
) -> None:
    found = replays.captures_for(task(q1="old", q2="new"), tmp_path, builds)
    assert found["engine"]["q2"].read_text() == "new"
    assert found["previous"]["q2"].read_text() == "old"
    assert len(replays.ask_replays(task(q1="old", q2="new"), tmp_path / "again", builds)["previous"]) == 2


def test_short_queries_are_repeated_where_builds_are_compared(
    tmp_path: Path, builds: dict[str, Replayer], captures: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "TURN_S", 20)
    replays.ask_replays(task(q1="old"), tmp_path, builds)
    assert (tmp_path / "calls").read_text().split()[-1] == "21"
    replays.ask_replays(task(q1="old"), tmp_path / "alone", {"engine": builds["engine"]})
    assert (tmp_path / "calls").read_text().split()[-1] == "4"


def test_what_needs_spark_is_left_out(tmp_path: Path, builds: dict[str, Replayer], captures: None) -> None:
    reports = replays.ask_replays(task(q1="bridged", q2="old"), tmp_path, builds)
    assert [[report.query for report in found] for found in reports.values()] == [["q2"], ["q2"]]


def test_an_answer_that_differs_ends_it(tmp_path: Path, builds: dict[str, Replayer], captures: None) -> None:
    with pytest.raises(UserError, match="hash: 1 instead of 2"):
        replays.ask_replays(task(q1="differs"), tmp_path, {"engine": builds["engine"]})


def test_the_jar_of_another_build(tmp_path: Path) -> None:
    folder = tmp_path / "build" / "release"
    folder.mkdir(parents=True)
    assert of_build(folder).jar_path == tmp_path / "build" / "jvm" / JAR_NAME
    (folder / JAR_NAME).touch()
    assert of_build(folder).jar() == folder / JAR_NAME
