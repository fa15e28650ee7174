-- Numbers all residents and all other applicants. Residents keep their own numbers, and the others
-- get the numbers after these.
SELECT ordinal AS person, id AS resident, borough FROM staged_residents
UNION ALL
SELECT (n.residents + row_number() OVER (ORDER BY u.resident) - 1)::INTEGER, u.resident, NULL
FROM (SELECT DISTINCT o.resident
      FROM staged_outcomes o LEFT JOIN staged_residents r ON r.id = o.resident
      WHERE r.id IS NULL) u
CROSS JOIN (SELECT count(*) AS residents FROM staged_residents) n
