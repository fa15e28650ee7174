-- The numbers of sources count the evidence of the sources in source_keys. While the dataset is
-- closed, it also counts embargoed evidence, which is in no table. News is never counted. The
-- classification follows from the country (snapshots/FORMAT.md, outlook).
WITH stated AS (
  SELECT DISTINCT country, soc, coalesce(region_code, '') AS region_code, source_key, signal
  FROM evidence
  WHERE kind <> 'news' AND soc IS NOT NULL),
counted AS (
  SELECT o.file_row_number, o.sources_gap, o.sources_no_gap,
         count(*) FILTER (WHERE t.signal = 'gap') AS gap, count(*) FILTER (WHERE t.signal = 'no_gap') AS no_gap,
         CASE WHEN NOT is_open('outlook') THEN len(string_split(any_value(o.source_keys), ',')) END AS most
  FROM outlook o
  LEFT JOIN stated t ON t.country = o.country AND t.soc = o.soc AND t.region_code = o.region_code
    AND list_contains(string_split(o.source_keys, ','), t.source_key)
  GROUP BY o.file_row_number, o.sources_gap, o.sources_no_gap)
SELECT file_row_number,
       format('{} sources point to a gap, {} to none; evidence of its sources gives {} and {}{}', sources_gap,
              sources_no_gap, gap, no_gap, coalesce(format(', and each is at most {}', most), ''))
FROM counted
WHERE sources_gap NOT BETWEEN gap AND coalesce(most, gap)
  OR sources_no_gap NOT BETWEEN no_gap AND coalesce(most, no_gap)
