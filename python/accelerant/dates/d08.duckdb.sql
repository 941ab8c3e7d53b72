select count(*) as messages, count(try_strptime(answered, '%Y-%m-%d %H:%M:%S')) as answered,
    sum(epoch(try_strptime(answered, '%Y-%m-%d %H:%M:%S'))::bigint - seconds) as waited
from messages
