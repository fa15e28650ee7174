-- The unit of counting: one row per skill, person and measure, the person's most
-- recent such event in the 24 months up to people_as_of, with that event's
-- place, sector, SOC, level, source and month. Every person is then in exactly
-- one cell of every dimension, and every count is a plain count of rows.
-- Measures: turned_down_for (named as a reason), hired and turned_down (of
-- applicants to roles that asked for the skill; had = at the level asked).
-- An advert in several boroughs counts people in the applicant's own borough if
-- it is one of them, else in the first by slug.
-- Only the skills of one part are looked at, see parts.go.
CREATE OR REPLACE TABLE outcome AS
WITH event AS (
  SELECT o.skill, o.resident, o.recorded_at, o.application, o.asked_level AS level,
         o.held_level >= o.asked_level AS had, o.hired, o.turned_down_for, o.advert
  FROM staged_outcome_skills o, run
  WHERE o.skill BETWEEN getvariable('first_skill') AND getvariable('last_skill')
    AND o.recorded_at < (run.people_as_of + INTERVAL 1 DAY)
    AND o.recorded_at >= date_trunc('month', run.people_as_of) - INTERVAL 23 MONTH),
measured AS (
  SELECT *, 'turned_down_for' AS measure FROM event WHERE NOT hired AND turned_down_for
  UNION ALL SELECT *, 'hired' FROM event WHERE hired
  UNION ALL SELECT *, 'turned_down' FROM event WHERE NOT hired),
admitted AS (
  SELECT m.*, p.ordinal FROM measured m JOIN platform_advert p ON p.id = m.advert),
latest AS (
  SELECT * FROM admitted
  QUALIFY row_number() OVER (PARTITION BY measure, skill, resident ORDER BY recorded_at DESC, application DESC) = 1),
placed AS (
  SELECT l.measure, l.skill, l.resident, g.place
  FROM latest l
  JOIN vacancy_area g ON g.ordinal = l.ordinal AND g.area_kind = 'borough'
  LEFT JOIN staged_residents r ON r.id = l.resident
  QUALIFY row_number() OVER (PARTITION BY l.measure, l.skill, l.resident ORDER BY (g.place = r.borough) DESC NULLS LAST, g.place) = 1)
SELECT l.measure, l.skill, coalesce(p.place, '') AS place, v.sector, v.soc, l.level::VARCHAR AS level, v.source,
       v.employer,
       date_diff('month', date_trunc('month', l.recorded_at), date_trunc('month', run.people_as_of))::TINYINT AS age,
       l.had
FROM latest l JOIN vacancy v USING (ordinal)
LEFT JOIN placed p ON p.measure = l.measure AND p.skill = l.skill AND p.resident = l.resident
CROSS JOIN run;

INSERT INTO oldest SELECT max(age) FROM outcome;
