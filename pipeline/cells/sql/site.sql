-- Areas are numbered from 0 in their order: a vacancy is in a cell by two numbers, of its
-- area and of its profile, once for each area.
SELECT area_kind, place, (row_number() OVER (ORDER BY area_kind, place) - 1)::SMALLINT AS number
FROM (SELECT 'all' AS area_kind, '' AS place
      UNION SELECT 'borough', place FROM borough
      UNION SELECT 'area', area FROM member)
