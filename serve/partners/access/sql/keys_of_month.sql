-- How many keys of the partner $1 were usable at any time since $2, the beginning of
-- the month.
SELECT COUNT(*) FROM access_keys
WHERE partner_id = $1 AND (revoked_at IS NULL OR revoked_at > $2) AND (expires_at IS NULL OR expires_at > $2)
