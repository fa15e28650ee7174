-- Calls by hour since $3, of all keys of the partner $1, or only of its key $2 if this is not
-- empty.
SELECT u.starts_at, SUM(u.calls)
FROM usage_counts u JOIN access_keys k ON k.id = u.key_id
WHERE k.partner_id = $1 AND ($2 = '' OR k.id = $2) AND u.span = 'hour' AND u.starts_at >= $3
GROUP BY u.starts_at
