-- Whether somebody used this database already.
SELECT EXISTS (SELECT 1 FROM partners) OR EXISTS (SELECT 1 FROM settings)
