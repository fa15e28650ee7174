-- The rankings of a list are the sums of the cells of adverts that match its filters, by skill
-- (snapshots/FORMAT.md, rankings). If there are many lists, only a random sample is checked. kind has
-- the combinations of filters that cells have, and match has those that a list includes.
WITH picked AS (FROM lists WHERE month IS NULL AND is_drawn(list, (SELECT count(*) FROM lists))),
stored AS (SELECT list, skill, adverts FROM rankings SEMI JOIN picked USING (list)),
kind AS (SELECT DISTINCT place, source, soc, sector FROM adverts),
match AS (
  SELECT l.list, l.window_months, k.place, k.source, k.soc, k.sector
  FROM picked l
  JOIN kind k ON k.place = l.place AND l.source IN ('', k.source) AND starts_with(k.soc, l.soc)
    AND l.sector IN ('', k.sector)),
counted AS (
  SELECT m.list, a.skill, sum(a.adverts) AS adverts
  FROM match m
  JOIN adverts a ON a.place = m.place AND a.source = m.source AND a.soc = m.soc AND a.sector = m.sector
    AND months_back(a.month) BETWEEN 0 AND m.window_months - 1
  GROUP BY m.list, a.skill)
SELECT -1, format('{} adverts of list {} ask for {}; adverts adds up to {}', coalesce(s.adverts, 0),
                  coalesce(s.list, c.list), coalesce(s.skill, c.skill), coalesce(c.adverts, 0))
FROM stored s FULL JOIN counted c ON c.list = s.list AND c.skill = s.skill
WHERE s.adverts IS DISTINCT FROM c.adverts
