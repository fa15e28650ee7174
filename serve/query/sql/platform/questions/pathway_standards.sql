-- The apprenticeship standards of every pathway.
SELECT pathway, code, title, level FROM pathway_standards ORDER BY pathway, code;
