-- The outlook of the occupations of one region, or the national one (of the country as a
-- whole and of its nations). A region includes the areas that became part of it. A page begins after
-- a position.
SELECT position, soc, occupation, classification, country, nullif(region_code, ''), horizon_months, signal, sources_gap,
       sources_no_gap,
       projected_change, low_change, high_change, projected_openings, source_keys
FROM embargoed_outlook
WHERE position > $after::BIGINT
  AND country = $country::VARCHAR
  AND CASE WHEN $regions::VARCHAR = '' THEN is_national
           WHEN $regions::VARCHAR = 'K02000001' THEN region_code IN ('', 'K02000001')
           ELSE is_in(region_code, $regions::VARCHAR) END
  AND ($soc::VARCHAR = '' OR starts_with(soc, $soc::VARCHAR))
  AND ($months::BIGINT = 0 OR horizon_months = $months::BIGINT)
ORDER BY position
LIMIT $limit::BIGINT;
