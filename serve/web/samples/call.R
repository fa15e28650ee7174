# A count of people can be "<5", and NA is not published, never zero.
address <- "https://labour.example/v1/labour/skills-unmet?format=csv&limit=5"
key <- paste("Bearer", Sys.getenv("LABOUR_KEY"))
rows <- read.csv(url(address, headers = c(Authorization = key)), encoding = "UTF-8", na.strings = "")
print(rows)
