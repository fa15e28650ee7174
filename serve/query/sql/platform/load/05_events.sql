-- What happened: everybody's events from the table, and those of each partner from a file
-- of their own. An application or an outcome of no partner is shown to nobody. They are
-- there twice, the oldest first and of one time by id, and the other way round. Partners
-- are numbered, since numbers are compared faster than names; 0 = everybody's.
CREATE TABLE partners AS
SELECT row_number() OVER (ORDER BY partner)::SMALLINT AS code, partner
FROM (SELECT DISTINCT partner FROM read_parquet(getvariable('event_files')) WHERE partner <> '');
CREATE TABLE events AS
WITH event AS (
  SELECT e.* EXCLUDE (as_of) REPLACE (coalesce(p.code, 0)::SMALLINT AS partner),
         row_number() OVER (ORDER BY occurred_at, id) AS number
  FROM read_parquet(getvariable('event_files')) e LEFT JOIN partners p USING (partner)
  WHERE p.code > 0 OR type NOT IN ('application.created', 'outcome.recorded') AND outcome IS NULL)
SELECT 'oldest' AS first, number AS position, * EXCLUDE (number) FROM event
UNION ALL
SELECT 'newest', -number, * EXCLUDE (number) FROM event
ORDER BY first, position;

-- The number of events of each day; days are counted from 1970. A page that begins at a time counts only the events of
-- that time's day.
CREATE TABLE event_counts AS
SELECT partner, type, epoch_ms(occurred_at) // 86400000 AS day, count(*) AS events
FROM events WHERE first = 'oldest' GROUP BY ALL;
