-- One row for each counted vacancy with at least one advert that may be shared. Its source is that
-- of the counted advert if this may be shared, else that of the advert whose source comes first. It
-- is live from the first of its shareable adverts to the last.
WITH shareable AS (
  SELECT s.*, v.counted_as,
         row_number() OVER (PARTITION BY v.counted_as
                            ORDER BY s.ordinal <> v.counted_as, s.precedence, s.ordinal) AS choice
  FROM staged_shared s JOIN staged_advert_vacancies v ON v.ordinal = s.ordinal
  WHERE v.counted_as >= 0)
SELECT v.ordinal AS vacancy, v.employer, v.soc, max(s.source_key) FILTER (WHERE s.choice = 1) AS source_key,
       min(s.posted) AS posted, max(s.until) AS until
FROM shareable s JOIN counted_advert v ON v.ordinal = s.counted_as
GROUP BY v.ordinal, v.employer, v.soc
ORDER BY vacancy
