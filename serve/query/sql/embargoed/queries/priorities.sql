-- Occupations, sectors and skills that plans list as in demand; a page begins after a position.
SELECT position, region_code, plan, kind, code, name, summary, page, published_on, source_key, licence, link
FROM embargoed_priorities
WHERE position > $after::BIGINT
  AND ($region::VARCHAR = '' OR region_code = $region::VARCHAR)
  AND ($kind::VARCHAR = '' OR kind = $kind::VARCHAR)
ORDER BY position
LIMIT $limit::BIGINT;
