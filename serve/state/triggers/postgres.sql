CREATE FUNCTION keys_changed() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN UPDATE key_version SET version = version + 1; RETURN NULL; END $$;
CREATE TRIGGER access_keys_changed
AFTER UPDATE OF id, partner_id, label, mode, plan, scopes, hourly_calls, monthly_calls, created_at, expires_at, revoked_at ON access_keys
FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
CREATE TRIGGER access_keys_deleted AFTER DELETE OR TRUNCATE ON access_keys
FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
CREATE TRIGGER key_secrets_changed AFTER UPDATE OR DELETE OR TRUNCATE ON key_secrets
FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
CREATE TRIGGER partners_changed AFTER UPDATE ON partners
FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
