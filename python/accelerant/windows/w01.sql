-- Three ranks of each sale within its store, by one order with many ties.
select region, sum(place) as places, sum(place_in_rank) as ranks, max(dense_place) as quantities
from (
    select region, row_number() over (partition by store order by quantity desc, id) as place,
        rank() over (partition by store order by quantity desc) as place_in_rank,
        dense_rank() over (partition by store order by quantity desc) as dense_place
    from sales
) as ranked
group by region
order by region
