"""Compares answers: the same rows in the same order, but for rows that the query does not order.

Rows whose sort keys are equal may come in any order, and where a limit cuts through such rows it may be any of them.
That is known only where all sort keys are columns of the answer; otherwise all rows have to be the same. Floats are
equal within a tolerance, as sums of them depend on the order in which they are added.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from accelerant.benchmark.results import equal_values
from jobs.answers import equal, first_difference, put_in_order

Row = list[object]


@dataclass(frozen=True)
class Answer:
    """The rows of a query, and how it orders them: the columns that are sort keys, up to the first that is none."""

    rows: list[Row]
    keys: list[int]
    is_ordered_by_columns: bool = False
    limit: int | None = None

    @staticmethod
    def of(reply: dict) -> "Answer":
        """Reads what a worker has answered."""
        return Answer(reply["rows"], reply["keys"], reply["is_ordered_by_columns"], reply["limit"])

    @property
    def is_cut(self) -> bool:
        """Says whether the limit may have cut through rows of equal keys."""
        return self.is_ordered_by_columns and len(self.rows) == self.limit

    def key(self, row: Row) -> Row:
        """Returns the sort keys of a row."""
        return [row[column] for column in self.keys]

    def ties(self) -> Iterator[tuple[int, int]]:
        """Yields where rows of equal keys begin and end."""
        begin = 0
        for i in range(1, len(self.rows) + 1):
            if i == len(self.rows) or not equal(self.key(self.rows[i]), self.key(self.rows[begin])):
                yield begin, i
                begin = i


def difference(found: Answer, expected: Answer) -> str:
    """Says how an answer differs from the one that is right; empty where it does not."""
    mine, other = found.rows, expected.rows
    if len(mine) != len(other):
        return f"{len(mine)} rows instead of {len(other)}"
    keys = [list(map(expected.key, rows)) for rows in (mine, other)]
    if not equal(*keys):
        return f"sort keys: {first_difference(*keys)}"
    for begin, end in expected.ties():
        rows = put_in_order(mine[begin:end]), put_in_order(other[begin:end])
        if not equal(*rows) and not (expected.is_cut and end == len(other)):
            return f"rows {begin + 1} to {end}: {first_difference(*rows)}"
    return ""


def is_about(found: list[Row], expected: list[Row]) -> bool:
    """Says whether another engine has the same rows, in any order.

    Numbers are compared within some digits, texts without blanks behind.
    """
    mine, other = (sorted(map(loose, rows), key=rough) for rows in (found, expected))
    pairs = (pair for rows in zip(mine, other, strict=False) for pair in zip(*rows, strict=False))
    return list(map(len, mine)) == list(map(len, other)) and all(equal_values(*pair) for pair in pairs)


def loose(row: Row) -> list[str | None]:
    """Returns a row as texts."""
    return [None if value is None else str(value).rstrip() for value in row]


def rough(row: list[str | None]) -> list[str]:
    """Returns what loose rows are put in order by: of numbers the first digits, which other engines have as well."""
    return [rough_text(value) for value in row]


def rough_text(value: str | None) -> str:
    """Returns a text, of a number its first digits."""
    try:
        return f"{float(value):.4e}"
    except (TypeError, ValueError):
        return value or ""
