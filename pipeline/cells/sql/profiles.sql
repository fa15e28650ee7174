-- What counted vacancies are counted by beside where they are, by the numbers from 0.
SELECT sector, soc, source, month FROM profile ORDER BY number
