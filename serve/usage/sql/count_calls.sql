-- Counts calls in their windows while the keys still have the version $1, and tells
-- what each window has now; no row when the keys have another version. A window is
-- four arguments from $2 on; those of the further windows of a batch are put where the
-- comment stands. The casts tell PostgreSQL the types.
INSERT INTO usage_counts (key_id, span, starts_at, calls)
SELECT column1, column2, column3, column4
FROM (VALUES (CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($5 AS BIGINT)) /* further windows */) given
WHERE (SELECT version FROM key_version) = CAST($1 AS BIGINT)
ON CONFLICT (key_id, span, starts_at) DO UPDATE SET calls = usage_counts.calls + excluded.calls
RETURNING key_id, span, starts_at, calls
