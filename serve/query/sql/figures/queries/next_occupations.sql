-- The unit groups whose adverts require skills similar to those of one unit group, over one window
-- and all places. A skill is shared if at least a tenth of the adverts of both groups require it,
-- and at least twice its share of all adverts. It counts the more, the more both shares exceed its
-- share of all adverts. A skill that is required nearly everywhere, such as Excel, therefore makes
-- no two occupations similar. Transferable skills and groups of fewer than 20 adverts are left out.
WITH shown AS (
  SELECT list, soc, adverts
  FROM lists
  WHERE window_months = $window::TINYINT AND months_back = -1 AND source = 0 AND sector = 0 AND place = 0
    AND (soc = 0 OR soc % 10 = 4 AND adverts >= 20)),
shares AS (
  SELECT g.soc, k.skill, round(1000.0 * r.adverts / g.adverts) AS tenths
  FROM shown g
  JOIN rankings r ON r.list = g.list
  JOIN codes c ON c.dimension = 'skill' AND c.code = r.skill
  JOIN skills k ON k.skill = c.value
  WHERE k.kind <> 'transferable'),
asked AS (
  SELECT s.soc, s.skill, s.tenths - everywhere.tenths AS excess
  FROM shares s
  JOIN shares everywhere ON everywhere.soc = 0 AND everywhere.skill = s.skill
  WHERE s.soc <> 0 AND s.tenths >= 100 AND s.tenths >= 2 * everywhere.tenths)
SELECT left(other.soc::VARCHAR, 4),
       string_agg(other.skill, ',' ORDER BY least(one.excess, other.excess) DESC, other.skill)
FROM asked one
JOIN asked other ON other.skill = one.skill AND other.soc <> one.soc
WHERE one.soc = $soc::INTEGER
GROUP BY other.soc
HAVING count(*) >= 2
ORDER BY sum(least(one.excess, other.excess)) DESC, other.soc
LIMIT $limit::BIGINT;
