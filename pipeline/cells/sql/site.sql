-- Numbers the areas ("sites") from 0. A cell is a site and a profile, and a vacancy is in one cell
-- for each of its sites.
SELECT area_kind, place, (row_number() OVER (ORDER BY area_kind, place) - 1)::SMALLINT AS number
FROM (SELECT 'all' AS area_kind, '' AS place
      UNION SELECT 'borough', place FROM borough
      UNION SELECT 'area', area FROM member)
