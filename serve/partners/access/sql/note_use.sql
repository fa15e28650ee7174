-- Records a use of the key $2, unless another server has recorded a later one.
UPDATE access_keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)
