-- The secrets of the key $1, or of all keys if this is empty, that rotations replaced and that are
-- still valid at $2, with the end of each.
SELECT s.key_id, s.last_four,
       CASE WHEN k.expires_at < s.valid_until THEN k.expires_at ELSE s.valid_until END
FROM key_secrets s
JOIN access_keys k ON k.id = s.key_id
WHERE ($1 = '' OR k.id = $1) AND s.valid_until > $2
  AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)
ORDER BY s.key_id, s.created_at, s.hash
