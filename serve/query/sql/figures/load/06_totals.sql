-- The denominators of the shares, with what tells whether three employers contribute: sums
-- of the two smallest numbers of employers (one number twice, where there is only one). A source is a bit.
-- Cells of occupations stand here twice: in the order of occupations for questions about
-- many places, and in the order of places for questions about one.
CREATE TABLE totals AS
WITH cells AS (
  SELECT place_code, soc_code, sector_code, source_code, months_back, adverts, in_council, in_area, 1::BIGINT << source_code AS source,
         employer_3 IS NOT NULL AS third, employer_1::BIGINT AS low, coalesce(employer_2, employer_1)::BIGINT AS high,
         low + high AS numbers, low * low + high * high AS squares
  FROM rollup_totals),
placed AS (FROM cells WHERE soc_code >= 0 ORDER BY place_code, soc_code, sector_code)
SELECT false AS one_place, * FROM cells UNION ALL SELECT true, * FROM placed;
DROP TABLE rollup_totals;
