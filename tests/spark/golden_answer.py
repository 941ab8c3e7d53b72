"""Answers to statements: Spark's golden files, and what a session answered, in comparable form."""

import re
from dataclasses import dataclass
from pathlib import Path

# Spark's suite keeps its tables in a folder of its own name, which its golden files cut out of paths.
SUITE = "org.apache.spark.sql.SQLQueryTestSuite"
EMPTY_SCHEMA = "struct<>"
MASK = "[not included in comparison]"

# What changes from run to run, and what golden files have in its place.
MASKED = [
    (re.compile(pattern), replacement.replace("MASK", MASK))
    for pattern, replacement in (
        (r"#\d+", "#x"),
        (r"plan_id=\d+", "plan_id=x"),
        (rf"Location.*{SUITE}/", r"Location MASK/{warehouse_dir}/"),
        (rf"file:[^\s,]*{SUITE}", r"file:MASK/{warehouse_dir}"),
        (r"Created By.*", "Created By MASK"),
        (r"Created Time.*", "Created Time MASK"),
        (r"Last Access.*", "Last Access MASK"),
        (r"Owner[\t ]+(.*)", "Owner\tMASK"),
        (r"CTERelationDef \d+,", "CTERelationDef xxxx,"),
        (r"CTERelationRef \d+,", "CTERelationRef xxxx,"),
        (r"cterelationdef \d+,", "cterelationdef xxxx,"),
        (r"cterelationref \d+,", "cterelationref xxxx,"),
        (r"UnionLoop \d+", "UnionLoop xxxx"),
        (r"UnionLoopRef \d+,", "UnionLoopRef xxxx,"),
        (r"Loop id: \d+", "Loop id: xxxx"),
        (r"@\w*,", "@xxxxxxxx,"),
        (r"\*\(\d+\) ", "*"),
        (rf'"location":.*?{SUITE}/', r'"location": "MASK/{warehouse_dir}/'),
        (r'"(created_by|created_time|last_access|owner)":".*?"', r'"\1 MASK":"None"'),
        (r"transient_lastDdlTime=\d+", "transient_lastDdlTime=MASK"),
        (r'"transient_lastDdlTime":"\d+"', '"transient_lastDdlTime MASK":"None"'),
        (r'"partition_statistics":"\d+"', '"partition_statistics MASK":"None"'),
    )
]

# A file's size is its writer's, and the cell is as wide as that has digits: those of golden files have four.
STATISTICS = re.compile(r"Partition Statistics\t(\d+)( bytes(?:, \d+ rows)?)( *)")
USUAL_DIGITS = 4

# Tasks and stages in messages that wrap an error.
PLACES = re.compile(r"TID \d+|stage \d+\.\d+|task \d+\.\d+")
BLOCK = re.compile(r"^-- !query.*\n", re.MULTILINE)


NODE = re.compile(r"[\s:|+-]*(\w+)")
UNORDERED = {"Aggregate", "Distinct", "Generate", "Join", "Sample"}


@dataclass(frozen=True)
class Answer:
    """A schema and lines of output: rows as Hive prints them, or the class and the message of an error."""

    schema: str
    output: str

    @property
    def text(self) -> str:
        """The answer for people."""
        return f"{self.schema}\n{self.output}"


def masked_statistics(found: re.Match[str]) -> str:
    """Returns a partition's statistics without the size of its files."""
    digits, rest, padding = found.groups()
    spaces = len(padding) + len(digits) - USUAL_DIGITS
    return f"Partition Statistics\t{MASK}{rest}{' ' * spaces}"


def masked(line: str) -> str:
    """Replaces what changes from run to run."""
    for pattern, replacement in MASKED:
        line = pattern.sub(replacement, line)
    return STATISTICS.sub(masked_statistics, line)


def java_order(line: str) -> bytes:
    """Returns what Java compares strings by: units of UTF-16."""
    return line.encode("utf-16-be", "surrogatepass")


def is_ordered(tree: str) -> bool:
    """Says, from the text of an analyzed plan, whether its rows have an order, by the rule of Spark's suite.

    A sort of all rows gives one, unless something above it loses the order; so do descriptions of tables.
    """
    path: list[tuple[int, bool]] = []  # above a node: how deep, and whether an order would come through
    for match in filter(None, map(NODE.match, tree.splitlines())):
        depth, name = match.start(1) // 3, match.group(1)
        if path and depth == 0:
            continue  # a literal of several lines
        while path and path[-1][0] >= depth:
            path.pop()
        # Plans of subqueries stand two steps below the node that has them.
        open_above = not path or (path[-1][1] and depth == path[-1][0] + 1)
        is_open = open_above and name not in UNORDERED
        if is_open and (name.startswith("Describe") or (name == "Sort" and "], true" in match.string)):
            return True
        path.append((depth, is_open))
    return False


def of_rows(schema: str, rows: list[str], ordered: bool) -> Answer:
    """Returns the answer that a query's rows make; without an order of the query's they are sorted by their text."""
    lines = [masked(row) for row in rows]
    return Answer(schema, stripped("\n".join(lines if ordered else sorted(lines, key=java_order))))


def of_error(class_name: str, message: str) -> Answer:
    """Returns the answer that an error makes."""
    return Answer(EMPTY_SCHEMA, stripped(f"{class_name}\n{PLACES.sub('', re.sub(r'#[0-9]+', '#x', message))}"))


def stripped(output: str) -> str:
    """Cuts off white space at the end, as golden files do not keep it."""
    return output.rstrip()


def read_golden(path: Path) -> list[tuple[str, Answer]]:
    """Reads a golden file: each statement with its answer."""
    blocks = BLOCK.split(path.read_text())[1:]
    triples = zip(blocks[0::3], blocks[1::3], blocks[2::3], strict=True)
    return [(sql.strip(), Answer(schema.strip(), stripped(output))) for sql, schema, output in triples]


def golden_path(results: Path, name: str, java: int) -> Path:
    """Returns the golden file of an input; where Java 21 prints numbers otherwise, there is one for it."""
    newer = results / f"{name}.out.java21"
    return newer if java >= 21 and newer.is_file() else results / f"{name}.out"


NUMBER = re.compile(r"-?\d+\.\d+(?:E-?\d+)?")
# Sums of floating-point numbers are exact here, and depend on the order of rows on Spark.
FLOAT_TOLERANCE = 1e-12


def difference(answer: Answer, other: Answer) -> str:
    """Says how answers differ: not (""), in the `order` of the same rows, in last `digits` of floats, or in `rows`."""
    if answer == other:
        return ""
    if answer.schema != other.schema or answer.schema == EMPTY_SCHEMA:
        return "rows"
    lines, others = answer.output.split("\n"), other.output.split("\n")
    if sorted(lines) == sorted(others):
        return "order"
    return "digits" if len(lines) == len(others) and all(map(are_close, lines, others)) else "rows"


def are_close(line: str, other: str) -> bool:
    """Says whether lines are equal but for last digits of numbers with a point."""
    if NUMBER.sub("", line) != NUMBER.sub("", other):
        return False
    pairs = zip(map(float, NUMBER.findall(line)), map(float, NUMBER.findall(other)), strict=False)
    return all(abs(a - b) <= FLOAT_TOLERANCE * max(abs(a), abs(b)) for a, b in pairs)
