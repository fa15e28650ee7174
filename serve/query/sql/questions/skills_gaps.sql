-- Forecast skills gaps of a country or one of its regions, those that most
-- sources agree on first.
SELECT soc, occupation, classification, country, region_code, sources_agreeing, pointing_sources,
       base_year, horizon_year, projected_change, projected_openings, source_key
FROM skills_gaps
WHERE country = $country::VARCHAR
  AND region_code = $region::VARCHAR
  AND starts_with(soc, $soc::VARCHAR)
  AND ($horizon::INTEGER = 0 OR horizon_year = $horizon::INTEGER)
ORDER BY sources_agreeing DESC, projected_change DESC NULLS LAST, soc, source_key, horizon_year, base_year
LIMIT $limit::BIGINT;
