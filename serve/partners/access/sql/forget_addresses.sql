DELETE FROM partner_addresses WHERE partner_id = $1
