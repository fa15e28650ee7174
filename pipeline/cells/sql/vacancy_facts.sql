-- What is known from all adverts of a vacancy: the day of the latest posting, by which it is in a
-- window, and how exactly its place is known, from the most exact advert.
SELECT v.counted_as AS ordinal, max(a.posted) AS posted,
       max(CASE WHEN p.ordinal IS NULL THEN a.placed ELSE 2 END)::TINYINT AS placed
FROM staged_adverts a
JOIN staged_advert_vacancies v ON v.ordinal = a.ordinal AND v.counted_as >= 0
LEFT JOIN (SELECT DISTINCT ordinal FROM advert_place) p ON p.ordinal = a.ordinal
GROUP BY v.counted_as
