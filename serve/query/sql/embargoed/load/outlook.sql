-- The outlook of each occupation, by country, occupation, region and horizon.
CREATE TABLE embargoed_outlook AS
SELECT row_number() OVER (ORDER BY country, soc, region_code, horizon_months, classification) AS position,
       * EXCLUDE (as_of, projected_change_pct, low_change_pct, high_change_pct),
       (projected_change_pct * 10)::BIGINT AS projected_change, (low_change_pct * 10)::BIGINT AS low_change,
       (high_change_pct * 10)::BIGINT AS high_change,
       region_code = '' OR region_code IN (SELECT code FROM nations()) AS is_national
FROM read_parquet(getvariable('embargoed') || '/outlook.parquet')
ORDER BY position;
