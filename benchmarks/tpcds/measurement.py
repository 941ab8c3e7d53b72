"""Measures a query of TPC-DS on all engines, each a tree of processes that all queries run in."""

import argparse
import json
import re
import sys
from pathlib import Path

from accelerant.bench import commit
from accelerant.benchmark.engines import submit_command
from accelerant.benchmark.replays import Replayer, costs_of, replay, replayers
from accelerant.errors import UserError
from records import record
from tpcds import sources, tables
from tpcds.answers import Answer, difference, is_about
from tpcds.conversation import Worker
from tpcds.figures import ACCELERATED, DUCKDB, ENGINE, PLAIN, is_native

HERE = Path(__file__).resolve().parent
CONDITION = re.compile(r"\[([A-Z][A-Z0-9_.]+)\]")


def workers(options: argparse.Namespace, home: Path, folder: Path) -> dict[str, Worker]:
    """Returns the trees of processes by engine; none of them has started."""
    settings = {
        "spark.sql.ansi.enabled": "true" if options.ansi == "on" else "false",
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.local.dir": folder,
        "spark.log.level": "ERROR",
    }
    found = {}
    for engine in (PLAIN, ACCELERATED):
        more = {"spark.accelerant.memory.limit": options.memory} if engine == ACCELERATED and options.memory else {}
        command = submit_command(engine == ACCELERATED, options.threads, settings | more)
        command += ["--driver-memory", options.heap]
        words = [*command, HERE / "worker.py"]
        found[engine] = Worker(log_of(engine), folder, words, [home], tables.variables())
    command = [sys.executable, HERE / "duckdb_worker.py"]
    found[DUCKDB] = Worker(log_of(DUCKDB), folder, command, [home, options.threads], tables.variables())
    return found


def log_of(engine: str) -> Path:
    """Returns the log of an engine, empty."""
    path = tables.LOGS / f"{engine}.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    return path


def fail_alike(errors: dict[str, str]) -> bool:
    """Says whether a query fails on both engines with Spark's error of the same name."""
    names = [CONDITION.search(errors.get(engine, "")) for engine in (PLAIN, ACCELERATED)]
    return all(names) and names[0][1] == names[1][1]


class Measurement:
    """Runs queries on all engines, one at a time, over the tables in `home`; `folder` is for captures."""

    def __init__(self, options: argparse.Namespace, engines: dict[str, Worker], folder: Path, home: Path) -> None:
        self.options = options
        self.answers = home / "answers" / f"spark-{options.spark}-ansi-{options.ansi}"
        self.engines = engines
        self.captures = folder / "captures"
        self.replayer: Replayer | None = None
        if options.pairs:
            self.replayer = replayers(["engine"], options.threads, memory=options.memory or "")["engine"]

    def ask(self, engine: str, sql: str, **request: object) -> dict:
        """Asks an engine."""
        return self.engines[engine].ask({"sql": sql, **request}, self.options.limit)

    def plain_answer(self, query: str, sql: str) -> dict:
        """Returns plain Spark's reply with the rows: where answers alone are compared, the one that was kept."""
        path = self.answers / f"{query}.json"
        if not self.options.pairs and path.is_file():
            kept = json.loads(path.read_text())
            if kept["sql"] == sql:
                return kept["reply"]
        reply = self.ask(PLAIN, sql, rows=True)
        if "error" not in reply:
            record(path, {"sql": sql, "reply": reply})
        return reply

    def entry(self, query: str, sql: str) -> dict:
        """Returns what is recorded of a query."""
        plain = self.plain_answer(query, sql)
        mine = self.ask(ACCELERATED, sql, rows=True, look=True)
        errors = {engine: reply["error"] for engine, reply in ((PLAIN, plain), (ACCELERATED, mine)) if "error" in reply}
        found = {
            "query": query,
            "commit": commit(),
            "error": {} if fail_alike(errors) else errors,
            "difference": "" if errors else difference(Answer.of(mine), Answer.of(plain)),
            "rows": len(plain.get("rows", ())),
            "not_native": mine.get("not_native", "it fails"),
            "others": mine.get("others", []),
            "bridged": {"names": mine.get("bridged", []), "runs": []},
            "spilled": mine.get("spilled", 0),
            "cpu_s": {},
        }
        if not errors:
            self.measure(found, sql)
        if self.options.pairs and is_native(found):
            self.measure_alone(found, sql, Answer.of(plain))
        return found

    def measure(self, found: dict, sql: str) -> None:
        """Adds the costs of hot runs in pairs, each engine first in every second one."""
        runs: dict[str, list[dict]] = {PLAIN: [], ACCELERATED: []}
        for pair in range(self.options.pairs):
            for engine in sorted(runs, reverse=pair % 2 == 0):
                runs[engine].append(self.ask(engine, sql))
        for engine, replies in runs.items():
            if failed := [reply["error"] for reply in replies if "error" in reply]:
                found["error"][engine] = failed[0]
            elif replies:
                found["cpu_s"][engine] = [reply["cpu_s"] for reply in replies]
        mine = [reply for reply in runs[ACCELERATED] if "error" not in reply]
        found["bridged"]["runs"] = [{name: reply[name] for name in ("cpu_s", "bridged_s")} for reply in mine]

    def measure_alone(self, found: dict, sql: str, right: Answer) -> None:
        """Adds the costs of the engine alone, by replays of a capture, in turn with DuckDB's."""
        first = self.ask(DUCKDB, sources.for_duckdb(sql))
        if "error" in first:
            found["duckdb_error"] = first["error"]
            return
        found["is_duckdb_equal"] = is_about(first["rows"], right.rows)
        costs: dict[str, list[float]] = {ENGINE: [], DUCKDB: []}
        try:
            paths = self.captured(found["query"], sql)
            for _ in range(self.options.pairs):
                costs[ENGINE].append(sum(self.replayed(path, right.is_cut) for path in paths))
                costs[DUCKDB].append(self.cost_on_duckdb(sql))
            found["cpu_s"] |= costs
        except UserError as error:
            found["not_alone"] = str(error)

    def cost_on_duckdb(self, sql: str) -> float:
        """Returns the CPU seconds of a query on DuckDB; raises UserError where it fails."""
        reply = self.ask(DUCKDB, sources.for_duckdb(sql))
        if "error" in reply:
            raise UserError(reply["error"])
        return reply["cpu_s"]

    def replayed(self, path: Path, may_differ: bool) -> float:
        """Returns the CPU seconds of a replay; where rows tie at a limit, it may have chosen others than Spark."""
        report = path.with_suffix(".json")
        report.unlink(missing_ok=True)
        try:
            _, hot = replay(path, self.replayer)
        except UserError:
            if not (may_differ and report.is_file()):
                raise
            _, hot = costs_of(json.loads(report.read_text()))
        return hot.cpu_s

    def captured(self, query: str, sql: str) -> list[Path]:
        """Returns the captures of a query, of which each was run; raises UserError where it leaves none."""
        folder = self.captures / query
        reply = self.ask(ACCELERATED, sql, captures=str(folder))
        files = sorted(folder.glob("*.accq"))
        if "error" in reply or not files:
            raise UserError(reply.get("error") or "no capture")
        return files
