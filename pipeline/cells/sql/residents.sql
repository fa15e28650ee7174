-- Residents per place (empty = everywhere), and how many of them are below each level of
-- each skill or have no record of it. True counts, protected zone.
WITH area AS (
  SELECT place, place AS borough FROM borough
  UNION ALL SELECT area, borough FROM member),
home AS (
  SELECT r.ordinal, '' AS place FROM staged_residents r
  UNION ALL
  SELECT r.ordinal, a.place FROM staged_residents r JOIN area a ON a.borough = r.borough),
population AS (SELECT place, count(*) AS residents FROM home GROUP BY place),
held AS (SELECT resident, skill, max(level) AS level FROM staged_resident_skills GROUP BY resident, skill),
level AS (SELECT level FROM (VALUES (1), (2), (3), (4), (5)) v(level)),
reached AS (
  SELECT h.place, s.skill, l.level, count(*) AS at_level
  FROM held s JOIN home h ON h.ordinal = s.resident JOIN level l ON l.level <= s.level
  GROUP BY h.place, s.skill, l.level)
SELECT p.place, k.skill, l.level::TINYINT AS level, p.residents::BIGINT AS residents,
       (p.residents - coalesce(r.at_level, 0))::BIGINT AS below
FROM population p CROSS JOIN skill k CROSS JOIN level l
LEFT JOIN reached r ON r.place = p.place AND r.skill = k.number AND r.level = l.level
ORDER BY k.skill, p.place, l.level
