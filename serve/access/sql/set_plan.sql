UPDATE access_keys SET plan = $1 WHERE id = $2
