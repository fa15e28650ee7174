-- rankings_by_skill has exactly the rows of rankings. Their lists cover windows, not months. No row
-- occurs twice in either (order).
SELECT -1, format('is not rankings in the order of skills, or has a list that is none: {} of {}',
                  coalesce(b.skill, r.skill), coalesce(b.list, r.list))
FROM rankings_by_skill b FULL JOIN rankings r ON r.list = b.list AND r.skill = b.skill AND r.adverts = b.adverts
WHERE b.list IS NULL OR r.list IS NULL OR b.list NOT IN (SELECT l.list FROM lists l WHERE l.month IS NULL)
