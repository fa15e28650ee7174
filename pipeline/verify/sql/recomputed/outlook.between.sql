-- The projected change is the mean of the sources, so it is between the lowest and the highest.
SELECT file_row_number, 'projected_change_pct is not between low_change_pct and high_change_pct'
FROM outlook
WHERE projected_change_pct NOT BETWEEN low_change_pct AND high_change_pct
