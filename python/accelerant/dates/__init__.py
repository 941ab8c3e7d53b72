"""Ten questions to dates and times that are texts, or are to become texts, by patterns."""

from pathlib import Path

from accelerant.query_group import QueryGroup

GROUP = QueryGroup(Path(__file__).resolve().parent, ("messages",), 1_000_000)
