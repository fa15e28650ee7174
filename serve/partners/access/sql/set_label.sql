UPDATE access_keys SET label = $1 WHERE id = $2
