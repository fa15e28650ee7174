-- One page of what a partner may see, and how many there are: what is everybody's and
-- what is the partner's. With since the oldest comes first, without it the newest. An
-- empty page has one row with nothing but the number.
WITH matching AS NOT MATERIALIZED (
  FROM events
  WHERE first = $first::VARCHAR
    AND partner IN (0, $partner::SMALLINT)
    AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
    AND occurred_at >= $since::TIMESTAMPTZ)
SELECT total, coalesce(id, ''), coalesce(type, ''), coalesce(occurred_at, TIMESTAMPTZ 'epoch'), advert, borough, outcome
FROM (SELECT count(*) AS total FROM matching)
LEFT JOIN (FROM matching ORDER BY position LIMIT $limit::BIGINT OFFSET $skip::BIGINT) ON true
ORDER BY position;
