-- Deletes the secrets of the key $1 except the $2 newest: no more than these are valid at once. The
-- secret without an end is the newest, also if others were made in the same second.
-- SQLite allows OFFSET only with a LIMIT; a key never has 1000 secrets.
DELETE FROM key_secrets WHERE key_id = $1 AND hash IN (
  SELECT hash FROM key_secrets WHERE key_id = $1
  ORDER BY valid_until IS NOT NULL, created_at DESC, valid_until DESC LIMIT 1000 OFFSET $2)
