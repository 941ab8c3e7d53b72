-- Members of structs: filtered, grouped, added up.
select address.city as city, count(*) as baskets, sum(address.point.lat) as lats, max(address.point.lon) as east
from baskets
where address.zip between 20000 and 70000 and address.point.lat > 0
group by address.city
order by baskets desc, city
limit 20
