-- Counted adverts that ask for a skill, per cell.
SELECT s.skill, s.level, g.area_kind, g.place, v.sector, v.soc, v.source, v.month,
       count(*)::INTEGER AS adverts
FROM staged_advert_skills s
JOIN vacancy v USING (ordinal)
JOIN vacancy_area g USING (ordinal)
GROUP BY ALL
ORDER BY g.area_kind, g.place, s.skill, s.level, v.sector, v.soc, v.source, v.month
