"""Five questions to two tables that memory is meant to be too short for: a sort, groups, a join, counts, a window."""

from pathlib import Path

from accelerant.query_group import QueryGroup

GROUP = QueryGroup(Path(__file__).resolve().parent, ("facts", "others"), 1_000_000)
