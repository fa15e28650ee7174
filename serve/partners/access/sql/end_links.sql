DELETE FROM signin_links WHERE partner_id = $1
