-- Views by the minute of two days.
select date_trunc('minute', event_time) as minute_of_view, count(*) as views
from hits
where counter_id < 200 and event_date between date '2013-07-14' and date '2013-07-15' and do_not_count = 0
group by date_trunc('minute', event_time)
order by minute_of_view
limit 10 offset 1000
