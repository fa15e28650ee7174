-- Gives the setting $2 the value $1 if it still has the value $3.
UPDATE settings SET value = $1 WHERE name = $2 AND value = $3
