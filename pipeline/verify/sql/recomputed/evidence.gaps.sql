-- An occupation for which evidence points to a gap has a row in skills_gaps.
WITH pointing AS (
  SELECT file_row_number, country, soc, coalesce(region_code, '') AS region_code
  FROM evidence
  WHERE signal = 'gap' AND kind <> 'news' AND soc IS NOT NULL)
SELECT file_row_number, format('points to a gap for {}, which has no row in skills_gaps', soc)
FROM pointing
ANTI JOIN skills_gaps USING (country, soc, region_code)
