-- Skills are dealt out into parts of about part_rows outcomes, in the order of their
-- slugs: the people of one skill have nothing to do with those of another, so that a
-- country's are counted a few skills at a time, in memory that does not grow with it.
WITH size AS (
  SELECT k.number, k.skill, count(o.skill) AS outcomes
  FROM skill k LEFT JOIN staged_outcome_skills o ON o.skill = k.number
  GROUP BY k.number, k.skill)
SELECT s.number, s.skill, floor((sum(s.outcomes) OVER (ORDER BY s.skill) - s.outcomes) / r.part_rows)::INTEGER AS part
FROM size s CROSS JOIN run r
