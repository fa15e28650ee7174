-- The skills that the adverts of a filter ask for, ranked; a page begins after the sort
-- key of the last row of the page before. Nothing that is not printed has a part in the
-- order. Skills are numbered in the order of their slugs.
WITH summed AS (
  SELECT sum(adverts)::BIGINT AS adverts, sum(in_council)::BIGINT AS in_council, sum(in_area)::BIGINT AS in_area, bit_or(source) AS sources,
         bool_or(third) AS third, min(low) AS low, max(high) AS high, 2 * count(*) AS employers, sum(numbers) AS numbers, sum(squares) AS squares
  FROM totals
  WHERE place_code = $place::SMALLINT AND soc_code BETWEEN $soc_from::INTEGER AND $soc_to::INTEGER
    AND sector_code BETWEEN $sector_from::SMALLINT AND $sector_to::SMALLINT AND source_code BETWEEN $source_from::SMALLINT AND $source_to::SMALLINT
    AND months_back < $window::TINYINT),
-- Fewer than 5 adverts, or of fewer than 3 employers, give an empty list. Of employers'
-- numbers n, the sum of (n - low) * (high - n) is above 0 exactly if a third lies between.
total AS (
  FROM summed
  WHERE adverts >= 5 AND (third OR (low + high) * numbers - squares > employers * low * high)),
asked AS (
  SELECT skill_code AS skill, level, sum(adverts) AS adverts
  FROM rollup_skills
  WHERE place_code = $place::SMALLINT AND soc_code BETWEEN $soc_from::INTEGER AND $soc_to::INTEGER
    AND sector_code BETWEEN $sector_from::SMALLINT AND $sector_to::SMALLINT AND source_code BETWEEN $source_from::SMALLINT AND $source_to::SMALLINT
    AND window_months <= $window::TINYINT AND level BETWEEN $level_from::TINYINT AND $level_to::TINYINT
  GROUP BY skill_code, level),
-- The level usually asked is the mode of those stated, the lower one on a tie; that of the
-- register where none is stated. The share of residents is that below the same level.
counted AS (
  SELECT skill, sum(adverts) AS adverts, coalesce(arg_max(level, 10 * adverts - level) FILTER (level > 0), 0)::TINYINT AS usual_level
  FROM asked GROUP BY skill),
shared AS (
  SELECT t.*, c.skill, r.meant AS usual_level, r.below, ((2000 * c.adverts + t.adverts) // (2 * t.adverts))::BIGINT AS share
  FROM counted c JOIN residents r ON r.place = $place::SMALLINT AND r.skill = c.skill AND r.level = c.usual_level CROSS JOIN total t),
ranked AS (SELECT *, share * below AS score, row_number() OVER (ORDER BY share * below DESC NULLS LAST, share DESC, skill) AS rank FROM shared)
SELECT r.rank, r.skill, r.usual_level, r.share, r.below, r.score, r.sources,
       p.people_turned_down, p.people_turned_down_status, p.hired_with_skill, p.turned_down_with_skill,
       r.adverts, r.in_council, r.in_area
FROM ranked r
LEFT JOIN people p ON p.signature = $signature::TINYINT AND p.place = $people_place::SMALLINT AND p.value = $people_value::SMALLINT
                  AND p.window_months = $people_window::TINYINT AND p.skill = r.skill
WHERE r.skill BETWEEN $skill_from::SMALLINT AND $skill_to::SMALLINT
  AND (coalesce(-r.score, 1), -r.share, r.skill) > ($after_score::BIGINT, $after_share::BIGINT, $after_skill::SMALLINT)
ORDER BY r.rank
LIMIT $limit::BIGINT;
