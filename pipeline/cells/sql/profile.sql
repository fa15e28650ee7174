-- The combinations of sector, occupation, source and month that vacancies have, numbered from 0 in
-- this order.
SELECT sector, soc, source, month, (row_number() OVER (ORDER BY sector, soc, source, month) - 1)::INTEGER AS number
FROM (SELECT DISTINCT sector, soc, source, month FROM vacancy)
