-- Forgets the secrets of the key $1 but the $2 newest: no more than these are valid at
-- once. SQLite takes no OFFSET without a LIMIT; a key never has so many secrets.
DELETE FROM key_secrets WHERE key_id = $1 AND hash IN (
  SELECT hash FROM key_secrets WHERE key_id = $1 ORDER BY created_at DESC, valid_until DESC LIMIT 1000 OFFSET $2)
