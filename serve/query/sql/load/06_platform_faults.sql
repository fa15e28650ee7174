-- What the platform's records name and other tables do not list. A snapshot with
-- any is refused.
SELECT fault FROM (
  SELECT DISTINCT 's106: place "' || place || '" is not in places' AS fault
  FROM s106 d WHERE NOT EXISTS (FROM places p WHERE p.place = d.place)
  UNION
  SELECT DISTINCT 'candidates: "' || value || '" is no ' || dimension
  FROM candidates WHERE name = '' AND dimension NOT IN ('all', 'seeking_work')
  UNION
  SELECT DISTINCT t || ': pathway "' || pathway || '" is not in pathways'
  FROM (SELECT 'pathway_steps' AS t, pathway FROM pathway_steps UNION ALL SELECT 'pathway_standards', pathway FROM pathway_standards) s
  WHERE NOT EXISTS (FROM pathways p WHERE p.id = s.pathway)
) ORDER BY fault LIMIT 20;
