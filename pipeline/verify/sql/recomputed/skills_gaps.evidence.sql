-- pointing_sources are the sources of the evidence that points to a gap for the occupation. News is
-- never counted. The classification follows from the country (snapshots/FORMAT.md, skills_gaps).
WITH pointed AS (
  SELECT country, soc, coalesce(region_code, '') AS region_code,
         array_to_string(list_sort(list(DISTINCT source_key)), ',') AS keys
  FROM evidence
  WHERE signal = 'gap' AND kind <> 'news' AND soc IS NOT NULL
  GROUP BY country, soc, coalesce(region_code, ''))
SELECT g.file_row_number,
       format('pointing_sources is "{}"; evidence of a gap is from "{}"', g.pointing_sources, coalesce(p.keys, ''))
FROM skills_gaps g
LEFT JOIN pointed p ON p.country = g.country AND p.soc = g.soc AND p.region_code = g.region_code
WHERE g.pointing_sources <> coalesce(p.keys, '')
