-- How many partners and keys the database holds.
SELECT (SELECT count(*) FROM partners), (SELECT count(*) FROM access_keys)
