-- Skills not met, numerators per skill added up from the cells. `usual` is the
-- level that most of the counted adverts state, the lower one on a tie.
asked AS (
  SELECT skill, sum(adverts)::BIGINT AS adverts,
         coalesce(arg_max(level, adverts * 8 - level) FILTER (level > 0), 0)::UTINYINT AS usual
  FROM (
    SELECT skill, level, sum(adverts)::BIGINT AS adverts
    FROM cells_by_soc
    WHERE place = $place_from::USMALLINT
      AND soc BETWEEN $soc_from::USMALLINT AND $soc_to::USMALLINT
      AND sector BETWEEN $sector_from::UTINYINT AND $sector_to::UTINYINT
      AND source BETWEEN $source_from::UTINYINT AND $source_to::UTINYINT
      AND level BETWEEN $level_from::UTINYINT AND $level_to::UTINYINT
      AND back < $months::TINYINT
    GROUP BY skill, level
  )
  GROUP BY skill
)
