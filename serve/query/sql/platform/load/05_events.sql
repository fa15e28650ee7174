-- The events for all partners, from the table, and those of each partner, from a file of their own.
-- An application or an outcome without a partner is shown to nobody. Each event is stored twice:
-- once in the order of time and id, once in the reverse order. Partners are numbered, because
-- numbers are compared faster than names; 0 = all partners.
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

-- The number of events per day, in days since 1970. A page that begins at a time has to count only
-- the events of one day.
CREATE TABLE event_counts AS
SELECT partner, type, epoch_ms(occurred_at) // 86400000 AS day, count(*) AS events
FROM events WHERE first = 'oldest' GROUP BY ALL;

-- A digest of the events of each partner: their number, and the MD5 hashes of the events, combined
-- by exclusive or. It is of the events only. The bytes of the files differ in every snapshot,
-- because they name it. The empty partner has the events for all partners.
CREATE TABLE event_digests AS
SELECT coalesce(p.partner, '') AS partner,
       count(*) || ' ' || bit_xor(md5_number(concat_ws('|', e.id, e.type, epoch_ms(e.occurred_at),
         coalesce(e.advert, ''), coalesce(e.borough, ''), coalesce(e.outcome, '')))) AS digest
FROM events e LEFT JOIN partners p ON p.code = e.partner
WHERE e.first = 'oldest' GROUP BY ALL;
