-- 1 if the link with the hash $1 could be used at $2, otherwise 0.
SELECT COUNT(*) FROM signin_links WHERE hash = $1 AND used_at IS NULL AND expires_at > $2
