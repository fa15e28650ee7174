-- What vacancies are counted by beside where they are, numbered from 0 in its order.
SELECT sector, soc, source, month, (row_number() OVER (ORDER BY sector, soc, source, month) - 1)::INTEGER AS number
FROM (SELECT DISTINCT sector, soc, source, month FROM vacancy)
