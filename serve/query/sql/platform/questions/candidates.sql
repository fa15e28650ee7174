-- The printed counts of residents, as the one object of JSON that answers.
WITH printed AS (
  SELECT dimension, value, name, CASE status WHEN 'number' THEN residents::VARCHAR WHEN 'under_5' THEN '"<5"' END::JSON AS residents FROM candidates)
SELECT json_object(
  'residents', any_value(residents) FILTER (dimension = 'all'), 'seeking_work', any_value(residents) FILTER (dimension = 'seeking_work'),
  'by_borough', coalesce(list({'borough': value, 'borough_name': name, 'residents': residents} ORDER BY name, value) FILTER (dimension = 'borough'), []),
  'by_level', coalesce(list({'level': TRY_CAST(value AS INTEGER), 'level_name': name, 'residents': residents} ORDER BY value) FILTER (dimension = 'level'), []),
  'by_sector_sought', coalesce(list({'sector': value, 'sector_name': name, 'residents': residents} ORDER BY name, value) FILTER (dimension = 'sector_sought'), []))::VARCHAR
FROM printed;
