-- What a breakdown may name, by the code that the cells hold.
SELECT kind, code, bucket, name FROM buckets;
