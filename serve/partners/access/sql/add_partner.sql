-- A partner of that name stays; no row is changed then.
INSERT INTO partners (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING
