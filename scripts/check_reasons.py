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
SOURCES = ["engine/**/*.cpp", "engine/**/*.h", "jvm/src/main/scala/**/*.scala"]
# What keeps work off devices: there the host does it.
OF_DEVICES = ("engine/codegen/", "engine/device/", "engine/planner/device_", "engine/operators/device_")
# What tells no reasons: figures of a replay, and the progress of a query.
OTHERS = ("engine/api/answer.cpp", "jvm/src/main/scala/io/accelerant/spark/ConsoleProgress.scala")
TESTS = ["tests/**/*.py", "tests/**/*.sql", "python/tests/*.py", "engine/**/*_test.cpp"]

# What gives a reason: calls with the text among their arguments, errors that are made by hand, texts that have a name,
# and in Scala options of a text, of which the condition goes before it.
GIVES = re.compile(
    r"\b(?:throw_unsupported|unread_file|note|untried|refuse|refuse_node|refuse_alone|ofWrite|revert"
    r"|RevertException)\((?=[^)])"
    r"|\bErrorKind::Unsupported,|\b(?:CachesOff|AtHand|OnlyAtStart)\b[^=\n]* = "
    r"|\bSome\((?=s?\")|\bdef reason\([^=]*= *\n|\b(Option\.(?:when|unless))\("
)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ENOUGH = 14  # characters of a literal that tell it from others'


# Reasons that no query of a user leads to, by a literal of theirs.
GUARDS = {
    "Spark's analyzer and planner make no such plan": [
        "IN of",
        "a line that only Spark's own code can parse",
        "IN over",
        "a generator over",
        "a lambda over column",
        "a lambda's variable without a type",
        "a literal that long",
        "a scalar subquery in a lambda",
        "a variable of a lambda around it",
        "inline of",
        "DISTINCT over",
        "a join key of type",
        "a cast from",
        "a DISTINCT argument that the step below does not group by",
        "a column for folders or buckets that is not written",
        "a decimal literal beyond 38 digits",
        "a filter in a final aggregate",
        "a default of another type than the value's",
        "a frame of timestamps in a time zone that the plan does not tell",
        "a function of a window without a type",
        "join by a key of type",
        "a pivot in a window",
        "a number of copies that is no bigint",
        "a window by a column of type",
        "a window's aggregate in mode",
        "aggregate functions of modes",
        "an aggregate's filter that is no boolean",
        "an operand of physical type",
        "another number of columns than it computes",
        "as a column",
        "as an order",
        "branches of type",
        "copies of rows that may fail",
        "for the results of",
        "in an order that is no constant",
        "inputs of different numbers of columns",
        "is due",
        "is neither in the files nor in their paths",
        "of another cast",
        "of another precision",
        "of another type than string",
        "two columns named",
        "its input is the input of another operator, too: only trees of operators are supported",
        "keys of the types",
        "keys that differ in number",
        "literal of type",
        "of another type than its function's",
        "of the types",
        "order keys",
        "that is no constant int",
        "none",
        "partition values of",
        "with an offset of type",
        "with offset",
        "without the rules of a time zone",
    ],
    "another version of Spark, of Java or of Unicode": [
        "on Java",
        "by another version of Spark",
    ],
    "the JVM hands over nothing of this kind, or goes on row by row": [
        "Arrow dictionary arrays",
        "Arrow format",
        "an Arrow schema that can't be read",
        "batches of the Arrow schema",
        "has no Arrow form here",
        "none of auto, cpu, gpu, emu",
        "not a number of at least 0",
        "setting batch_rows belongs to a query",
        "setting heap_bytes belongs to the process",
        "setting interruptions belongs to a query",
        "settings spill_* belong to the process",
        "rows of the Arrow schema",
    ],
    "a billion rows of one kind are no test": [
        "collected lists hold at most 2,147,483,647 values",
        "lists of a window partition hold at most 2,147,483,647 values",
        "the arrays of all groups hold at most 2,147,483,647 values",
        "Join holds at most 2,147,483,647 rows of one side",
        "Sort holds at most 2,147,483,647 rows of a thread",
        "Window holds at most 1,073,741,824 rows of a window partition",
    ],
    "a file that changes while it is read, or is larger than a test writes": [
        "a line is longer than",
        "changed while it was being read",
    ],
    "the footer's check refuses it first": ["a list or map that is not one"],
    "Spark makes paths of files absolute, without a host": ["file URI with a host", "relative file URI"],
    "a capture is replayed without the JVM": ["and only Spark's own code can compute it"],
    "without the plugin there are no rules that would say so": ["the plugin has not started"],
    "the whole call is bridged then, and says so": ["of what Spark's code computes"],
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
    return [reason for path in sources if is_scanned(path) for reason in reasons_of(path)]


def is_scanned(path: Path) -> bool:
    """Says whether a source may give reasons for leaving something to Spark."""
    is_test = path.stem.endswith("_test") or path.stem.startswith("test_")
    return not is_test and not str(path.relative_to(ROOT)).startswith((*OF_DEVICES, *OTHERS))


def reasons_of(path: Path) -> Iterator[Reason]:
    """Finds the reasons that one source gives."""
    text = path.read_text()
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    for found in GIVES.finditer(text):
        call = call_at(text, found.end())
        if found.group(1):  # what follows the condition
            after = found.end() + len(call)
            call = call_at(text, after + 2) if text[after : after + 2] == ")(" else ""
        if literals := literals_of(call):
            line = text.count("\n", 0, found.start()) + 1
            yield Reason(f"{shown}:{line}", literals)


def unnamed(found: list[Reason]) -> list[Reason]:
    """Returns those that no test names, without guards."""
    tests = texts_of_tests()
    return [reason for reason in found if not reason.is_guard() and not reason.is_named(tests)]


def stale_guards(found: list[Reason]) -> list[str]:
    """Returns what is named as a guard and is part of no reason."""
    literals = {stripped(literal) for reason in found for literal in reason.literals}
    return [guard for guards in GUARDS.values() for guard in guards if guard not in literals]


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
    missing, stale = unnamed(found), stale_guards(found)
    for reason in found if options.all else missing:
        print(reason.text)
    for guard in stale:
        print(f"no reason has this guard: {guard}")
    print(f"reasons: {len(found)}, {sum(map(Reason.is_guard, found))} of them guards, {len(missing)} named by no test")
    return 1 if missing or stale else 0


if __name__ == "__main__":
    sys.exit(main())
