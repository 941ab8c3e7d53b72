-- Texts of programs with thousandths of seconds, by the day of the week.
select dayofweek(to_timestamp(precise, "yyyy-MM-dd'T'HH:mm:ss.SSS")) as weekday_of_message, count(*) as messages,
    sum(unix_millis(to_timestamp(precise, "yyyy-MM-dd'T'HH:mm:ss.SSS")) % 1000) as thousandths
from messages
group by dayofweek(to_timestamp(precise, "yyyy-MM-dd'T'HH:mm:ss.SSS"))
order by weekday_of_message
