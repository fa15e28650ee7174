-- How many events match the same filters.
SELECT count(*)
FROM events
WHERE partner IN ('', $partner::VARCHAR)
  AND ($type::VARCHAR = '' OR type = $type::VARCHAR)
  AND ($since::BIGINT IS NULL OR occurred >= $since::BIGINT);
