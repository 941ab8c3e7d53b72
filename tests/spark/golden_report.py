"""What came of Spark's SQL tests, for people."""

import re
from collections import Counter
from collections.abc import Iterable

from golden_results import Statement

SHOWN_REASONS = 40
SHOWN_CHARACTERS = 600
KINDS = {
    "native": "native throughout",
    "partly": "native in part",
    "spark": "on Spark",
    "nothing": "nothing to compute, or not planned",
}

# What is particular to one plan in a reason: numbers and names of columns, versions, what types are made of.
PARTICULAR = re.compile(r"#\d+L?|(?<=\bcolumn )\S+ | \(Spark [\d.]+\)")
NESTED = re.compile(r"\b(array|map|struct)<.*>")


def once(statements: Iterable[Statement], folding: str) -> list[Statement]:
    """Returns the statements of one way of folding, each in the first variant of its file."""
    return [s for s in statements if s.key[2] == folding and s.key[1] == 0]


def counts(statements: list[Statement]) -> list[tuple[str, int]]:
    """Counts statements by what came of them."""
    ran = Counter(s.ran for s in statements)
    passing = [s for s in statements if s.plain_passes]
    return [
        ("statements", len(statements)),
        *((text, ran[kind]) for kind, text in KINDS.items()),
        ("native throughout, with bridged calls", sum(s.ran == "native" and bool(s.bridged) for s in statements)),
        ("plain Spark answers as the golden file", len(passing)),
        ("of these, Accelerant does not", sum(s.differs for s in passing)),
        ("but gives the same rows in another order", sum(s.difference == "order" for s in passing)),
        ("but differs in the last digits of floats", sum(s.difference == "digits" for s in passing)),
        (
            "of the others, Accelerant differs from plain Spark",
            sum(s.differs for s in statements) - sum(s.differs for s in passing),
        ),
        ("plain Spark fails by a fault of its own", sum(s.difference == "broken" for s in statements)),
    ]


def count_lines(statements: list[Statement], foldings: list[str]) -> list[str]:
    """Returns the counts of each way of folding, first variants and all of them side by side."""
    columns = [once(statements, folding) for folding in foldings] + [statements]
    tables = [counts(column) for column in columns]
    titles = [*foldings, "all variants"]
    lines = [f"{'':52}" + "".join(f"{title:>14}" for title in titles)]
    for row, (text, _) in enumerate(tables[0]):
        lines.append(f"{text:52}" + "".join(f"{table[row][1]:>14,}" for table in tables))
    return lines


def causes(reason: str) -> set[str]:
    """Returns what a line of a report says of an operator or a setting, without what is particular to one plan."""
    subject, _, text = reason.partition(": ")
    texts = text.split("; ") if text and not subject.startswith("setting ") else [subject]
    return {NESTED.sub(r"\1", PARTICULAR.sub("", part)) for part in texts}


def reason_lines(statements: list[Statement]) -> list[str]:
    """Returns the causes that hold most statements back: how many have it, and how many have no other."""
    having: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for statement in statements:
        if statement.ran in ("partly", "spark"):
            found = set().union(*map(causes, statement.reasons)) or {"no reason given"}
            having.update(found)
            alone.update(found if len(found) == 1 else ())
    ranked = sorted(having, key=lambda name: (-alone[name], -having[name]))[:SHOWN_REASONS]
    return [f"{alone[name]:6,} alone {having[name]:6,} in all  {name[:140]}" for name in ranked]


def bridged_lines(statements: list[Statement]) -> list[str]:
    """Returns what is bridged in most statements."""
    named = Counter(name for statement in statements for name in statement.bridged)
    return [f"{count:6,}  {name}" for name, count in named.most_common(SHOWN_REASONS)]


def shortened(text: str) -> str:
    """Cuts a text off where it gets long."""
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def indented(text: str) -> str:
    """Indents a text below its headline."""
    return "\n".join(f"    {line}" for line in shortened(text).splitlines())


def difference_lines(statements: list[Statement]) -> list[str]:
    """Describes each statement that differs, once for all variants and foldings in which it does so."""
    differing: dict[tuple, list[Statement]] = {}
    for statement in statements:
        if statement.difference:
            differing.setdefault((statement.key[0], statement.key[3]), []).append(statement)
    lines = []
    for (file, number), found in differing.items():
        first = found[0]
        runs = ", ".join(f"{s.key[2]}/{s.key[1]}" for s in found)
        passes = "passes" if first.plain_passes else "differs from the golden file itself"
        headline = f"{file} {number} ({first.difference}; {runs}; ran: {first.ran}; plain Spark {passes})"
        lines += [headline, indented(first.sql)]
        lines += ["  plain:", indented(first.plain.text), "  Accelerant:", indented(first.native.text), ""]
    return lines


def report(version: str, statements: list[Statement], foldings: list[str]) -> list[str]:
    """Returns the whole report on one version of Spark."""
    lines = [f"== Spark {version}", *count_lines(statements, foldings)]
    for folding in foldings:
        lines += ["", f"-- what holds statements back, {folding}", *reason_lines(once(statements, folding))]
        lines += ["", f"-- what is bridged, {folding}", *bridged_lines(once(statements, folding))]
    return [*lines, "", "-- statements that differ", *difference_lines(statements)]
