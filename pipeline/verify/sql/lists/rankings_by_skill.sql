-- rankings_by_skill has exactly the rows of rankings. Their lists cover windows, not months.
SELECT -1, format('is not rankings in the order of skills, or has a list that is none: {} of {}', skill, list)
FROM (
  (SELECT list, skill, adverts FROM rankings EXCEPT SELECT list, skill, adverts FROM rankings_by_skill)
  UNION ALL (SELECT list, skill, adverts FROM rankings_by_skill EXCEPT SELECT list, skill, adverts FROM rankings)
  UNION ALL (SELECT list, skill, adverts FROM rankings_by_skill
             ANTI JOIN (FROM lists WHERE month IS NULL) USING (list)))
