-- Residents, all and by what they are broken down by. A resident's level is the
-- highest on record; a sector is sought by those who seek work. True counts, protected zone.
SELECT 'all' AS dimension, '' AS value, count(*)::BIGINT AS residents FROM staged_residents
UNION ALL
SELECT 'borough', borough, count(*) FROM staged_residents GROUP BY borough
UNION ALL
SELECT 'level', level::STRING, count(*)
FROM (SELECT resident, max(level) AS level FROM staged_resident_skills GROUP BY resident) GROUP BY level
UNION ALL
SELECT 'sector_sought', sector_sought, count(*) FROM staged_residents WHERE seeking_work AND sector_sought <> '' GROUP BY sector_sought
UNION ALL
SELECT 'seeking_work', '', count(*) FROM staged_residents WHERE seeking_work
ORDER BY dimension, value
