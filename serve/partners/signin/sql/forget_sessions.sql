-- Deletes the sessions that began until $1 or were last used until $2.
DELETE FROM signin_sessions WHERE created_at <= $1 OR seen_at <= $2
