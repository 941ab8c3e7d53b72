-- Texts of people, with names of months and halves of the day, as texts that sort.
select date_format(to_timestamp(spoken, 'd MMM yyyy h:mm a'), 'yyyy-MM-dd HH') as hour_of_message, count(*) as messages
from messages
group by date_format(to_timestamp(spoken, 'd MMM yyyy h:mm a'), 'yyyy-MM-dd HH')
order by messages desc, hour_of_message
limit 10
