-- The counts of a list are the sums of the cells of adverts_total that match its filters, and it
-- reaches the floor: "A list is shown from 5 adverts of at least 3 employers on"
-- (snapshots/FORMAT.md, lists). If there are many lists, only a random sample is checked.
WITH picked AS (FROM lists SELECT *, file_row_number WHERE is_drawn(list, (SELECT count(*) FROM lists))),
employed AS (
  SELECT source, soc, sector, place, month, months_back(month) AS back,
         unnest([employer_1, employer_2, employer_3]) AS employer,
         unnest([adverts, 0, 0]) AS adverts, unnest([in_council, 0, 0]) AS in_council,
         unnest([in_area, 0, 0]) AS in_area
  FROM adverts_total
  WHERE months_back(month) BETWEEN 0 AND 23),
widened AS (
  SELECT e.* EXCLUDE (source, soc, sector), o.source, left(e.soc, d.digits) AS soc, s.sector
  FROM employed e, LATERAL (SELECT unnest([e.source, ''])) o(source),
    LATERAL (SELECT unnest(list_distinct([e.sector, '']))) s(sector),
       LATERAL (SELECT unnest(range(length(e.soc) + 1))) d(digits)),
counted AS (
  SELECT l.list, sum(w.adverts) AS adverts, sum(w.in_council) AS in_council, sum(w.in_area) AS in_area,
         count(DISTINCT w.employer) AS employers
  FROM picked l
  JOIN widened w ON w.source = l.source AND w.soc = l.soc AND w.sector = l.sector AND w.place = l.place
                AND CASE WHEN l.month IS NULL THEN w.back < l.window_months
                  ELSE w.month >= l.month AND w.month < l.month + to_months(l.window_months) END
  GROUP BY l.list)
SELECT l.file_row_number,
       format('{} adverts, {} in a council and {} in an area; adverts_total adds up to {}, {} and {} of {} employers',
              l.adverts, l.in_council, l.in_area, coalesce(c.adverts, 0), coalesce(c.in_council, 0),
              coalesce(c.in_area, 0), coalesce(c.employers, 0))
FROM picked l LEFT JOIN counted c ON c.list = l.list
WHERE (l.adverts, l.in_council, l.in_area) IS DISTINCT FROM (c.adverts, c.in_council, c.in_area)
  OR l.adverts < 5 OR c.employers < 3
