"""Checks that every reason for leaving something to Spark is named by a test, or is a guard that nobody meets.

A reason is what stands in the call that gives it: its literals, with anything between them. A test names it by a line
that the reason matches, or by one of its literals that is long enough to be no other's. Reasons of devices, which leave
work to the host, are none of these.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [
    *(f"engine/{folder}/*.cpp" for folder in ("types", "columns", "expressions", "io", "operators", "plan")),
    *(f"engine/planner/{name}.cpp" for name in ("aggregate_steps", "matched_steps", "local_limits", "local_sorts")),
    "jvm/src/main/scala/**/*.scala",
]
TESTS = ["tests/**/*.py", "tests/**/*.sql", "python/tests/*.py", "engine/**/*_test.cpp"]

# What gives a reason: calls with the text among their arguments, and errors that are made by hand.
GIVES = re.compile(
    r"\b(?:throw_unsupported|note|untried|refuse_node|refuse_alone|ofWrite|revert|RevertException)\((?=[^)])|\bErrorKind::Unsupported,"
    r"|\b(?:CachesOff|AtHand|OnlyAtStart)\b[^=\n]* = "
)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ENOUGH = 14  # characters of a literal that tell it from others'


# Reasons that no query of a user leads to, by a literal of theirs.
GUARDS = {
    "Spark's analyzer and planner make no such plan": [
        "IN of",
        "JSON that Spark's own code may not parse",
        "a line that only Spark's own code can parse",
        "IN over",
        "a generator over",
        "a lambda over column",
        "a lambda's variable without a type",
        "a literal that long",
        "a scalar subquery in a lambda",
        "a variable of a lambda around it",
        "inline of",
        "CASE with 65,535 branches or more",
        "COALESCE of 65,535 values or more",
        "DISTINCT over",
        "a join key of type",
        "a DISTINCT argument that the step below does not group by",
        "a call of Spark's own code in a plan that is only judged",
        "a column for folders or buckets that is not written",
        "a decimal literal beyond 38 digits",
        "a filter in a final aggregate",
        "a default of another type than the value's",
        "a filter of type",
        "a frame of timestamps in a time zone that the plan does not tell",
        "a frame of values with an offset that is null",
        "a function of a window without a type",
        "join by a key of type",
        "a limit of each partition that is lower than the limit of all",
        "a pivot in a window",
        "a number of copies that is no bigint",
        "a projection of",
        "a window by a column of type",
        "a window's aggregate in mode",
        "aggregate functions of modes",
        "aggregate mode",
        "an aggregate's filter that is no boolean",
        "an operand of physical type",
        "another number of columns than it computes",
        "as a column",
        "as an order",
        "branches of type",
        "copies of rows that may fail",
        "for the results of",
        "inputs of different numbers of columns",
        "is due",
        "is neither in the files nor in their paths",
        "of another type than string",
        "two columns named",
        "its input is the input of another operator, too: only trees of operators are supported",
        "keys of the types",
        "keys that differ in number",
        "literal of type",
        "of another type than its function's",
        "of the types",
        "order keys",
        "partitionBy a column of type",
        "that is no constant int",
        "types nested deeper than",
        "none",
        "partition values of",
        "with an offset of type",
        "with offset",
        "without a name",
        "without the rules of a time zone",
    ],
    "another version of Spark, of Java or of Unicode": [
        "aggregate Corr (Spark",
        "expression TruncTimestamp (Spark",
        "on Java",
        "by another version of Unicode",
    ],
    "the JVM hands over nothing of this kind, or goes on row by row": [
        "Arrow dictionary arrays",
        "Arrow format",
        "an Arrow schema that can't be read",
        "batches of the Arrow schema",
        "has no Arrow form here",
        "rows of the Arrow schema",
    ],
    "no library at hand writes such files": [
        "ORC files compressed by LZO, or by what the engine does not know",
        "Parquet encoding",
        "a list or map that is not one",
        "a page of booleans in encoding",
        "a page of byte arrays in encoding",
        "an ORC file of a version after 0.12",
        "an ORC file of an unknown compression",
        "an ORC file of an unknown type",
        "an ORC file of large compressed blocks",
        "an ORC file whose rows are no structs",
        "an encrypted ORC file",
        "bit-packed definition levels",
        "column chunks in another file",
        "compression codec",
        "dates before 1582-10-15 of a file that counts by the new calendar",
        "encrypted Parquet",
        "encrypted Parquet columns",
        "nested columns",
        "reading a nested column as",
    ],
    "needs another filesystem than local files": [
        "file URI with a host",
        "filesystem",
        "files are written natively by file: alone",
        "relative file URI",
    ],
    "a capture is replayed without the JVM": ["and only Spark's own code can compute it"],
    "Java's own functions can be copied, those of users are copied to every task": ["a function that can't be copied"],
    "a mistake of ours": ["conversion failed"],
}


def stripped(literal: str) -> str:
    """Returns a literal without what puts it together with others."""
    return literal.strip(" :,")


@dataclass(frozen=True)
class Reason:
    """A place that gives a reason, and the literals that it is made of."""

    place: str
    literals: tuple[str, ...]

    @property
    def text(self) -> str:
        """The reason where it is given, for people."""
        return f"{self.place}: {' … '.join(self.literals)}"

    def is_guard(self) -> bool:
        """Says whether nobody meets it."""
        return any(stripped(literal) in guards for guards in GUARDS.values() for literal in self.literals)

    def is_named(self, lines: str) -> bool:
        """Says whether tests, as one text, name it."""
        if any(len(stripped(literal)) >= ENOUGH and stripped(literal) in lines for literal in self.literals):
            return True
        whole = "[^\n]*".join(re.escape(stripped(literal)) for literal in self.literals)
        return re.search(whole, lines) is not None


def call_at(text: str, start: int) -> str:
    """Returns what follows up to the parenthesis that ends the call, or the statement."""
    depth, at, quoted = 0, start, False
    while at < len(text):
        char = text[at]
        if quoted:
            at += char == "\\"
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in "({[":
            depth += 1
        elif char in ")}]":
            depth -= 1
            if depth < 0:
                break
        elif char == ";" and depth == 0:
            break
        at += 1
    return text[start:at]


def literals_of(call: str) -> tuple[str, ...]:
    """Returns the texts in a call, those of Scala without what is put into them."""
    joined = re.sub(r'"\s*\n\s*"', "", call)  # C++ puts adjacent literals together
    pieces = (re.split(r"\$\{[^}]*(?:\}|$)|\$\w+", literal) for literal in LITERAL.findall(joined))
    return tuple(piece for literal in pieces for piece in literal if re.search(r"\w{2}", piece))


def reasons() -> list[Reason]:
    """Finds the reasons that the sources give."""
    sources = (path for pattern in SOURCES for path in sorted(ROOT.glob(pattern)))
    return [reason for path in sources if not path.stem.endswith("_test") for reason in reasons_of(path)]


def reasons_of(path: Path) -> Iterator[Reason]:
    """Finds the reasons that one source gives."""
    text = path.read_text()
    for found in GIVES.finditer(text):
        if literals := literals_of(call_at(text, found.end())):
            line = text.count("\n", 0, found.start()) + 1
            yield Reason(f"{path.relative_to(ROOT)}:{line}", literals)


def unnamed(found: list[Reason]) -> list[Reason]:
    """Returns those that no test names, without guards."""
    tests = texts_of_tests()
    return [reason for reason in found if not reason.is_guard() and not reason.is_named(tests)]


def texts_of_tests() -> str:
    """Returns all tests, with the literals of C++ that stand for one put together."""
    texts = (path.read_text() for pattern in TESTS for path in sorted(ROOT.glob(pattern)))
    return re.sub(r'"\s*\n\s*f?"', "", "\n".join(texts))


def main() -> int:
    """Prints reasons that no test names; with --all every one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="print every reason")
    options = parser.parse_args()
    found = reasons()
    missing = unnamed(found)
    for reason in found if options.all else missing:
        print(reason.text)
    print(f"reasons: {len(found)}, {sum(map(Reason.is_guard, found))} of them guards, {len(missing)} named by no test")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
