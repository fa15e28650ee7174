-- The skill that leads the list of each sector, as skills_unmet ranks it with that sector as
-- a filter. The arguments stand in a table of one row, for the reason given there.
WITH question AS MATERIALIZED (
  SELECT one_place, place::SMALLINT AS place, soc_from::INTEGER AS soc_from, soc_to::INTEGER AS soc_to, sector_from::SMALLINT AS sector_from, sector_to::SMALLINT AS sector_to,
         source_from::SMALLINT AS source_from, source_to::SMALLINT AS source_to, months::TINYINT AS months, level_from::TINYINT AS level_from, level_to::TINYINT AS level_to,
         signature::TINYINT AS signature, people_place::SMALLINT AS people_place, people_window::TINYINT AS people_window
  FROM (SELECT $one_place::BOOLEAN AS one_place, $place::BIGINT AS place, $soc_from::BIGINT AS soc_from, $soc_to::BIGINT AS soc_to, $sector_from::BIGINT AS sector_from, $sector_to::BIGINT AS sector_to,
               $source_from::BIGINT AS source_from, $source_to::BIGINT AS source_to, $window::BIGINT AS months, $level_from::BIGINT AS level_from, $level_to::BIGINT AS level_to,
               $signature::BIGINT AS signature, $people_place::BIGINT AS people_place, $people_window::BIGINT AS people_window)),
summed AS (
  SELECT t.sector_code AS sector, sum(t.adverts) AS adverts, bit_or(t.source) AS sources, bool_or(t.third) AS third, min(t.low) AS low, max(t.high) AS high,
         2 * count(*) AS employers, sum(t.numbers) AS numbers, sum(t.squares) AS squares
  FROM totals t JOIN question q
    ON t.one_place = q.one_place AND t.place_code = q.place AND t.soc_code >= q.soc_from AND t.soc_code <= q.soc_to AND t.sector_code >= q.sector_from AND t.sector_code <= q.sector_to
   AND t.source_code >= q.source_from AND t.source_code <= q.source_to AND t.months_back < q.months
  GROUP BY t.sector_code),
total AS (
  FROM summed
  WHERE adverts >= 5 AND (third OR (low + high) * numbers - squares > employers * low * high)),
asked AS (
  SELECT t.sector_code AS sector, t.skill_code AS skill, t.level, sum(t.adverts) AS adverts
  FROM rollup_skills t JOIN question q
    ON t.place_code = q.place AND t.soc_code >= q.soc_from AND t.soc_code <= q.soc_to AND t.sector_code >= q.sector_from AND t.sector_code <= q.sector_to
   AND t.source_code >= q.source_from AND t.source_code <= q.source_to AND t.window_months <= q.months AND t.level >= q.level_from AND t.level <= q.level_to
  GROUP BY t.sector_code, t.skill_code, t.level),
counted AS (
  SELECT sector, skill, sum(adverts) AS adverts, coalesce(arg_max(level, 10 * adverts - level) FILTER (level > 0), 0)::TINYINT AS usual_level
  FROM asked GROUP BY sector, skill),
shared AS (
  SELECT t.sector, t.sources, q.place, c.skill, c.usual_level, ((2000 * c.adverts + t.adverts) // (2 * t.adverts))::BIGINT AS share
  FROM counted c JOIN total t ON t.sector = c.sector CROSS JOIN question q),
scored AS (
  SELECT s.* REPLACE (r.meant AS usual_level), r.below, s.share * r.below AS score
  FROM shared s JOIN residents r ON r.place = s.place AND r.skill = s.skill AND r.level = s.usual_level),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY sector ORDER BY score DESC NULLS LAST, share DESC, skill) AS rank
  FROM scored QUALIFY rank = 1),
page AS (
  SELECT r.*, r.sector AS bucket, p.people_turned_down, p.people_turned_down_status, p.hired_with_skill, p.turned_down_with_skill
  FROM ranked r CROSS JOIN question q
  LEFT JOIN people p ON p.signature = q.signature AND p.place = q.people_place AND p.value = r.sector
                    AND p.window_months = q.people_window AND p.skill = r.skill
  ORDER BY r.sector
  LIMIT $limit::BIGINT)
SELECT r.rank, a.skills[r.skill], a.skill_names[r.skill], r.usual_level, coalesce(a.level_names[r.usual_level], r.usual_level::VARCHAR), 'platform', r.share, r.below, printed(r.people_turned_down, r.people_turned_down_status),
       r.hired_with_skill, r.turned_down_with_skill, r.hired_with_skill - r.turned_down_with_skill, r.score,
       b.value, b.name, NULL::VARCHAR,
       'platform,' || array_to_string(list_filter(a.source_keys, lambda key, bit: (r.sources >> bit) & 1 = 1), ','), NULL::BIGINT, NULL::BIGINT, NULL::BIGINT
FROM page r CROSS JOIN about a
LEFT JOIN named b ON b.dimension = 'sector' AND b.code = r.bucket
ORDER BY r.bucket;
