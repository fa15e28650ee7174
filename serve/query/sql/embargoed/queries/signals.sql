-- Summaries of news, newest first; a page begins after a position.
SELECT position, id, published_on, topics, summary, source_key, licence, link
FROM embargoed_signals
WHERE position > $after::BIGINT
  AND ($topic::VARCHAR = '' OR list_contains(string_split(topics, ','), $topic::VARCHAR))
ORDER BY position
LIMIT $limit::BIGINT;
