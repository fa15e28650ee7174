-- The buckets of one skill, ranked, or in the order of the calendar by month; a page
-- begins after the sort key of the last row of the page before. Buckets are numbered in
-- the order of their slugs, months counted back with a minus; occupations that are known
-- to a wider group only are in none. Areas overlap boroughs, and stand behind them.
-- The arguments stand in a table of one row, for the reason given in skills_unmet.sql.
WITH question AS MATERIALIZED (
  SELECT breakdown, one_place, place::SMALLINT AS place, place_from::SMALLINT AS place_from, place_to::SMALLINT AS place_to, soc_from::INTEGER AS soc_from, soc_to::INTEGER AS soc_to,
         sector_from::SMALLINT AS sector_from, sector_to::SMALLINT AS sector_to, cell_soc_from::INTEGER AS cell_soc_from, cell_soc_to::INTEGER AS cell_soc_to,
         cell_sector_from::SMALLINT AS cell_sector_from, cell_sector_to::SMALLINT AS cell_sector_to, source_from::SMALLINT AS source_from, source_to::SMALLINT AS source_to,
         months::TINYINT AS months, level_from::TINYINT AS level_from, level_to::TINYINT AS level_to, skill::SMALLINT AS skill,
         signature::TINYINT AS signature, people_place_from::SMALLINT AS people_place_from, people_place_to::SMALLINT AS people_place_to,
         people_value_from::SMALLINT AS people_value_from, people_value_to::SMALLINT AS people_value_to, people_window::TINYINT AS people_window,
         after_behind::TINYINT AS after_behind, after_score, after_share, after_skill::SMALLINT AS after_skill, after_bucket::SMALLINT AS after_bucket
  FROM (SELECT $by::VARCHAR AS breakdown, $one_place::BOOLEAN AS one_place, $place::BIGINT AS place, $place_from::BIGINT AS place_from, $place_to::BIGINT AS place_to, $soc_from::BIGINT AS soc_from, $soc_to::BIGINT AS soc_to,
               $sector_from::BIGINT AS sector_from, $sector_to::BIGINT AS sector_to, $cell_soc_from::BIGINT AS cell_soc_from, $cell_soc_to::BIGINT AS cell_soc_to,
               $cell_sector_from::BIGINT AS cell_sector_from, $cell_sector_to::BIGINT AS cell_sector_to, $source_from::BIGINT AS source_from, $source_to::BIGINT AS source_to,
               $window::BIGINT AS months, $level_from::BIGINT AS level_from, $level_to::BIGINT AS level_to, $skill::BIGINT AS skill,
               $signature::BIGINT AS signature, $people_place_from::BIGINT AS people_place_from, $people_place_to::BIGINT AS people_place_to,
               $people_value_from::BIGINT AS people_value_from, $people_value_to::BIGINT AS people_value_to, $people_window::BIGINT AS people_window,
               $after_behind::BIGINT AS after_behind, $after_score::BIGINT AS after_score, $after_share::BIGINT AS after_share, $after_skill::BIGINT AS after_skill, $after_bucket::BIGINT AS after_bucket)),
summed AS (
  SELECT CASE q.breakdown WHEN 'place' THEN t.place_code WHEN 'sector' THEN t.sector_code WHEN 'soc' THEN t.soc_code // 10 WHEN 'month' THEN -t.months_back ELSE 0 END::SMALLINT AS bucket,
         sum(t.adverts) AS adverts, bit_or(t.source) AS sources, bool_or(t.third) AS third, min(t.low) AS low, max(t.high) AS high,
         2 * count(*) AS employers, sum(t.numbers) AS numbers, sum(t.squares) AS squares
  FROM totals t JOIN question q
    ON t.one_place = q.one_place AND t.place_code >= q.place_from AND t.place_code <= q.place_to AND t.soc_code >= q.soc_from AND t.soc_code <= q.soc_to
   AND t.sector_code >= q.sector_from AND t.sector_code <= q.sector_to AND t.source_code >= q.source_from AND t.source_code <= q.source_to AND t.months_back < q.months
  WHERE q.breakdown <> 'soc' OR t.soc_code % 10 = 4
  GROUP BY bucket),
-- Groups of fewer than 5 adverts, or of fewer than 3 employers, are left out. Of employers'
-- numbers n, the sum of (n - low) * (high - n) is above 0 exactly if a third lies between.
total AS (
  FROM summed
  WHERE adverts >= 5 AND (third OR (low + high) * numbers - squares > employers * low * high)),
asked AS (
  SELECT CASE q.breakdown WHEN 'place' THEN t.place_code WHEN 'sector' THEN t.sector_code WHEN 'soc' THEN t.soc_code // 10 WHEN 'month' THEN -t.months_back ELSE t.level END::SMALLINT AS bucket,
         t.level, sum(t.adverts) AS adverts
  FROM rollup_months t JOIN question q
    ON t.skill_code = q.skill AND t.place_code >= q.place_from AND t.place_code <= q.place_to AND t.soc_code >= q.cell_soc_from AND t.soc_code <= q.cell_soc_to
   AND t.sector_code >= q.cell_sector_from AND t.sector_code <= q.cell_sector_to AND t.source_code >= q.source_from AND t.source_code <= q.source_to
   AND t.months_back < q.months AND t.level >= q.level_from AND t.level <= q.level_to
  WHERE q.breakdown <> 'soc' OR t.soc_code % 10 = 4
  GROUP BY ALL),
-- The level usually asked is the mode of those stated, the lower one on a tie; that of the
-- register where none is stated. The share of residents is that below the same level.
counted AS (
  SELECT bucket, sum(adverts) AS adverts, coalesce(arg_max(level, 10 * adverts - level) FILTER (level > 0), 0)::TINYINT AS usual_level
  FROM asked GROUP BY bucket),
shared AS (
  SELECT q.breakdown, q.skill, CASE q.breakdown WHEN 'place' THEN c.bucket ELSE q.place END AS place, c.bucket, c.usual_level, t.sources,
         ((2000 * c.adverts + t.adverts) // (2 * t.adverts))::BIGINT AS share
  FROM counted c CROSS JOIN question q JOIN total t ON t.bucket = CASE q.breakdown WHEN 'level' THEN 0::SMALLINT ELSE c.bucket END),
scored AS (
  SELECT s.* REPLACE (r.meant AS usual_level), r.below, s.share * r.below AS score
  FROM shared s JOIN residents r ON r.place = s.place AND r.skill = s.skill AND r.level = s.usual_level),
keyed AS (
  SELECT *, CASE WHEN breakdown = 'place' AND bucket IN (SELECT place FROM areas) THEN 1 ELSE 0 END AS behind,
         CASE breakdown WHEN 'month' THEN 0 ELSE coalesce(-score, 1) END AS first, CASE breakdown WHEN 'month' THEN 0 ELSE -share END AS second
  FROM scored),
ranked AS (SELECT *, row_number() OVER (ORDER BY behind, first, second, bucket) AS rank FROM keyed),
printed AS (
  SELECT CASE q.breakdown WHEN 'place' THEN p.place ELSE p.value END AS bucket, p.people_turned_down, p.people_turned_down_status, p.hired_with_skill, p.turned_down_with_skill
  FROM people p JOIN question q
    ON p.signature = q.signature AND p.window_months = q.people_window AND p.skill = q.skill
   AND p.place >= q.people_place_from AND p.place <= q.people_place_to AND p.value >= q.people_value_from AND p.value <= q.people_value_to),
page AS (
  SELECT r.*, p.* EXCLUDE (bucket)
  FROM ranked r CROSS JOIN question q
  LEFT JOIN printed p ON p.bucket = r.bucket
  WHERE (r.behind, r.first, r.second, r.skill, r.bucket) > (q.after_behind, q.after_score, q.after_share, q.after_skill, q.after_bucket)
  ORDER BY r.rank
  LIMIT $limit::BIGINT)
SELECT r.rank, a.skills[r.skill], a.skill_names[r.skill], r.usual_level, coalesce(a.level_names[r.usual_level], r.usual_level::VARCHAR), 'platform', r.share, r.below, printed(r.people_turned_down, r.people_turned_down_status),
       r.hired_with_skill, r.turned_down_with_skill, r.hired_with_skill - r.turned_down_with_skill, r.score,
       CASE r.breakdown WHEN 'month' THEN strftime(a.month + to_months(r.bucket::INTEGER), '%Y-%m') ELSE coalesce(b.value, r.bucket::VARCHAR) END,
       CASE r.breakdown WHEN 'month' THEN strftime(a.month + to_months(r.bucket::INTEGER), '%B %Y') ELSE coalesce(b.name, r.bucket::VARCHAR) END,
       CASE r.breakdown WHEN 'place' THEN b.kind END,
       'platform,' || array_to_string(list_filter(a.source_keys, lambda key, bit: (r.sources >> bit) & 1 = 1), ','), NULL::BIGINT, NULL::BIGINT, NULL::BIGINT
FROM page r CROSS JOIN about a
LEFT JOIN named b ON b.dimension = r.breakdown AND b.code = r.bucket
ORDER BY r.rank;
