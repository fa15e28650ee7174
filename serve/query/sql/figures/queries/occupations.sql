-- The groups of SOC 2020, of 1 to 4 digits.
SELECT soc, name, '', '', '', 0 FROM occupations ORDER BY soc;
