-- The counts of a list are the sums of the cells of adverts_total that match its filters, its
-- sources are those of these cells, and it reaches the floor: "A list is shown from 5 adverts of at
-- least 3 employers on" (snapshots/FORMAT.md, lists). If there are many lists, only a random sample
-- is checked. kind has the combinations of filters that cells have, and match has those that a list
-- includes.
WITH picked AS (FROM lists SELECT *, file_row_number WHERE is_drawn(list, (SELECT count(*) FROM lists))),
kind AS (SELECT DISTINCT place, source, soc, sector FROM adverts_total),
match AS (
  SELECT l.list, l.window_months, l.month, k.place, k.source, k.soc, k.sector
  FROM picked l
  JOIN kind k ON k.place = l.place AND l.source IN ('', k.source) AND starts_with(k.soc, l.soc)
    AND l.sector IN ('', k.sector)),
employed AS (
  SELECT source, soc, sector, place, month, months_back(month) AS back,
         unnest([employer_1, employer_2, employer_3]) AS employer,
         unnest([adverts, 0, 0]) AS adverts, unnest([in_council, 0, 0]) AS in_council,
         unnest([in_area, 0, 0]) AS in_area
  FROM adverts_total
  WHERE is_recent(month)),
counted AS (
  SELECT m.list, sum(e.adverts) AS adverts, sum(e.in_council) AS in_council, sum(e.in_area) AS in_area,
         count(DISTINCT e.employer) AS employers,
         array_to_string(list_sort(list(DISTINCT e.source)), ',') AS sources
  FROM match m
  JOIN employed e ON e.place = m.place AND e.source = m.source AND e.soc = m.soc AND e.sector = m.sector
                AND CASE WHEN m.month IS NULL THEN e.back < m.window_months
                  ELSE e.month >= m.month AND e.month < m.month + to_months(m.window_months) END
  GROUP BY m.list)
SELECT l.file_row_number, CASE
    WHEN l.sources <> c.sources THEN format('sources is "{}"; adverts_total has adverts of "{}"', l.sources, c.sources)
    ELSE format('{} adverts, {} in a council and {} in an area; adverts_total adds up to {}, {} and {} of {} employers',
                l.adverts, l.in_council, l.in_area, coalesce(c.adverts, 0), coalesce(c.in_council, 0),
                coalesce(c.in_area, 0), coalesce(c.employers, 0)) END
FROM picked l LEFT JOIN counted c ON c.list = l.list
WHERE (l.adverts, l.in_council, l.in_area) IS DISTINCT FROM (c.adverts, c.in_council, c.in_area)
  OR l.adverts < 5 OR c.employers < 3 OR l.sources <> c.sources
