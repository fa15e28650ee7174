-- Occupations, sectors and skills that plans list as in demand. A region includes the areas that
-- became part of it. A page begins after a position.
SELECT position, region_code, plan, kind, code, name, summary, page, published_on, source_key, licence, link
FROM embargoed_priorities
WHERE position > $after::BIGINT
  AND ($regions::VARCHAR = '' OR is_in(region_code, $regions::VARCHAR))
  AND ($kind::VARCHAR = '' OR kind = $kind::VARCHAR)
ORDER BY position
LIMIT $limit::BIGINT;
