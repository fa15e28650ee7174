-- One page of what a partner may see: what is everybody's and what is the partner's. With since the oldest comes first,
-- without it the newest; both are in the order of the table.
SELECT id, type, occurred_at, advert, borough, outcome
FROM events
WHERE first = $first::VARCHAR
  AND partner IN (0, $partner::SMALLINT)
  AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
  AND occurred_at >= $since::TIMESTAMPTZ
LIMIT $limit::BIGINT OFFSET $skip::BIGINT;
