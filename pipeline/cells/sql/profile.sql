-- Numbers the combinations of sector, occupation, source and month that vacancies have, from 0.
SELECT sector, soc, source, month, (row_number() OVER (ORDER BY sector, soc, source, month) - 1)::INTEGER AS number
FROM (SELECT DISTINCT sector, soc, source, month FROM vacancy)
