DELETE FROM signin_sessions WHERE partner_id = $1
