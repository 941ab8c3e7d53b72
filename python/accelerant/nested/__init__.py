"""Ten questions to nested columns: arrays, structs and maps of baskets, and of the customers whose they are."""

from pathlib import Path

from accelerant.query_group import QueryGroup

GROUP = QueryGroup(Path(__file__).resolve().parent, ("baskets", "customers"), 1_000_000)
