-- Growing, shrinking and steady occupations, the most detailed groups first.
CREATE TABLE embargoed_trends AS
SELECT row_number() OVER (ORDER BY digits DESC, direction, rank) AS position, * EXCLUDE (as_of, change_pct),
       (change_pct * 10)::BIGINT AS change
FROM read_parquet(getvariable('embargoed') || '/trends.parquet')
ORDER BY position;
