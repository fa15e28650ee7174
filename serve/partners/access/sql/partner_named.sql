SELECT id FROM partners WHERE name = $1
