SELECT partner_id FROM partner_addresses WHERE address = $1
