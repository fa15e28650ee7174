# Needs pandas. A count of people can be "<5", and an empty value is not published, never zero.
import os
import pandas

rows = pandas.read_csv(
    "https://labour.example/v1/labour/skills-unmet?format=csv&limit=5",
    storage_options={"Authorization": "Bearer " + os.environ["LABOUR_KEY"]},
)
print(rows.to_string())
