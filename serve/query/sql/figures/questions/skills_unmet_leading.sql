-- The skill that leads the list of each sector, as skills_unmet ranks it with that sector as
-- a filter.
WITH summed AS (
  SELECT sector_code AS sector, sum(adverts) AS adverts, bit_or(source) AS sources, bool_or(third) AS third, min(low) AS low, max(high) AS high,
         2 * count(*) AS employers, sum(numbers) AS numbers, sum(squares) AS squares
  FROM totals
  WHERE place_code = $place::SMALLINT AND soc_code BETWEEN $soc_from::INTEGER AND $soc_to::INTEGER
    AND sector_code BETWEEN $sector_from::SMALLINT AND $sector_to::SMALLINT AND source_code BETWEEN $source_from::SMALLINT AND $source_to::SMALLINT
    AND months_back < $window::TINYINT
  GROUP BY sector_code),
total AS (
  FROM summed
  WHERE adverts >= 5 AND (third OR (low + high) * numbers - squares > employers * low * high)),
asked AS (
  SELECT sector_code AS sector, skill_code AS skill, level, sum(adverts) AS adverts
  FROM rollup_skills
  WHERE place_code = $place::SMALLINT AND soc_code BETWEEN $soc_from::INTEGER AND $soc_to::INTEGER
    AND sector_code BETWEEN $sector_from::SMALLINT AND $sector_to::SMALLINT AND source_code BETWEEN $source_from::SMALLINT AND $source_to::SMALLINT
    AND window_months <= $window::TINYINT AND level BETWEEN $level_from::TINYINT AND $level_to::TINYINT
  GROUP BY sector_code, skill_code, level),
counted AS (
  SELECT sector, skill, sum(adverts) AS adverts, coalesce(arg_max(level, 10 * adverts - level) FILTER (level > 0), 0)::TINYINT AS usual_level
  FROM asked GROUP BY sector, skill),
shared AS (
  SELECT t.sector, t.sources, c.skill, r.meant AS usual_level, r.below, ((2000 * c.adverts + t.adverts) // (2 * t.adverts))::BIGINT AS share
  FROM counted c JOIN total t ON t.sector = c.sector
  JOIN residents r ON r.place = $place::SMALLINT AND r.skill = c.skill AND r.level = c.usual_level),
ranked AS (
  SELECT *, share * below AS score, row_number() OVER (PARTITION BY sector ORDER BY share * below DESC NULLS LAST, share DESC, skill) AS rank
  FROM shared QUALIFY rank = 1)
SELECT r.rank, r.sector, r.usual_level, r.share, r.below, r.score, r.sources,
       p.people_turned_down, p.people_turned_down_status, p.hired_with_skill, p.turned_down_with_skill, r.skill
FROM ranked r
LEFT JOIN people p ON p.signature = $signature::TINYINT AND p.place = $people_place::SMALLINT AND p.value = r.sector
                  AND p.window_months = $people_window::TINYINT AND p.skill = r.skill
ORDER BY r.sector
LIMIT $limit::BIGINT;
