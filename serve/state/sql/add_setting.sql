-- A setting that exists already keeps its value.
INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING
