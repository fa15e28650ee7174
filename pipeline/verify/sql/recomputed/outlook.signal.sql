-- The signal is computed from the numbers of sources: "gap or no_gap, whichever more of the sources point
-- to; none on a tie" (snapshots/FORMAT.md, outlook).
SELECT file_row_number,
       format('signal is "{}"; {} sources point to a gap, {} to none', signal, sources_gap, sources_no_gap)
FROM outlook
WHERE signal <> CASE WHEN sources_gap > sources_no_gap THEN 'gap'
  WHEN sources_no_gap > sources_gap THEN 'no_gap' ELSE 'none' END
