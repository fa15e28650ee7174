-- A server looks for the due deliveries of one endpoint after the other. What a name without
-- an address was called told a partner which names the operator's network knows.

-- +goose Up
CREATE INDEX webhook_deliveries_next ON webhook_deliveries (endpoint_id, status, next_at, id);
DROP INDEX webhook_deliveries_due;
UPDATE webhook_attempts SET fault = 'address_refused' WHERE fault = 'name_not_found';

-- +goose Down
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (status, next_at);
DROP INDEX webhook_deliveries_next;
