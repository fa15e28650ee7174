-- Skills not met, ranked: shares and scores in integers from printed values
-- (tenths of a per cent, hundredths), half away from zero; score descending with
-- nulls last, then the share of adverts, then the slug. `rank` is the position in
-- the whole list, also where one skill was asked for. A page begins after a key,
-- not at an offset.
printed AS (
  SELECT s.skill, s.name,
         CASE a.usual WHEN 0 THEN s.reference_level ELSE a.usual END AS level,
         (2000 * a.adverts + t.adverts) // (2 * t.adverts) AS share,
         r.below, p.turned_down, p.turned_down_status, p.hired_with, p.turned_down_with,
         t.sources
  FROM asked a
  CROSS JOIN total t
  JOIN skills s ON s.code = a.skill
  LEFT JOIN (SELECT skill, below FROM residents WHERE place = $residents_place::USMALLINT) r ON r.skill = a.skill
  LEFT JOIN (
    SELECT skill, turned_down, turned_down_status, hired_with, turned_down_with
    FROM people_by_cell
    WHERE signature = $signature::people_signature AND months = $people_months::UTINYINT
      AND place = $people_place::USMALLINT AND value = $people_value::INTEGER
  ) p ON p.skill = a.skill
  WHERE a.adverts > 0
),
scored AS (SELECT *, (share * below + 50) // 100 AS score FROM printed),
ranked AS (SELECT *, row_number() OVER (ORDER BY score DESC NULLS LAST, share DESC, skill) AS rank FROM scored)
SELECT rank, k.skill, k.name, k.level, coalesce(l.name, '') AS level_name, share, below,
       turned_down, turned_down_status, hired_with, turned_down_with, score, sources,
       NULL::VARCHAR AS bucket, NULL::VARCHAR AS bucket_name
FROM ranked k LEFT JOIN levels l ON l.level = k.level
WHERE ($skill::VARCHAR IS NULL OR k.skill = $skill::VARCHAR)
  AND ($after_skill::VARCHAR IS NULL
       OR coalesce(score, -1) < $after_score::BIGINT
       OR coalesce(score, -1) = $after_score::BIGINT
          AND (share < $after_share::BIGINT OR share = $after_share::BIGINT AND k.skill > $after_skill::VARCHAR))
ORDER BY rank LIMIT $limit::BIGINT;
