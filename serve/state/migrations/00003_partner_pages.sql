-- What the pages for partners need: what a partner may choose for itself, how it
-- signs in, and what its calls were.

-- +goose Up
-- What the operator granted beyond the smallest plan and labour:read. scopes are
-- separated by single spaces, sorted. A partner without a row has the default.
CREATE TABLE partner_grants (
    partner_id TEXT PRIMARY KEY REFERENCES partners (id),
    plan       TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    keys       BIGINT NOT NULL
);

-- Where a partner may have a link sent; the address is in lower case.
CREATE TABLE partner_addresses (
    address    TEXT PRIMARY KEY,
    partner_id TEXT NOT NULL REFERENCES partners (id),
    created_at BIGINT NOT NULL
);

-- hash is the SHA-256 of what the link ends with, in hexadecimal; mailed is 1 for a
-- link that somebody asked for on the page.
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

-- Calls by what they asked for and how they ended, per day in UTC. Not what the
-- ceilings are held against (usage_counts is): seconds of it may be lost when a
-- server is killed. route is a pattern of the interface, empty when there is none.
CREATE TABLE call_counts (
    key_id    TEXT NOT NULL REFERENCES access_keys (id),
    starts_at BIGINT NOT NULL,
    route     TEXT NOT NULL,
    status    BIGINT NOT NULL,
    calls     BIGINT NOT NULL,
    PRIMARY KEY (key_id, starts_at, route, status)
);

-- +goose Down
DROP TABLE call_counts;
DROP TABLE signin_sessions;
DROP TABLE signin_links;
DROP TABLE partner_addresses;
DROP TABLE partner_grants;
