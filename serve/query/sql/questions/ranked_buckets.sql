-- One skill broken down: the buckets ranked like skills, the slug of the bucket
-- last; months in calendar order. A bucket's people figures are those of its own
-- cell of the lattice, and its residents those of its place.
printed AS (
  SELECT b.bucket, b.name AS bucket_name, s.skill, s.name,
         CASE a.usual WHEN 0 THEN s.reference_level ELSE a.usual END AS level,
         (2000 * a.adverts + t.adverts) // (2 * t.adverts) AS share,
         r.below, p.turned_down, p.turned_down_status, p.hired_with, p.turned_down_with,
         t.sources
  FROM asked a
  JOIN total t ON $by::VARCHAR = 'level' OR t.bucket = a.bucket
  JOIN buckets b ON b.kind = $by::VARCHAR AND b.code = a.bucket
  JOIN skills s ON s.code = $skill_code::UINTEGER
  LEFT JOIN (SELECT place, below FROM residents WHERE skill = $skill_code::UINTEGER) r
    ON r.place = CASE $by::VARCHAR WHEN 'place' THEN a.bucket ELSE $residents_place::INTEGER END
  LEFT JOIN (
    SELECT place, value, turned_down, turned_down_status, hired_with, turned_down_with
    FROM people_by_skill
    WHERE skill = $skill_code::UINTEGER AND signature = $signature::people_signature
      AND months = $people_months::UTINYINT
  ) p ON p.place = CASE $by::VARCHAR WHEN 'place' THEN a.bucket ELSE $people_place::INTEGER END
     AND p.value = CASE $by::VARCHAR WHEN 'place' THEN $people_value::INTEGER ELSE a.bucket END
),
scored AS (SELECT *, (share * below + 50) // 100 AS score FROM printed),
ranked AS (
  SELECT *, row_number() OVER (
    ORDER BY CASE WHEN $by::VARCHAR = 'month' THEN bucket END, score DESC NULLS LAST, share DESC, bucket) AS rank
  FROM scored
)
SELECT rank, k.skill, k.name, k.level, coalesce(l.name, '') AS level_name, share, below,
       turned_down, turned_down_status, hired_with, turned_down_with, score, sources, bucket, bucket_name
FROM ranked k LEFT JOIN levels l ON l.level = k.level
WHERE $after_skill::VARCHAR IS NULL
   OR CASE $by::VARCHAR WHEN 'month' THEN bucket > $after_bucket::VARCHAR
      ELSE coalesce(score, -1) < $after_score::BIGINT
        OR coalesce(score, -1) = $after_score::BIGINT
           AND (share < $after_share::BIGINT OR share = $after_share::BIGINT
                AND (k.skill > $after_skill::VARCHAR OR k.skill = $after_skill::VARCHAR AND bucket > $after_bucket::VARCHAR))
      END
ORDER BY rank LIMIT $limit::BIGINT;
