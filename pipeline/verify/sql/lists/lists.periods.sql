-- A list covers a window, a single month, or a calendar quarter whose first month is in the longest
-- window (snapshots/FORMAT.md, lists).
SELECT file_row_number,
       format('{} months from {} are no window, month or quarter', window_months, coalesce(month::VARCHAR, 'no month'))
FROM (FROM lists SELECT *, file_row_number)
WHERE CASE
        WHEN month IS NULL THEN NOT list_contains(windows(), window_months)
        WHEN window_months = 1 THEN month <> date_trunc('month', month)
        ELSE window_months <> 3 OR month <> quarter_of(month)
      END
   OR NOT is_recent(month)
