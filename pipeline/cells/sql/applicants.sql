-- All residents and other applicants in the order of their numbers: the pseudonym, and whether the
-- person is a resident. For residents it also has the borough, the highest level on record (0 =
-- none), whether they seek work, and in which sector. The rows are never published (protected
-- zone).
SELECT a.person, a.resident, r.ordinal IS NOT NULL AS registered, coalesce(r.borough, '') AS borough,
       coalesce(h.level, 0)::TINYINT AS level,
       coalesce(r.seeking_work, false) AS seeking_work, coalesce(r.sector_sought, '') AS sector_sought
FROM applicant a
LEFT JOIN staged_residents r ON r.ordinal = a.person
LEFT JOIN (SELECT resident, max(level) AS level FROM staged_resident_skills GROUP BY resident) h
  ON h.resident = r.ordinal
ORDER BY a.person
