-- The buckets of one skill, ranked, or in the order of the calendar by month; a page
-- begins after the sort key of the last row of the page before. Buckets are numbered in
-- the order of their slugs, months counted back with a minus; occupations that are known
-- to a wider group only are in none. Areas overlap boroughs, and stand behind them.
WITH summed AS (
  SELECT CASE $by::VARCHAR WHEN 'place' THEN place_code WHEN 'sector' THEN sector_code WHEN 'soc' THEN soc_code // 10 WHEN 'month' THEN -months_back ELSE 0 END::SMALLINT AS bucket,
         sum(adverts) AS adverts, bit_or(source) AS sources, bool_or(third) AS third, min(low) AS low, max(high) AS high,
         2 * count(*) AS employers, sum(numbers) AS numbers, sum(squares) AS squares
  FROM totals
  WHERE place_code BETWEEN $place_from::SMALLINT AND $place_to::SMALLINT AND soc_code BETWEEN $soc_from::INTEGER AND $soc_to::INTEGER
    AND sector_code BETWEEN $sector_from::SMALLINT AND $sector_to::SMALLINT AND source_code BETWEEN $source_from::SMALLINT AND $source_to::SMALLINT
    AND months_back < $window::TINYINT AND ($by::VARCHAR <> 'soc' OR soc_code % 10 = 4)
  GROUP BY bucket),
-- Groups of fewer than 5 adverts, or of fewer than 3 employers, are left out. Of employers'
-- numbers n, the sum of (n - low) * (high - n) is above 0 exactly if a third lies between.
total AS (
  FROM summed
  WHERE adverts >= 5 AND (third OR (low + high) * numbers - squares > employers * low * high)),
asked AS (
  SELECT CASE $by::VARCHAR WHEN 'place' THEN place_code WHEN 'sector' THEN sector_code WHEN 'soc' THEN soc_code // 10 WHEN 'month' THEN -months_back ELSE level END::SMALLINT AS bucket,
         level, sum(adverts) AS adverts
  FROM rollup_months
  WHERE skill_code = $skill::SMALLINT AND place_code BETWEEN $place_from::SMALLINT AND $place_to::SMALLINT
    AND soc_code BETWEEN $cell_soc_from::INTEGER AND $cell_soc_to::INTEGER AND sector_code BETWEEN $cell_sector_from::SMALLINT AND $cell_sector_to::SMALLINT
    AND source_code BETWEEN $source_from::SMALLINT AND $source_to::SMALLINT
    AND months_back < $window::TINYINT AND level BETWEEN $level_from::TINYINT AND $level_to::TINYINT
    AND ($by::VARCHAR <> 'soc' OR soc_code % 10 = 4)
  GROUP BY ALL),
-- The level usually asked is the mode of those stated, the lower one on a tie; that of the
-- register where none is stated. The share of residents is that below the same level.
counted AS (
  SELECT bucket, sum(adverts) AS adverts, coalesce(arg_max(level, 10 * adverts - level) FILTER (level > 0), 0)::TINYINT AS usual_level
  FROM asked GROUP BY bucket),
shared AS (
  SELECT c.bucket, c.usual_level, t.sources, CASE $by::VARCHAR WHEN 'place' THEN c.bucket ELSE $place::SMALLINT END AS place,
         ((2000 * c.adverts + t.adverts) // (2 * t.adverts))::BIGINT AS share
  FROM counted c JOIN total t ON t.bucket = CASE $by::VARCHAR WHEN 'level' THEN 0::SMALLINT ELSE c.bucket END),
scored AS (
  SELECT s.bucket, s.sources, s.place, s.share, r.meant AS usual_level, r.below, s.share * r.below AS score
  FROM shared s JOIN residents r ON r.place = s.place AND r.skill = $skill::SMALLINT AND r.level = s.usual_level),
keyed AS (
  SELECT *, CASE WHEN $by::VARCHAR = 'place' AND bucket IN (SELECT place FROM areas) THEN 1 ELSE 0 END AS behind, CASE $by::VARCHAR WHEN 'month' THEN 0 ELSE coalesce(-score, 1) END AS first, CASE $by::VARCHAR WHEN 'month' THEN 0 ELSE -share END AS second
  FROM scored),
ranked AS (SELECT *, row_number() OVER (ORDER BY behind, first, second, bucket) AS rank FROM keyed)
SELECT r.rank, r.bucket, r.usual_level, r.share, r.below, r.score, r.sources,
       p.people_turned_down, p.people_turned_down_status, p.hired_with_skill, p.turned_down_with_skill
FROM ranked r
LEFT JOIN people p ON p.signature = $signature::TINYINT AND p.window_months = $people_window::TINYINT AND p.skill = $skill::SMALLINT
                  AND p.place = CASE $by::VARCHAR WHEN 'place' THEN r.place ELSE $people_place::SMALLINT END
                  AND p.value = CASE $by::VARCHAR WHEN 'place' THEN $people_value::SMALLINT ELSE r.bucket END
WHERE (r.behind, r.first, r.second, $skill::SMALLINT, r.bucket) > ($after_behind::TINYINT, $after_score::BIGINT, $after_share::BIGINT, $after_skill::SMALLINT, $after_bucket::SMALLINT)
ORDER BY r.rank
LIMIT $limit::BIGINT;
