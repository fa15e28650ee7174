DELETE FROM signin_links WHERE expires_at <= $1
