-- How many webhook endpoints of the partner $1 are not disabled.
SELECT COUNT(*) FROM webhook_endpoints WHERE partner_id = $1 AND disabled_at IS NULL
