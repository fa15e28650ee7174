-- One page of the events of a partner and of those that are everybody's.
SELECT id, type, occurred, advert, borough, outcome
FROM events
WHERE partner IN ('', $partner::VARCHAR)
  AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
  AND ($since::BIGINT IS NULL OR occurred >= $since::BIGINT)
ORDER BY CASE WHEN $since::BIGINT IS NULL THEN -occurred ELSE occurred END,
         CASE WHEN $since::BIGINT IS NULL THEN id END DESC, id
LIMIT $limit::BIGINT OFFSET $offset::BIGINT;
