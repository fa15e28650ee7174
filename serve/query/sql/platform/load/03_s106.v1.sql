-- Section 106 in format version 1, which counts apprenticeships started exactly. What is
-- 1 to 4 people is not told any more.
CREATE TABLE s106 AS
SELECT * EXCLUDE (as_of) REPLACE (CASE WHEN apprenticeships_started BETWEEN 1 AND 4 THEN NULL ELSE apprenticeships_started END AS apprenticeships_started),
       CASE WHEN apprenticeships_started BETWEEN 1 AND 4 THEN 'under_5' ELSE 'number' END AS apprenticeships_started_status
FROM read_parquet(getvariable('tables') || '/s106.parquet') ORDER BY place;
