-- Calls by what they asked for and how they ended, of the keys of the partner $1, or of
-- its key $2 where this is not empty: on the day that began at $3, and since $4.
SELECT c.route, c.status, SUM(CASE WHEN c.starts_at >= $3 THEN c.calls ELSE 0 END), SUM(c.calls)
FROM call_counts c JOIN access_keys k ON k.id = c.key_id
WHERE k.partner_id = $1 AND ($2 = '' OR k.id = $2) AND c.starts_at >= $4
GROUP BY c.route, c.status
ORDER BY c.route, c.status
