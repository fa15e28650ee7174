-- What the region parameter may name, and the codes that went into each area. A code of
-- two kinds is the first of the list. The United Kingdom is in no list of regions.
SELECT code, name, kind, slug, former
FROM (SELECT code, name, kind, coalesce(slug, '') AS slug, coalesce(former_codes, '') AS former FROM regions
      UNION ALL
      SELECT 'K02000001', 'United Kingdom', 'country', '', '')
ORDER BY list_position(['country', 'nation', 'region', 'council', 'lsip', 'itl1', 'itl2', 'itl3', 'travel_to_work_area'], kind), code;
