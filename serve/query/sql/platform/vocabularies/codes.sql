-- The partners that have events of their own.
SELECT 'partner', code, partner FROM partners ORDER BY code;
