-- The published combinations of filters ("lists"), as numbers: those that reach the floor of
-- adverts and employers. There are lists for each window up to as_of (age is null), for single months
-- (window 1), and for calendar quarters that begin in the longest window (window 3). age is how many
-- months before that of as_of the month or the quarter begins.
-- sources has one bit for each source, as in profile_combination. posted has one row for each employer
-- and month, so monthly counts its employers by counting rows, and so does entered.
WITH posted AS (
  SELECT c.site, m.combination, m.age, c.employer, bit_or(m.source) AS sources, count(*) AS adverts,
         count(*) FILTER (WHERE c.placed = 2) AS in_council, count(*) FILTER (WHERE c.placed = 1) AS in_area
  FROM vacancy_cell c
  JOIN profile_combination m ON m.profile = c.profile
  GROUP BY c.site, m.combination, m.age, c.employer),
monthly AS (
  SELECT site, combination, age, bit_or(sources) AS sources, sum(adverts) AS adverts, sum(in_council) AS in_council,
         sum(in_area) AS in_area, count(*) AS employers
  FROM posted
  GROUP BY site, combination, age),
begun AS (SELECT p.*, p.age + (r.month - p.age - 1) % 3 AS first, r.longest_window
          FROM posted p CROSS JOIN run r),
quarterly AS (
  SELECT site, combination, first, bit_or(sources) AS sources, sum(adverts) AS adverts, sum(in_council) AS in_council,
         sum(in_area) AS in_area, count(DISTINCT employer) AS employers
  FROM begun
  WHERE first < longest_window
  GROUP BY site, combination, first),
-- An employer counts in every window that contains its latest advert.
latest AS (SELECT site, combination, employer, min(age) AS age FROM posted GROUP BY site, combination, employer),
entered AS (SELECT site, combination, age, count(*) AS employers FROM latest GROUP BY site, combination, age),
windowed AS (
  SELECT m.site, m.combination, w.months, bit_or(m.sources) AS sources, sum(m.adverts) AS adverts,
         sum(m.in_council) AS in_council,
         sum(m.in_area) AS in_area, sum(coalesce(e.employers, 0)) AS employers
  FROM monthly m
  JOIN advert_window w ON m.age < w.months
  LEFT JOIN entered e ON e.site = m.site AND e.combination = m.combination AND e.age = m.age
  GROUP BY m.site, m.combination, w.months),
counted AS (
  SELECT site, combination, months AS window_months, NULL::TINYINT AS age, sources, adverts, in_council, in_area,
         employers
  FROM windowed
  UNION ALL
  SELECT site, combination, 1, age, sources, adverts, in_council, in_area, employers FROM monthly
  UNION ALL
  SELECT site, combination, 3, first::TINYINT, sources, adverts, in_council, in_area, employers FROM quarterly),
shown AS (
  SELECT * FROM counted
  WHERE adverts >= (SELECT adverts FROM floor) AND employers >= (SELECT employers FROM floor))
SELECT row_number() OVER (ORDER BY s.window_months, s.age DESC, s.combination, t.place)::INTEGER AS number, s.site,
       s.combination,
       s.window_months::TINYINT AS window_months, s.age, s.sources, s.adverts::INTEGER AS adverts,
       s.in_council::INTEGER AS in_council, s.in_area::INTEGER AS in_area
FROM shown s
JOIN site t ON t.number = s.site
