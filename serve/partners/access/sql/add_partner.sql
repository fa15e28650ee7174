-- Adds a partner. No row is changed if there is a partner of that name.
INSERT INTO partners (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING
