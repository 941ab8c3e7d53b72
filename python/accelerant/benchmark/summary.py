"""Sums up many rows, so that answers can be compared without carrying them from process to process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from accelerant.benchmark.task import Report, text, texts

if TYPE_CHECKING:
    import pandas


def of_rows(report: Report, rows: Iterable[Iterable[object]]) -> Report:
    """Returns a report with all rows, for answers that are short."""
    return replace(report, answer=texts(rows))


def day_or_text(value: object) -> str:
    """Returns a value as text; some engines hand days to pandas as their first moment."""
    return (text(value) or "").removesuffix(" 00:00:00")


def of_frame(report: Report, frame: pandas.DataFrame) -> Report:
    """Returns a report that sums up a frame: of each column the number of values, the least and the greatest."""
    from pandas.util import hash_pandas_object

    columns = [frame[name].dropna() for name in frame.columns]
    answer = [
        [name, str(len(column)), day_or_text(column.min()), day_or_text(column.max())]
        for name, column in zip(frame.columns, columns, strict=True)
    ]
    # The sum does not depend on the order of the rows, which no engine promises.
    checksum = str(int(hash_pandas_object(frame, index=False).sum()))
    return replace(report, answer=answer, rows=len(frame), checksum=checksum)


def of_files(report: Report, folder: Path) -> Report:
    """Returns a report that sums up the Parquet files of a folder; DuckDB reads them, whoever has written them."""
    import duckdb

    with duckdb.connect() as connection:
        rows = connection.read_parquet(f"{folder}/*.parquet")
        names = ", ".join(f'"{name}"' for name in rows.columns)
        ((count, checksum),) = rows.aggregate(f"count(*), sum(hash({names})::hugeint)").fetchall()
        answer = [
            [name, *texts(rows.aggregate(f'count("{name}"), min("{name}"), max("{name}")').fetchall())[0]]
            for name in rows.columns
        ]
    return replace(report, answer=answer, rows=count, checksum=str(checksum))
