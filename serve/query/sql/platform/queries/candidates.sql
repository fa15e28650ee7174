-- The printed counts of residents: the total, and the breakdowns as JSON.
WITH counted AS (SELECT dimension, value, name, printed(residents, status)::JSON AS residents FROM candidates)
SELECT any_value(residents) FILTER (dimension = 'all')::VARCHAR,
       any_value(residents) FILTER (dimension = 'seeking_work')::VARCHAR,
       to_json(coalesce(list({'borough': value, 'borough_name': name, 'residents': residents}
                             ORDER BY name, value) FILTER (dimension = 'borough'), []))::VARCHAR,
       to_json(coalesce(list({'level': TRY_CAST(value AS INTEGER), 'level_name': name, 'residents': residents}
                             ORDER BY value) FILTER (dimension = 'level'), []))::VARCHAR,
       to_json(coalesce(list({'sector': value, 'sector_name': name, 'residents': residents}
                             ORDER BY name, value) FILTER (dimension = 'sector_sought'), []))::VARCHAR
FROM counted;
