-- Whether this database is in use already.
SELECT EXISTS (SELECT 1 FROM partners) OR EXISTS (SELECT 1 FROM settings)
