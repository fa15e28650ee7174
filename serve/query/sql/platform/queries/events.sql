-- A page of the events that a partner may see: its own, and those for all partners. With since, the
-- oldest come first, otherwise the newest. The table is stored in both orders, so nothing is sorted
-- here.
SELECT id, type, occurred_at, advert, borough, outcome
FROM events
WHERE first = $first::VARCHAR
  AND partner IN (0, $partner::SMALLINT)
  AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
  AND occurred_at >= $since::TIMESTAMPTZ
LIMIT $limit::BIGINT OFFSET $skip::BIGINT;
