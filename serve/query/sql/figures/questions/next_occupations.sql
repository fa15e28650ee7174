-- The unit groups whose adverts ask for most of what those of one ask for, over 12 months and all
-- places: of each, the skills that both ask for in at least a tenth of their adverts. Groups of
-- fewer than 20 adverts say too little, and transferable skills are asked for nearly everywhere.
WITH shown AS (
  SELECT list, soc, adverts
  FROM lists
  WHERE window_months = 12 AND months_back = -1 AND source = 0 AND sector = 0 AND place = 0 AND soc % 10 = 4 AND adverts >= 20),
asked AS (
  SELECT g.soc, k.skill, round(1000.0 * r.adverts / g.adverts) AS tenths
  FROM shown g
  JOIN rankings r ON r.list = g.list
  JOIN codes c ON c.dimension = 'skill' AND c.code = r.skill
  JOIN skills k ON k.skill = c.value
  WHERE k.kind <> 'transferable')
SELECT left(other.soc::VARCHAR, 4), string_agg(other.skill, ',' ORDER BY least(one.tenths, other.tenths) DESC, other.skill)
FROM asked one
JOIN asked other ON other.skill = one.skill AND other.soc <> one.soc
WHERE one.soc = $soc::INTEGER AND one.tenths >= 100 AND other.tenths >= 100
GROUP BY other.soc
HAVING count(*) >= 2
ORDER BY sum(least(one.tenths, other.tenths)) DESC, other.soc
LIMIT $limit::BIGINT;
