-- The change on an earlier count in per cent with one decimal, half away from zero: of the exact
-- fraction. Null where there is no number, where the earlier one is 0, and where the column has
-- no room for it (snapshots/FORMAT.md, course_demand.change_pct).
CREATE MACRO tenths_of(value, previous) AS
  sign(value::BIGINT - previous) * ((2000 * abs(value::BIGINT - previous) + previous) // (2 * previous));
CREATE MACRO change_of(value, previous) AS
  CASE WHEN previous > 0 AND tenths_of(value, previous) <= 999999
    THEN (tenths_of(value, previous) * 0.1)::DECIMAL(6,1) END;
-- The date that a table describes (snapshots/FORMAT.md, as_of).
CREATE MACRO describes(name) AS
  CASE WHEN list_contains(string_split(getvariable('people_tables'), ','), name) THEN getvariable('people_as_of')
    ELSE getvariable('as_of') END;
-- The calendar months from a month to the one of as_of. Lists have those from 0 to 23.
CREATE MACRO months_back(month) AS date_diff('month', month, getvariable('as_of')::DATE);
-- The first month of the calendar quarter of a month.
CREATE MACRO quarter_of(month) AS date_trunc('quarter', month)::DATE;
-- Whether a list is judged: every one of up to 20,000, of more as many that are drawn for this
-- verification, so that nobody can know beforehand which.
SET VARIABLE drawn = (random() * 2000000000)::INTEGER;
CREATE MACRO is_drawn(number, lists) AS (number + getvariable('drawn')) % (1 + lists // 20000) = 0;
