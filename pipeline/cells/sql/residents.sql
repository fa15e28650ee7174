-- Residents per place (empty = everywhere) and how many of them are below each
-- skill's reference level or have no record of it. True counts, protected zone.
WITH area AS (
  SELECT place, place AS borough FROM borough
  UNION ALL SELECT area, borough FROM member),
home AS (
  SELECT r.ordinal, '' AS place FROM staged_residents r
  UNION ALL
  SELECT r.ordinal, a.place FROM staged_residents r JOIN area a USING (borough)),
population AS (SELECT place, count(*) AS residents FROM home GROUP BY place),
reached AS (
  SELECT h.place, s.skill, count(DISTINCT s.resident) AS at_level
  FROM staged_resident_skills s JOIN skill k ON k.number = s.skill JOIN home h ON h.ordinal = s.resident
  WHERE s.level >= k.reference_level
  GROUP BY ALL)
SELECT p.place, k.skill, p.residents::BIGINT AS residents,
       (p.residents - coalesce(r.at_level, 0))::BIGINT AS below
FROM population p CROSS JOIN skill k
LEFT JOIN reached r ON r.place = p.place AND r.skill = k.number
ORDER BY p.place, k.skill
