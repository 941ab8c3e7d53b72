"""SQL files of the corpus: setup, queries with what is expected of them, and answers recorded from Spark.

A file is made of blocks with a blank line between them, each a statement that ends with a semicolon. SELECT, WITH and
VALUES are queries; all else is setup. Comments before a query may say what is expected of it, one a line:

    -- answer_only                 equal, however it runs; without a mode it must run natively as well
    -- expect_fallback(reason)     runs on Spark, for a reason that contains this
    -- ignore(reason)              not run, for this reason
    -- close                       floats are sums: within a bound, not to the last bit
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from outcome import Outcome, difference

QUERY = re.compile(r"(select|with|values)\b|\(", re.IGNORECASE)
MODE = re.compile(r"-- (answer_only|expect_fallback|ignore)(?:\((.+)\))?$")
NESTED = re.compile(r"\([^()]*\)")


@dataclass(frozen=True)
class Query:
    """A query and what is expected of it."""

    sql: str
    mode: str = "native"
    reason: str = ""
    close: bool = False

    @property
    def ordered(self) -> bool:
        """Says whether the rows have an order: ORDER BY stands outside all parentheses."""
        text = self.sql.lower()
        while (flat := NESTED.sub("", text)) != text:
            text = flat
        return "order by" in text

    def difference(self, found: Outcome, expected: Outcome) -> str | None:
        """Says how an outcome differs from the expected one; None when they are equal."""
        floats = {i for i, field in enumerate(field_types(expected.schema)) if field in ("float", "double")}
        return difference(found, expected, self.ordered, floats if self.close else frozenset())

    def as_json(self, outcome: Outcome) -> dict:
        """Returns an outcome as it is recorded; rows without an order are sorted by their text."""
        if outcome.error:
            return {"error": outcome.error}
        rows = [[as_text(value) for value in row] for row in outcome.rows]
        return {"schema": outcome.schema, "rows": rows if self.ordered else sorted(rows, key=repr)}

    def problem(self, found: Outcome, expected: Outcome, limit: str = "") -> str | None:
        """Says what is wrong with a native session's outcome; None when all is as expected.

        With a `limit`, it may also run on Spark for a reason that contains this, or fail with a message that does.
        """
        if limit and limit in found.message:
            return None
        if self.mode == "native" and not found.native and not meets(found, limit):
            return "not native: " + "; ".join(found.reasons)
        if self.mode == "expect_fallback" and not any(self.reason in reason for reason in found.reasons):
            return f"expected to revert because of {self.reason}: {'; '.join(found.reasons) or 'runs natively'}"
        return self.difference(found, expected)


@dataclass(frozen=True)
class Corpus:
    """A file of the corpus."""

    path: Path
    setup: tuple[str, ...]
    queries: tuple[Query, ...]

    @property
    def tables(self) -> list[str]:
        """Returns the tables that the setup makes."""
        found = (re.match(r"create table (\w+)", statement, re.IGNORECASE) for statement in self.setup)
        return [match.group(1) for match in found if match]

    def recording(self, version: str) -> Path:
        """Returns where the answers of a Spark version are."""
        return self.path.with_suffix(f".{version}.json")

    def recorded(self, version: str) -> dict[str, dict] | None:
        """Returns the recorded answers by query; None when there are none of this version."""
        path = self.recording(version)
        return {entry["sql"]: entry for entry in json.loads(path.read_text())} if path.is_file() else None

    def record(self, version: str, answers: dict[Query, dict[str, Outcome]]) -> None:
        """Writes answers: by query, then by variant; those equal to the first are left out."""
        entries = []
        for query, outcomes in answers.items():
            texts = {variant: query.as_json(outcome) for variant, outcome in outcomes.items()}
            first = next(iter(texts.values()))
            kept = {v: text for i, (v, text) in enumerate(texts.items()) if i == 0 or text != first}
            entries.append({"sql": query.sql} | kept)
        self.recording(version).write_text("[\n" + ",\n".join(map(entry_text, entries)) + "\n]\n")


def meets(found: Outcome, limit: str) -> bool:
    """Says whether a query turned to Spark, or failed, because of a limit that its session has, by its words."""
    return bool(limit) and any(limit in text for text in (found.message, *found.reasons))


def field_types(schema: str) -> list[str]:
    """Returns the types in Spark's short text of a schema, those of nested types cut short."""
    return [field.partition(":")[2] for field in schema.removeprefix("struct<").removesuffix(">").split(",")]


def entry_text(entry: dict) -> str:
    """Returns a query's recorded answers as JSON with a row a line."""
    parts = []
    for name, value in entry.items():
        if isinstance(value, dict) and value.get("rows"):
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value["rows"])
            text = f'{{"schema": {json.dumps(value["schema"])}, "rows": [\n  {rows}]}}'
        else:
            text = json.dumps(value, ensure_ascii=False)
        parts.append(f"{json.dumps(name)}: {text}")
    return "{" + ",\n ".join(parts) + "}"


def as_text(value: object) -> object:
    """Returns a value as it is recorded: text that tells all values of its type apart, null as null."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return value if value is None else str(value)


def parse(path: Path) -> Corpus:
    """Reads a file."""
    setup, queries = [], []
    for block in re.split(r"\n\s*\n", path.read_text().strip()):
        lines = block.splitlines()
        comments = [line for line in lines if line.startswith("--")]
        statement = "\n".join(line for line in lines if not line.startswith("--")).strip()
        if not statement:
            continue
        assert statement.endswith(";"), f"{path.name}: a block is one statement that ends with a semicolon: {statement}"
        sql = statement.removesuffix(";")
        if not QUERY.match(sql):
            setup.append(sql)
            continue
        modes = [match for line in comments if (match := MODE.match(line))]
        mode, reason = (modes[0].group(1), modes[0].group(2) or "") if modes else ("native", "")
        queries.append(Query(sql, mode, reason, "-- close" in comments))
    return Corpus(path, tuple(setup), tuple(queries))
