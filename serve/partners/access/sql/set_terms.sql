UPDATE access_keys SET plan = coalesce(nullif($1, ''), plan), scopes = coalesce(nullif($2, ''), scopes) WHERE id = $3
