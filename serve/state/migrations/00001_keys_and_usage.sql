-- Partners, keys, secrets and counted calls. Plain types only (TEXT, BIGINT), so
-- that the same file runs on SQLite and PostgreSQL. Times are whole Unix seconds
-- in UTC; an absent time is NULL.

-- +goose Up
CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE partners (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- hourly_calls and monthly_calls are a bespoke allowance; NULL = the plan's.
-- scopes are separated by single spaces, sorted.
CREATE TABLE access_keys (
    id            TEXT PRIMARY KEY,
    partner_id    TEXT NOT NULL REFERENCES partners (id),
    label         TEXT NOT NULL,
    mode          TEXT NOT NULL,
    plan          TEXT NOT NULL,
    scopes        TEXT NOT NULL,
    hourly_calls  BIGINT,
    monthly_calls BIGINT,
    created_at    BIGINT NOT NULL,
    last_used_at  BIGINT,
    expires_at    BIGINT,
    revoked_at    BIGINT
);

-- A key outlives its secrets: rotation adds one and gives the older ones an end.
-- hash is the SHA-256 of the secret in hexadecimal; the secret itself is nowhere.
CREATE TABLE key_secrets (
    hash        TEXT PRIMARY KEY,
    key_id      TEXT NOT NULL REFERENCES access_keys (id),
    prefix      TEXT NOT NULL,
    last_four   TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    valid_until BIGINT
);
CREATE INDEX key_secrets_key ON key_secrets (key_id);

-- Calls counted per key in fixed windows in UTC: span is 'hour' or 'month',
-- starts_at the first second of the window.
CREATE TABLE usage_counts (
    key_id    TEXT NOT NULL REFERENCES access_keys (id),
    span      TEXT NOT NULL,
    starts_at BIGINT NOT NULL,
    calls     BIGINT NOT NULL,
    PRIMARY KEY (key_id, span, starts_at)
);

-- +goose Down
DROP TABLE usage_counts;
DROP TABLE key_secrets;
DROP TABLE access_keys;
DROP TABLE partners;
DROP TABLE settings;
