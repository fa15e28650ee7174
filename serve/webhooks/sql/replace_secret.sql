-- Stores the secret $2 as $1, unless another server has replaced it meanwhile.
UPDATE webhook_secrets SET secret = $1 WHERE id = $2 AND secret = $3
