-- Webhook endpoints, their signing secrets, the events that were published, and
-- the log of their deliveries. The queue that drives the deliveries makes its own
-- tables (river_*) beside these.

-- +goose Up
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

-- A secret must be read back to sign with it, so it is not hashed but encrypted
-- with the operator's key, or plain where there is none; its text says which.
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

CREATE TABLE webhook_deliveries (
    id          TEXT PRIMARY KEY,
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_id    TEXT NOT NULL REFERENCES webhook_events (id),
    status      TEXT NOT NULL,
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    next_at     BIGINT,
    ended_at    BIGINT
);
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id);
CREATE INDEX webhook_deliveries_status ON webhook_deliveries (status, ended_at);

-- http_status is NULL when there was no answer; fault is empty when it was good.
CREATE TABLE webhook_attempts (
    delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    started_at  BIGINT NOT NULL,
    took_ms     BIGINT NOT NULL,
    http_status BIGINT,
    fault       TEXT NOT NULL,
    PRIMARY KEY (delivery_id, number)
);

-- +goose Down
DROP TABLE webhook_attempts;
DROP TABLE webhook_deliveries;
DROP TABLE webhook_events;
DROP TABLE webhook_secrets;
DROP TABLE webhook_endpoints;
