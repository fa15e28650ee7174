-- The numbers of the served areas, which overlap the boroughs.
CREATE TABLE areas AS
SELECT c.code AS place FROM places p JOIN rollup_codes c ON c.dimension = 'place' AND c.value = p.place
WHERE p.area_kind = 'area' ORDER BY c.code;
