CREATE TRIGGER access_keys_changed
AFTER UPDATE OF id, partner_id, label, mode, plan, scopes, hourly_calls, monthly_calls, created_at, expires_at, revoked_at ON access_keys
BEGIN UPDATE key_version SET version = version + 1; END;
CREATE TRIGGER access_keys_deleted AFTER DELETE ON access_keys
BEGIN UPDATE key_version SET version = version + 1; END;
CREATE TRIGGER key_secrets_changed AFTER UPDATE ON key_secrets
BEGIN UPDATE key_version SET version = version + 1; END;
CREATE TRIGGER key_secrets_deleted AFTER DELETE ON key_secrets
BEGIN UPDATE key_version SET version = version + 1; END;
CREATE TRIGGER partners_changed AFTER UPDATE ON partners
BEGIN UPDATE key_version SET version = version + 1; END;
