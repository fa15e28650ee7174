-- The change from an earlier count in per cent, rounded from the exact fraction to one decimal, half
-- away from zero. It is null if either count is not a number, the earlier count is 0, or the change
-- does not fit the column (snapshots/FORMAT.md, course_demand.change_pct).
CREATE MACRO tenths_of(value, previous) AS
  sign(value::BIGINT - previous) * ((2000 * abs(value::BIGINT - previous) + previous) // (2 * previous));
CREATE MACRO change_of(value, previous) AS
  CASE WHEN previous > 0 AND tenths_of(value, previous) <= 999999
    THEN (tenths_of(value, previous) * 0.1)::DECIMAL(6,1) END;
-- The date that a table describes (snapshots/FORMAT.md, as_of).
CREATE MACRO describes(name) AS
  CASE WHEN list_contains(string_split(getvariable('people_tables'), ','), name) THEN getvariable('people_as_of')
    ELSE getvariable('as_of') END;
-- Whether an embargoed dataset is open.
CREATE MACRO is_open(name) AS list_contains(string_split(getvariable('open'), ','), name);
-- Whether the operator withdrew the figures of people of a skill, or all of them ("*").
CREATE MACRO is_withdrawn(skill) AS
  list_has_any(string_split(getvariable('withdrawn'), ','), [skill, '*']);
-- The lengths of the windows of lists, in months (snapshots/FORMAT.md, lists).
CREATE MACRO windows() AS string_split(getvariable('windows'), ' ')::INTEGER[];
-- The number of calendar months from a month to the month of as_of.
CREATE MACRO months_back(month) AS date_diff('month', month, getvariable('as_of')::DATE);
-- Whether a month is in the longest window. Lists count only these months.
CREATE MACRO is_recent(month) AS months_back(month) BETWEEN 0 AND list_max(windows()) - 1;
-- The first month of the calendar quarter of a month.
CREATE MACRO quarter_of(month) AS date_trunc('quarter', month)::DATE;
-- Whether a list is checked. If there are fewer than 20,000 lists, all are checked. Of more lists, a
-- random sample of 10,000 to 20,000 is checked. Nobody can predict the sample.
SET VARIABLE drawn = (random() * 2000000000)::INTEGER;
CREATE MACRO is_drawn(number, lists) AS (number + getvariable('drawn')) % (1 + lists // 20000) = 0;
