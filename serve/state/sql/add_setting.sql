-- A setting that is there already stays, whoever was first.
INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING
