-- The keys of the partner with the name $1, or all keys if this is empty, each with its newest
-- secret, as scanKey reads it.
SELECT k.id, k.partner_id, p.name, k.label, k.mode, k.plan, k.scopes, k.hourly_calls, k.monthly_calls,
       s.prefix, s.last_four, k.created_at, k.last_used_at, k.expires_at, k.revoked_at, s.hash, s.valid_until
FROM access_keys k
JOIN partners p ON p.id = k.partner_id
JOIN key_secrets s ON s.key_id = k.id
WHERE s.valid_until IS NULL AND ($1 = '' OR p.name = $1)
ORDER BY p.name, k.created_at, k.id
