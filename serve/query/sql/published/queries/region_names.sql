-- The values of the parameter region: codes, slugs of skills improvement plan areas, and former
-- codes, which are not offered. A code with two kinds means the first kind in the list below. The
-- former code of an area that was split means none of its parts. The United Kingdom is added here,
-- because the table of regions does not have it, and the nations, because it may be empty.
WITH listed AS (
  SELECT *, list_position(['country', 'nation', 'region', 'council', 'lsip', 'itl1', 'itl2', 'itl3',
                           'travel_to_work_area'], kind) AS rank
  FROM (SELECT code, name, kind, coalesce(slug, '') AS slug, coalesce(former_codes, '') AS former FROM regions
        UNION ALL
        SELECT 'K02000001', 'United Kingdom', 'country', '', ''
        UNION ALL
        SELECT code, name, 'nation', '', '' FROM nations() WHERE code NOT IN (SELECT code FROM regions))),
named AS (
  SELECT code AS key, code, name, kind, rank FROM listed
  UNION ALL
  SELECT slug, code, name, kind, rank FROM listed WHERE kind = 'lsip' AND slug <> '')
SELECT key, offered, code, name, kind, 'GB'
FROM (
  (SELECT DISTINCT ON (key) key, true AS offered, code, name, kind FROM named ORDER BY key, rank, code)
  UNION ALL
  SELECT key, false, any_value(code), any_value(name), any_value(kind)
  FROM (SELECT unnest(string_split(former, ',')) AS key, code, name, kind FROM listed WHERE former <> '')
  WHERE key NOT IN (SELECT upper(key) FROM named)
  GROUP BY key HAVING count(*) = 1)
ORDER BY key;
