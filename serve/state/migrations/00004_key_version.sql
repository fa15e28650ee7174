-- One row: a number that grows with every change of a partner, key or secret, in
-- the transaction that changes it (see triggers). A server that remembers keys
-- compares it when it counts a call, so that a revocation counts at once on every
-- server. A use of a key (last_used_at) is no change.

-- +goose Up
CREATE TABLE key_version (
    version BIGINT NOT NULL
);
INSERT INTO key_version (version) VALUES (1);

-- +goose Down
DROP TABLE key_version;
