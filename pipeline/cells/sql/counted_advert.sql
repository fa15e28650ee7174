-- The adverts of counted vacancies.
SELECT ordinal, vacancy, id, precedence, sector, soc, source, posted, readable, placed, employer
FROM admitted_advert
WHERE is_counted
