-- Uses up at $1 the link with the hash $2 and tells whose it was; no row if it could not
-- be used any more.
UPDATE signin_links SET used_at = $1 WHERE hash = $2 AND used_at IS NULL AND expires_at > $1 RETURNING partner_id
