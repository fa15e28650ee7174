-- Finds values in the platform's records that the other tables do not have. A snapshot with any is
-- refused.
SELECT fault FROM (
  SELECT 's106: place "' || place || '" is not in places' AS fault
  FROM s106 d WHERE place <> '' AND NOT EXISTS (FROM places p WHERE p.place = d.place)
  UNION
  SELECT 'candidates: "' || value || '" is no ' || dimension
  FROM candidates WHERE name = '' AND dimension NOT IN ('all', 'seeking_work')
  UNION
  SELECT 'jobs: source "' || source_key || '" is not in sources'
  FROM jobs WHERE source_key NOT IN (SELECT key FROM sources)
  UNION
  SELECT 'jobs: sector "' || sector || '" is not in sectors' FROM jobs WHERE sector NOT IN (SELECT sector FROM sectors)
  UNION
  SELECT 'jobs: borough "' || borough || '" is not in places'
  FROM (SELECT unnest(string_split(boroughs, ',')) AS borough
        FROM read_parquet(getvariable('tables') || '/jobs.parquet') WHERE boroughs <> '')
  WHERE borough NOT IN (SELECT place FROM places WHERE area_kind = 'borough')
  UNION
  SELECT t || ': pathway "' || pathway || '" is not in pathways'
  FROM (SELECT 'pathway_steps' AS t, pathway FROM pathway_steps
        UNION ALL SELECT 'pathway_standards', pathway FROM pathway_standards) s
  WHERE NOT EXISTS (FROM pathways p WHERE p.id = s.pathway)
) ORDER BY fault LIMIT 20;
