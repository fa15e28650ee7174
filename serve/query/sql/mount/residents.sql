-- The printed shares of residents below a skill's level, in tenths of a per cent.
SELECT place, skill, below FROM residents WHERE below IS NOT NULL;
