-- All partners, each with the number of its keys that are neither revoked nor expired at $1, its
-- webhook endpoints, its calls in the month that begins at $2, and its last use of a key.
SELECT p.id, p.name, p.created_at,
       (SELECT COUNT(*) FROM access_keys k
        WHERE k.partner_id = p.id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)),
       (SELECT COUNT(*) FROM webhook_endpoints e WHERE e.partner_id = p.id),
       (SELECT COALESCE(SUM(u.calls), 0) FROM access_keys k JOIN usage_counts u ON u.key_id = k.id
        WHERE k.partner_id = p.id AND u.span = 'month' AND u.starts_at = $2),
       (SELECT MAX(k.last_used_at) FROM access_keys k WHERE k.partner_id = p.id)
FROM partners p
ORDER BY p.name
