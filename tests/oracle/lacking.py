"""What the engine lacks, for queries with islands."""

# Numbers the rows of a window. The engine has no frames of so many rows.
PLACE = "count(*) over (partition by n order by id rows between 2000000000 preceding and current row)"
# Why, as a report says it.
REASON = "a frame of more rows than 2^30"
