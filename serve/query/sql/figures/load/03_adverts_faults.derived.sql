-- Adverts that name what other tables do not list. A snapshot with any is refused: its
-- figures could be neither named nor attributed.
SELECT fault FROM (
  SELECT 'adverts: skill "' || skill || '" is not in skills' AS fault FROM (SELECT DISTINCT skill FROM adverts) WHERE skill NOT IN (SELECT skill FROM skills)
  UNION ALL
  SELECT 'adverts: source "' || source || '" has no adverts in adverts_total' FROM (SELECT DISTINCT source FROM adverts)
  WHERE source NOT IN (SELECT source FROM adverts_total)
  UNION ALL
  SELECT t || ': sector "' || sector || '" is not in sectors'
  FROM (SELECT DISTINCT 'adverts' AS t, sector FROM adverts UNION ALL SELECT DISTINCT 'adverts_total', sector FROM adverts_total)
  WHERE sector <> '' AND sector NOT IN (SELECT sector FROM sectors)
  UNION ALL
  SELECT t || ': soc "' || soc || '" is not a group of two to four digits'
  FROM (SELECT DISTINCT 'adverts' AS t, soc FROM adverts UNION ALL SELECT DISTINCT 'adverts_total', soc FROM adverts_total)
  WHERE NOT regexp_full_match(soc, '([1-9][0-9]{1,3})?')
  UNION ALL
  SELECT t || ': place "' || place || '" of kind ' || area_kind || ' is not in places'
  FROM (SELECT DISTINCT 'adverts' AS t, place, area_kind FROM adverts UNION ALL SELECT DISTINCT 'adverts_total', place, area_kind FROM adverts_total) named
  WHERE CASE WHEN place = '' THEN area_kind <> 'all' ELSE NOT EXISTS (FROM places p WHERE p.place = named.place AND p.area_kind = named.area_kind) END
) ORDER BY fault LIMIT 20;
