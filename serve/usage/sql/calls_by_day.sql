-- Calls by day since $3 of the keys of the partner $1, or of its key $2 where this is
-- not empty.
SELECT c.starts_at, SUM(c.calls)
FROM call_counts c JOIN access_keys k ON k.id = c.key_id
WHERE k.partner_id = $1 AND ($2 = '' OR k.id = $2) AND c.starts_at >= $3
GROUP BY c.starts_at
