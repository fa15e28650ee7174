-- The people who are counted for each skill. For each person it has the latest event of being
-- hired, of being turned down, and of being turned down for the skill. Each person is thus in one
-- cell of every filter, and the number of people is the number of rows. The filters are the sector,
-- SOC and source of the vacancy, the level that it asks for, and the place (empty = none). The rows
-- are never published (protected zone).
WITH known AS (
  SELECT o.skill, e.person, e.nth, e.hired, e.vacancy, e.site, o.asked_level, o.held_level >= o.asked_level AS had,
         max(e.nth) OVER (PARTITION BY o.skill, e.person, e.hired) AS last,
         max(CASE WHEN o.turned_down_for AND NOT e.hired THEN e.nth END)
           OVER (PARTITION BY o.skill, e.person, e.hired) AS last_for
  FROM staged_outcome_skills o JOIN event e ON e.ordinal = o.outcome)
SELECT k.skill, o.person, o.nth, coalesce(t.place, '') AS place, v.sector, v.soc, o.asked_level AS level, v.source,
       o.had, o.hired, o.nth = o.last AS latest, o.last_for IS NOT NULL AND o.nth = o.last_for AS latest_for
FROM known o
JOIN skill k ON k.number = o.skill
JOIN applied_vacancy v ON v.ordinal = o.vacancy
LEFT JOIN site t ON t.number = o.site
WHERE o.nth = o.last OR o.nth = o.last_for
ORDER BY k.skill, o.person, o.nth DESC
