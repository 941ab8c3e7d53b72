select dayofweek(strptime(precise, '%Y-%m-%dT%H:%M:%S.%g')) + 1 as weekday_of_message, count(*) as messages,
    sum(epoch_ms(strptime(precise, '%Y-%m-%dT%H:%M:%S.%g')) % 1000) as thousandths
from messages
group by dayofweek(strptime(precise, '%Y-%m-%dT%H:%M:%S.%g'))
order by weekday_of_message
