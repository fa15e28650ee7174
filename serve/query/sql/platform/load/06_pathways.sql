-- The published careers pathways as the API returns them, with steps and apprenticeship standards
-- as JSON. They are prepared once, because they are few and the same for everybody.
CREATE TABLE answered_pathways AS
SELECT id, slug, title, summary, sector,
       (SELECT to_json(coalesce(list({'order': step, 'title': title, 'description': description, 'soc': soc,
                                      'level': level}
                                     ORDER BY position), []))::VARCHAR
        FROM pathway_steps s WHERE s.pathway = p.id) AS steps,
       (SELECT to_json(coalesce(list({'code': code, 'title': title, 'level': level} ORDER BY code), []))::VARCHAR
        FROM pathway_standards s WHERE s.pathway = p.id) AS standards,
       updated_on
FROM pathways p ORDER BY slug, id;
