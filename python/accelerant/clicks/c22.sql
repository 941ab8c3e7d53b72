-- Pages of one site in two weeks.
select title, count(*) as views
from hits
where counter_id = 62 and event_date between date '2013-07-05' and date '2013-07-18' and do_not_count = 0 and
    is_refresh = 0 and title <> ''
group by title
order by views desc, title
limit 10
