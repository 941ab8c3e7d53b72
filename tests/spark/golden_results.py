"""Puts together what plain Spark, Accelerant and the golden files answer to each statement."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import golden_answer
from golden_answer import Answer

Key = tuple[str, int, str, int]

NOT_RUN = Answer("", "not run: the process ended with a statement before")
REASON = re.compile(r"^! (.*)$", re.MULTILINE)
BRIDGED = re.compile(r"^\* .* \(bridged: (.*)\)$", re.MULTILINE)

# Rows that Spark has at hand while it plans.
AT_HAND = {"LocalTableScan", "Scan OneRowRelation", "OneRowRelation"}
SHOWS_PLAN = re.compile(r"explain\b", re.IGNORECASE)
# Spark fails by a fault of its own: code that it generates without constant folding, for example.
BROKEN = re.compile(
    r'Failed to compile|"errorClass" : "INTERNAL_ERROR"|^java\.lang\.NullPointer|^java\.io\.NotSerializable'
)
# What may have handlers of errors.
SCRIPT = re.compile(r"begin\b", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """A statement of a file in one of its variants, and its answers; `golden` is None where no file has one.

    `bridged` names what Spark's code computed within native operators. `folded` is plain Spark's answer with constant
    folding, of a statement that ran without.
    """

    key: Key
    sql: str
    plain: Answer
    native: Answer
    golden: Answer | None
    operators: tuple[str, ...]
    reasons: tuple[str, ...]
    bridged: tuple[str, ...]
    folded: Answer | None = None

    @property
    def ran(self) -> str:
        """How it ran: `native` throughout, `partly`, on `spark`, or or `nothing` was to be computed."""
        natives = sum(name.startswith("Native") for name in self.operators)
        if natives:
            return "native" if natives == len(self.operators) else "partly"
        return "nothing" if set(self.operators) <= AT_HAND else "spark"

    @property
    def plain_passes(self) -> bool:
        """Says whether plain Spark answers what the golden file has."""
        return self.golden == self.plain

    @property
    def difference(self) -> str:
        """How Accelerant's answer differs from plain Spark's, see golden_answer; an answer that is a plan has to.

        `broken` where plain Spark answers with a fault of its own that is in no golden file.
        """
        if SHOWS_PLAN.match(self.sql):
            return ""
        found = golden_answer.difference(self.native, self.plain)
        return "broken" if found and not self.plain_passes and self.plain_has_a_fault else found

    @property
    def plain_has_a_fault(self) -> bool:
        """Says whether plain Spark fails by a fault of its own.

        A handler of a script may hide one: the answer is another one than with constant folding then. Accelerant's is
        not.
        """
        hidden = SCRIPT.match(self.sql) and self.folded != self.plain and self.folded == self.native
        return bool(hidden or BROKEN.search(self.plain.output))

    @property
    def differs(self) -> bool:
        """Says whether it differs in what the statement says: neither the order of ties nor last digits of sums are."""
        return self.difference == "rows"

    def as_json(self) -> dict:
        """Returns the statement for the file of all statements."""
        file, variant, folding, number = self.key
        natives = sum(name.startswith("Native") for name in self.operators)
        return {
            "file": file,
            "variant": variant,
            "folding": folding,
            "number": number,
            "sql": self.sql,
            "plain": self.plain.text,
            "native": "the same" if self.native == self.plain else self.native.text,
            "plain_passes": self.plain_passes,
            "difference": self.difference,
            "ran": self.ran,
            "operators": f"{natives} / {len(self.operators)}",
            "others": [name for name in self.operators if not name.startswith("Native")],
            "reasons": list(self.reasons),
            "bridged": list(self.bridged),
        }


def answer_of(record: dict) -> Answer:
    """Returns the answer of a worker's record."""
    if "error" in record:
        return golden_answer.of_error(record["error"], record["message"])
    return golden_answer.of_rows(record["schema"], record["rows"], golden_answer.is_ordered(record["tree"]))


def read_records(path: Path) -> dict[Key, dict]:
    """Reads the records of a worker."""
    with path.open() as lines:
        records = [json.loads(line) for line in lines]
    return {(r["file"], r["variant"], r["folding"], r["number"]): r for r in records}


def goldens(results: Path, names: set[str], java: int) -> dict[tuple[str, int], tuple[str, Answer]]:
    """Reads golden files: the statements and their answers by file and number."""
    found = {}
    for name in names:
        path = golden_answer.golden_path(results, name, java)
        for number, entry in enumerate(golden_answer.read_golden(path) if path.is_file() else []):
            found[name, number] = entry
    return found


def together(plain: dict[Key, dict], native: dict[Key, dict], golden: dict) -> list[Statement]:
    """Joins the answers to each statement that plain Spark was asked."""

    def folded(key: Key) -> dict | None:
        return None if key[2] == "folding" else plain.get((key[0], key[1], "folding", key[3]))

    return [
        statement(key, record, native.get(key), golden.get((key[0], key[3])), folded(key))
        for key, record in plain.items()
    ]


def statement(
    key: Key, plain: dict, native: dict | None, golden: tuple[str, Answer] | None, folded: dict | None = None
) -> Statement:
    """Joins the answers to one statement. A golden file that has another statement in its place says nothing of it."""
    sql = plain["sql"]
    report = (native or {}).get("report") or ""
    bridged = ", ".join(BRIDGED.findall(report))
    return Statement(
        key,
        sql,
        answer_of(plain),
        answer_of(native) if native else NOT_RUN,
        golden[1] if golden and golden[0] == sql else None,
        tuple((native or {}).get("operators", ())),
        tuple(dict.fromkeys(REASON.findall(report))),
        tuple(sorted(set(filter(None, bridged.split(", "))))),
        answer_of(folded) if folded else None,
    )
