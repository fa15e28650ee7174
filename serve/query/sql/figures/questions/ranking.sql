-- How many adverts of a list ask for each skill.
SELECT skill::INTEGER, adverts FROM rankings WHERE list = $list::INTEGER;
