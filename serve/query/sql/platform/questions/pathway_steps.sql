-- The steps of every pathway, in order.
SELECT pathway, step, title, description, soc, level FROM pathway_steps ORDER BY pathway, position;
