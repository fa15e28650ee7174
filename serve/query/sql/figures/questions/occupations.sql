-- The groups of SOC 2020, of 1 to 4 digits.
SELECT soc, name, '', '', '' FROM occupations ORDER BY soc;
