select max((epoch(strptime(compact, '%Y%m%d%H%M%S')) - epoch(strptime(day, '%d/%m/%Y')))::bigint) as latest,
    sum((epoch(strptime(compact, '%Y%m%d%H%M%S')) - epoch(strptime(day, '%d/%m/%Y')))::bigint) as seconds
from messages
