-- Texts of which some are no moments: how many, and how long answers took.
select count(*) as messages, count(try_to_timestamp(answered, 'yyyy-MM-dd HH:mm:ss')) as answered,
    sum(unix_timestamp(try_to_timestamp(answered, 'yyyy-MM-dd HH:mm:ss')) - seconds) as waited
from messages
