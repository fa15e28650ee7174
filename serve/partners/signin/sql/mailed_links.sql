-- How many links were mailed to the partner $1 since $2.
SELECT COUNT(*) FROM signin_links WHERE partner_id = $1 AND mailed = 1 AND created_at > $2
