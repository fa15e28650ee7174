-- Regions of one kind.
SELECT code, name, name_welsh, kind, nation_code, slug, source_key
FROM regions
WHERE kind = $kind::VARCHAR
ORDER BY name, code;
