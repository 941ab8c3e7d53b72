-- Groups of two numbers, nearly as many as rows, with averages.
select watch_id, client_ip, count(*) as hits, sum(is_refresh) as refreshes, avg(resolution_width) as width
from hits
group by watch_id, client_ip
order by hits desc, watch_id, client_ip
limit 10
