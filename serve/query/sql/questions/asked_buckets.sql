-- Skills not met, numerators of one skill per bucket of the breakdown.
asked AS (
  SELECT bucket, sum(adverts)::BIGINT AS adverts,
         coalesce(arg_max(level, adverts * 8 - level) FILTER (level > 0), 0)::UTINYINT AS usual
  FROM (
    SELECT CASE $by::VARCHAR WHEN 'place' THEN place WHEN 'sector' THEN sector WHEN 'soc' THEN soc
                             WHEN 'level' THEN level ELSE back END::INTEGER AS bucket,
           level, sum(adverts)::BIGINT AS adverts
    FROM cells_by_skill
    WHERE skill = $skill_code::UINTEGER
      AND place BETWEEN $place_from::USMALLINT AND $place_to::USMALLINT
      AND soc BETWEEN $soc_from::USMALLINT AND $soc_to::USMALLINT
      AND sector BETWEEN $sector_from::UTINYINT AND $sector_to::UTINYINT
      AND source BETWEEN $source_from::UTINYINT AND $source_to::UTINYINT
      AND level BETWEEN $level_from::UTINYINT AND $level_to::UTINYINT
      AND back < $months::TINYINT
    GROUP BY bucket, level
  )
  GROUP BY bucket
)
