"""Ten questions with windows, over one table of sales: partitions of all sizes, half of the rows in a few of them."""

from pathlib import Path

from accelerant.query_group import QueryGroup

GROUP = QueryGroup(Path(__file__).resolve().parent, ("sales",), 1_000_000)
