-- The values of the parameter region: codes, slugs of skills improvement plan areas, and former
-- codes, which are not offered. A code with two kinds means the first kind in the list below. The
-- former code of an area that was merged or recoded means the current area. That of an area that was
-- split means the former area, whose last column has the current codes. The United Kingdom is added
-- here, because the table of regions does not have it, and the nations and further areas, because it
-- may be empty.
WITH listed AS (
  SELECT *, list_position(['country', 'nation', 'region', 'council', 'lsip', 'itl1', 'itl2', 'itl3',
                           'travel_to_work_area'], kind) AS rank
  FROM (SELECT code, name, kind, coalesce(slug, '') AS slug FROM regions
        UNION ALL
        SELECT 'K02000001', 'United Kingdom', 'country', ''
        UNION ALL
        SELECT code, name, kind, '' FROM further_areas
        UNION ALL
        SELECT code, name, 'nation', '' FROM nations() WHERE code NOT IN (SELECT code FROM regions)
          AND code NOT IN (SELECT code FROM further_areas))),
named AS (
  SELECT code AS key, code, name, kind, rank FROM listed
  UNION ALL
  SELECT slug, code, name, kind, rank FROM listed WHERE kind = 'lsip' AND slug <> ''),
offered AS (SELECT DISTINCT ON (key) key, code, name, kind FROM named ORDER BY key, rank, code),
published_names AS (
  SELECT region_code, max_by(region_name, period_end) AS name FROM course_demand GROUP BY region_code)
SELECT key, true AS offered, code, name, kind, 'GB', '' AS split_into FROM offered
UNION ALL
SELECT f.former, false, o.code, o.name, o.kind, 'GB', '' FROM former_areas f JOIN offered o ON f.codes = [o.key]
UNION ALL
SELECT f.former, false, f.former, coalesce(p.name, f.former), f.kind, 'GB', array_to_string(f.codes, ',')
FROM former_areas f LEFT JOIN published_names p ON p.region_code = f.former
WHERE len(f.codes) > 1
ORDER BY key;
