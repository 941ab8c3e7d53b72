-- Seconds between two texts of different forms.
select max(unix_timestamp(compact, 'yyyyMMddHHmmss') - unix_timestamp(day, 'dd/MM/yyyy')) as latest,
    sum(unix_timestamp(compact, 'yyyyMMddHHmmss') - unix_timestamp(day, 'dd/MM/yyyy')) as seconds
from messages
