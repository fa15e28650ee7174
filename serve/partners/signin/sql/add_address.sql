-- Adds an address to a partner. An address that belongs to a partner already stays with it.
INSERT INTO partner_addresses (address, partner_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (address) DO NOTHING
