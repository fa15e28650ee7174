-- The change on an earlier count in per cent with one decimal, half away from zero: of the exact
-- fraction. Null where there is no number, where the earlier one is 0, and where the column has
-- no room for it (snapshots/FORMAT.md, course_demand.change_pct).
CREATE MACRO tenths_of(value, previous) AS
  sign(value::BIGINT - previous) * ((2000 * abs(value::BIGINT - previous) + previous) // (2 * previous));
CREATE MACRO change_of(value, previous) AS
  CASE WHEN previous > 0 AND tenths_of(value, previous) <= 999999 THEN (tenths_of(value, previous) * 0.1)::DECIMAL(6,1) END;
-- The number of an occupation in roll-ups (snapshots/FORMAT.md, rollup_months.soc_code).
CREATE MACRO soc_number(soc) AS CASE soc WHEN '' THEN 0 ELSE (rpad(soc, 4, '0') || length(soc))::INTEGER END;
-- The calendar months from a month to the one of as_of. Roll-ups have those from 0 to 23.
CREATE MACRO months_back(month) AS date_diff('month', month, getvariable('as_of')::DATE);
-- Cells with their counts, put into one number: of each, the hash of the cell times its count is
-- added up. A number that is drawn for this verification is among what is hashed, so that nobody
-- can make two tables for which it is the same.
SET VARIABLE drawn = (random() * 2000000000)::INTEGER;
CREATE MACRO added_up(cell, n) AS coalesce(sum(hash(list_prepend(getvariable('drawn'), cell)::INTEGER[])::HUGEINT * n), 0);
