-- The skills by code, from 1.
SELECT code, skill, name, reference_level FROM skills ORDER BY code;
