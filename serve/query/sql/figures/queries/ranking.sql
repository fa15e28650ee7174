-- Counts the adverts of a list that ask for each skill.
SELECT skill::INTEGER, adverts FROM rankings WHERE list = $list::INTEGER;
