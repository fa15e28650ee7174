-- +goose Up

-- The time of the endpoint's last failed attempt; null if there was none since this column exists.
-- A series of failures ends with two days without an attempt.
ALTER TABLE webhook_endpoints ADD COLUMN last_failure_at BIGINT;

-- +goose Down
ALTER TABLE webhook_endpoints DROP COLUMN last_failure_at;
