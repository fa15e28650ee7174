-- The signal follows from the numbers of sources: gap if more of them point to a gap, no_gap if
-- fewer do, otherwise none.
SELECT file_row_number,
       format('signal is "{}"; {} sources point to a gap, {} to none', signal, sources_gap, sources_no_gap)
FROM outlook
WHERE signal <> CASE WHEN sources_gap > sources_no_gap THEN 'gap'
  WHEN sources_no_gap > sources_gap THEN 'no_gap' ELSE 'none' END
