-- How many endpoints of the partner $1 beside $3 have the URL $2.
SELECT COUNT(*) FROM webhook_endpoints WHERE partner_id = $1 AND url = $2 AND id <> $3
