-- The combinations of filters that match each profile of the longest window: its source or any, its
-- sector or any, and its occupation group of 0 to 4 digits. Empty = any. age is the number of
-- months before that of as_of.
SELECT p.number AS profile, CASE WHEN o.any_source THEN '' ELSE p.source END AS source,
       substring(p.soc, 1, d.digits) AS soc,
       CASE WHEN s.any_sector THEN '' ELSE p.sector END AS sector,
       (r.month - 12 * year(p.month) - month(p.month))::TINYINT AS age
FROM profile p
CROSS JOIN run r
CROSS JOIN (VALUES (true), (false)) o(any_source)
CROSS JOIN (VALUES (true), (false)) s(any_sector)
CROSS JOIN (VALUES (0), (1), (2), (3), (4)) d(digits)
WHERE p.month >= r.recent AND r.month >= 12 * year(p.month) + month(p.month)
  AND length(p.soc) >= d.digits AND (s.any_sector OR p.sector <> '')
