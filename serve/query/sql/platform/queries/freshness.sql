-- When each part of each source was last received.
SELECT source_key, part, last_success_at FROM freshness ORDER BY source_key, part;
