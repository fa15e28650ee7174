INSERT INTO partner_grants (partner_id, plan, scopes, keys) VALUES ($1, $2, $3, $4)
ON CONFLICT (partner_id) DO UPDATE SET plan = excluded.plan, scopes = excluded.scopes, keys = excluded.keys
