-- Deliveries are their own queue: a server claims one before it attempts it, until
-- the given second. The tables of the queue that was used before are dropped.

-- +goose Up
ALTER TABLE webhook_deliveries ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (status, next_at);
DROP TABLE IF EXISTS river_client_queue;
DROP TABLE IF EXISTS river_client;
DROP TABLE IF EXISTS river_leader;
DROP TABLE IF EXISTS river_queue;
DROP TABLE IF EXISTS river_job;
DROP TABLE IF EXISTS river_migration;

-- +goose Down
DROP INDEX webhook_deliveries_due;
ALTER TABLE webhook_deliveries DROP COLUMN claimed_until;
