-- A part of a string.
select count(*) as hits
from hits
where url like '%recipes%garden%'
