-- Regions of one kind, or of the three levels of ITL.
SELECT code, name, name_welsh, kind, nation_code, slug, source_key
FROM regions
WHERE kind = $kind::VARCHAR OR $kind::VARCHAR = 'itl' AND kind IN ('itl1', 'itl2', 'itl3')
ORDER BY name, code;
