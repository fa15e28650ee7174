-- The areas that had other codes before, as rows of the table regions.
SELECT code, name, name_welsh, kind, nation_code, slug, former_codes, source_key
FROM regions WHERE former_codes IS NOT NULL ORDER BY code, kind;
