-- The partner of the session with the hash $1, and when the session was last used. There is a row
-- only if the session began after $2 and was used after $3.
SELECT p.id, p.name, w.seen_at
FROM signin_sessions w JOIN partners p ON p.id = w.partner_id
WHERE w.hash = $1 AND w.created_at > $2 AND w.seen_at > $3
