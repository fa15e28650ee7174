-- sources_agreeing is the number of distinct sources in pointing_sources.
SELECT file_row_number, format('sources_agreeing is {}; pointing_sources names {}', sources_agreeing, named)
FROM (SELECT file_row_number, sources_agreeing,
             CASE pointing_sources WHEN '' THEN 0 ELSE len(string_split(pointing_sources, ',')) END AS named
      FROM skills_gaps)
WHERE sources_agreeing <> named
