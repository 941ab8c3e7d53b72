-- The time that the table spans.
select min(event_date) as first_day, max(event_date) as last_day, min(event_time) as first_hit,
    max(event_time) as last_hit
from hits
