-- Forecast skills gaps of one region, or the national ones (of the country as a whole and its
-- nations). A region includes the areas that became part of it. The gaps that most sources agree on
-- come first.
SELECT soc, occupation, classification, country, nullif(region_code, ''), sources_agreeing, pointing_sources,
       base_year, horizon_year, projected_change, projected_openings, source_key
FROM skills_gaps
WHERE country = $country::VARCHAR
  AND CASE WHEN $regions::VARCHAR = ''
           THEN region_code = '' OR region_code IN (SELECT code FROM nations())
           WHEN $regions::VARCHAR = 'K02000001' THEN region_code IN ('', 'K02000001')
           ELSE is_in(region_code, $regions::VARCHAR) END
  AND starts_with(soc, $soc::VARCHAR)
  AND ($horizon::INTEGER = 0 OR horizon_year = $horizon::INTEGER)
ORDER BY sources_agreeing DESC, projected_change DESC NULLS LAST, soc, source_key, horizon_year, base_year
LIMIT $limit::BIGINT;
