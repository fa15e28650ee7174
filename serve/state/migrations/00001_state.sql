-- The server's own data. All types are plain (TEXT, BIGINT), so that the same file runs on SQLite
-- and PostgreSQL. Times are whole Unix seconds in UTC; an absent time is NULL.

-- +goose Up

-- Partners, keys, secrets and counted calls.

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

-- A key outlives its secrets: rotation adds a secret and gives the older ones an end. hash is the
-- SHA-256 of the secret in hexadecimal; the secret itself is not stored.
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

-- Webhook endpoints, their signing secrets, the events that were published, and the log of their
-- deliveries.

-- event_types are separated by single spaces, sorted. failing_since is the first
-- failed attempt after the last good one. disabled_reason is empty while the
-- endpoint is enabled.
CREATE TABLE webhook_endpoints (
    id              TEXT PRIMARY KEY,
    partner_id      TEXT NOT NULL REFERENCES partners (id),
    url             TEXT NOT NULL,
    event_types     TEXT NOT NULL,
    description     TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    failing_since   BIGINT,
    disabled_at     BIGINT,
    disabled_reason TEXT NOT NULL,
    UNIQUE (partner_id, url)
);

-- The secret is needed to sign messages, so it is not hashed. It is encrypted with the operator's
-- key, or plain if there is none; its first characters show which.
CREATE TABLE webhook_secrets (
    id          TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    secret      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    valid_until BIGINT
);
CREATE INDEX webhook_secrets_endpoint ON webhook_secrets (endpoint_id);

-- The row of an event stays when its payload is pruned (then empty), so that it
-- is not published a second time.
CREATE TABLE webhook_events (
    id         TEXT PRIMARY KEY,
    type       TEXT NOT NULL,
    payload    TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- Deliveries are their own queue: a server claims one before it attempts it, until the
-- second claimed_until.
CREATE TABLE webhook_deliveries (
    id            TEXT PRIMARY KEY,
    endpoint_id   TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_id      TEXT NOT NULL REFERENCES webhook_events (id),
    status        TEXT NOT NULL,
    attempts      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    next_at       BIGINT,
    ended_at      BIGINT,
    claimed_until BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_status ON webhook_deliveries (status, ended_at);
-- A server looks for the due deliveries of one endpoint after the other.
CREATE INDEX webhook_deliveries_next ON webhook_deliveries (endpoint_id, status, next_at, id);

-- http_status is NULL if there was no response; fault is empty if the attempt succeeded.
CREATE TABLE webhook_attempts (
    delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    started_at  BIGINT NOT NULL,
    took_ms     BIGINT NOT NULL,
    http_status BIGINT,
    fault       TEXT NOT NULL,
    PRIMARY KEY (delivery_id, number)
);

-- Data for the partners' pages: grants, addresses, sign-in links and sessions.

-- The plan and scopes that the operator granted to a partner. scopes are separated by single
-- spaces, sorted. A partner without a row has the default: the smallest plan and labour:read.
CREATE TABLE partner_grants (
    partner_id TEXT PRIMARY KEY REFERENCES partners (id),
    plan       TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    keys       BIGINT NOT NULL
);

-- The addresses to which sign-in links of a partner may be sent, in lower case.
CREATE TABLE partner_addresses (
    address    TEXT PRIMARY KEY,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    created_at BIGINT NOT NULL
);

-- hash is the SHA-256 of the last part of the link, in hexadecimal; mailed is 1 if the link was
-- requested on the page.
CREATE TABLE signin_links (
    hash       TEXT PRIMARY KEY,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    mailed     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX signin_links_partner ON signin_links (partner_id);

-- hash is the SHA-256 of the cookie's value, in hexadecimal.
CREATE TABLE signin_sessions (
    hash       TEXT PRIMARY KEY,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);
CREATE INDEX signin_sessions_partner ON signin_sessions (partner_id);

-- +goose Down
DROP TABLE signin_sessions;
DROP TABLE signin_links;
DROP TABLE partner_addresses;
DROP TABLE partner_grants;
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
DROP TABLE webhook_events;
DROP TABLE webhook_secrets;
DROP TABLE webhook_endpoints;
DROP TABLE usage_counts;
DROP TABLE key_secrets;
DROP TABLE access_keys;
DROP TABLE partners;
DROP TABLE settings;
