UPDATE access_keys SET hourly_calls = $1, monthly_calls = $2 WHERE id = $3
