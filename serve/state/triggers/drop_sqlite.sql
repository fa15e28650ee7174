DROP TRIGGER IF EXISTS access_keys_changed;
DROP TRIGGER IF EXISTS access_keys_deleted;
DROP TRIGGER IF EXISTS key_secrets_changed;
DROP TRIGGER IF EXISTS key_secrets_deleted;
DROP TRIGGER IF EXISTS partners_changed;
DROP TABLE IF EXISTS key_version;
