-- What the region parameter may name, and the codes that went into each area. A code of
-- two kinds is the first of nation, region, council, lsip.
SELECT code, name, kind, coalesce(slug, ''), coalesce(former_codes, '')
FROM regions
WHERE kind IN ('nation', 'region', 'council', 'lsip')
ORDER BY list_position(['nation', 'region', 'council', 'lsip'], kind), code;
