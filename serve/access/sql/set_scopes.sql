UPDATE access_keys SET scopes = $1 WHERE id = $2
