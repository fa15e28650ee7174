-- Uses up the link with the hash $2 at $1, and returns its partner. There is no row if the link can
-- no longer be used.
UPDATE signin_links SET used_at = $1 WHERE hash = $2 AND used_at IS NULL AND expires_at > $1 RETURNING partner_id
