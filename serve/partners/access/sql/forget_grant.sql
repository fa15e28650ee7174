DELETE FROM partner_grants WHERE partner_id = $1
