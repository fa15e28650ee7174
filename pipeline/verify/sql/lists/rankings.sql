-- The rankings of a list are the sums of the cells of adverts that match its filters, by skill
-- (snapshots/FORMAT.md, rankings). If there are many lists, only a random sample is checked.
WITH picked AS (FROM lists WHERE month IS NULL AND is_drawn(list, (SELECT count(*) FROM lists))),
stored AS (SELECT list, skill, adverts FROM rankings SEMI JOIN picked USING (list)),
widened AS (
  SELECT a.skill, a.place, a.adverts, months_back(a.month) AS back, o.source, left(a.soc, d.digits) AS soc, s.sector
  FROM adverts a, LATERAL (SELECT unnest([a.source, ''])) o(source),
    LATERAL (SELECT unnest(list_distinct([a.sector, '']))) s(sector),
       LATERAL (SELECT unnest(range(length(a.soc) + 1))) d(digits)
  WHERE months_back(a.month) BETWEEN 0 AND 23),
counted AS (
  SELECT l.list, w.skill, sum(w.adverts) AS adverts
  FROM picked l
  JOIN widened w ON w.source = l.source AND w.soc = l.soc AND w.sector = l.sector AND w.place = l.place
    AND w.back < l.window_months
  GROUP BY l.list, w.skill)
SELECT -1, format('{} adverts of list {} ask for {}; adverts adds up to {}', coalesce(s.adverts, 0),
                  coalesce(s.list, c.list), coalesce(s.skill, c.skill), coalesce(c.adverts, 0))
FROM stored s FULL JOIN counted c ON c.list = s.list AND c.skill = s.skill
WHERE s.adverts IS DISTINCT FROM c.adverts
