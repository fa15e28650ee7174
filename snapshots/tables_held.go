package snapshots

// The held datasets. They are tables like the others but for their folder and for
// being answered only while they are open. "Their columns are documented like the
// others."

// heldSources is the column that names every source of a row.
func heldSources() Column {
	return text("source_keys", "keys of the sources of the figure, sorted, separated by commas")
}

func demandTable() Table {
	return table("demand", "Live vacancies per day and occupation, of sources that may be shared only. A vacancy is live from the day on which it was posted to its closing day; "+
		"without one, to the last day on which its source showed it. A day and occupation with fewer than 5 vacancies, or of fewer than 3 employers, has no row.",
		[]string{"day", "soc"},
		Column{Name: "day", Type: Day, Doc: "the day, one of the 365 up to as_of"},
		text("soc", "SOC 2020 unit group, 4 digits"),
		text("occupation", "name of the unit group"),
		whole("vacancies", "vacancies that were live on the day, at least 5"),
		heldSources())
}

func trendsTable() Table {
	return table("trends", "Occupations growing and shrinking: vacancies posted in the 91 days up to as_of against those of the same 91 days 364 days before, of sources that may be shared and were watched in both. "+
		"An occupation needs at least 20 vacancies before, and 5 of at least 3 employers in each window. Growing or shrinking is a change of at least 10 per cent and of more than twice the square root of both counts together; everything else is steady.",
		[]string{"digits", "direction", "rank"},
		Column{Name: "digits", Type: Int8, Doc: "digits of the occupation's code, 1 to 4; ranks are within groups of as many digits"},
		text("direction", "growing, shrinking or steady"),
		whole("rank", "from 1 in its direction: the largest change first; ties by vacancies, the most first, then by soc"),
		text("soc", "SOC 2020 group of 1 to 4 digits"),
		text("occupation", "name of the group"),
		whole("vacancies", "vacancies posted in the window, at least 5"),
		whole("previous_vacancies", "vacancies posted in the window before, at least 20"),
		Column{Name: "change_pct", Type: Decimal1, Doc: "change on the window before, per cent"},
		Column{Name: "window_from", Type: Day, Doc: "first day of the window"},
		Column{Name: "window_to", Type: Day, Doc: "last day of the window"},
		Column{Name: "previous_from", Type: Day, Doc: "first day of the window before"},
		Column{Name: "previous_to", Type: Day, Doc: "last day of the window before"},
		heldSources())
}

func outlookTable() Table {
	return table("outlook", "Skills gap outlook, 6 months to 5 years: published projections of an occupation blended. Each projection is taken as steady growth over its period, and only inside it; of each source the newest counts, and sources count alike.",
		[]string{"country", "classification", "soc", "region_code", "horizon_months"},
		text("soc", "occupation code in the classification, at the level published"),
		text("occupation", "name of the occupation"),
		text("classification", "SOC2020, or SOC2018-US for country US; never mixed"),
		text("country", "ISO 3166-1 alpha-2"),
		text("region_code", "national statistics code; empty = the country"),
		Column{Name: "horizon_months", Type: Int16, Doc: "months after as_of: 6, 12, 24, 36, 48 or 60"},
		text("signal", "gap, no_gap, or none: what more of the sources point to"),
		whole("sources_gap", "distinct published sources that point to a gap; a news headline is never counted"),
		whole("sources_no_gap", "distinct published sources that say that there is none"),
		Column{Name: "projected_change_pct", Type: Decimal1, Doc: "change of employment from as_of to the horizon, per cent: the mean of the sources"},
		Column{Name: "low_change_pct", Type: Decimal1, Doc: "the lowest of the sources, per cent"},
		Column{Name: "high_change_pct", Type: Decimal1, Doc: "the highest of the sources, per cent"},
		Column{Name: "projected_openings", Type: Int64, Nullable: true, Doc: "openings from as_of to the horizon, the mean of the sources that state them, evenly over their periods; null = none states them"},
		heldSources())
}

func reachTable() Table {
	return table("reach", "Live work reachable from each ward, as the crow flies from the ward's middle, of sources that may be shared only. Work is where its advert gives coordinates, else in the middle of its council; a vacancy in several places is at the nearest. "+
		"Fewer than 5 vacancies, or of fewer than 3 employers, have no row.",
		[]string{"ward_code", "within_km"},
		text("ward_code", "national statistics code of the ward"),
		text("ward_name", "name of the ward"),
		text("council_code", "national statistics code of the ward's council"),
		Column{Name: "within_km", Type: Int16, Doc: "distance in kilometres: 5, 10 or 20; a longer one includes the shorter"},
		whole("vacancies", "vacancies live on as_of within the distance, at least 5"),
		whole("vacancies_placed_by_council", "those of them whose place is known as a council only"),
		heldSources())
}

func signalsTable() Table {
	return table("signals", "Labour market news as the service's own summaries, made from the date, the publisher and the topics of each publication; no word of a publisher is in them.",
		[]string{"published_on", "id"},
		text("id", "stable id: source key, a colon and the hash of the publisher's own id"),
		Column{Name: "published_on", Type: Day, Doc: "date of publication"},
		text("topics", "topics of the service's own list, sorted, separated by commas"),
		text("summary", "one sentence of the service's own"),
		text("source_key", "key of the source"),
		text("licence", "licence of the source"),
		text("link", "citation: where the publication can be read"))
}

func prioritiesTable() Table {
	return table("priorities", "What local skills improvement plans and other local plans list as in demand, coded, with the page.",
		[]string{"region_code", "plan", "kind", "code"},
		text("region_code", "national statistics code of the area of the plan"),
		text("plan", "id of the plan"),
		text("kind", "occupation, sector or skill"),
		text("code", "SOC 2020 code of 1 to 4 digits, sector slug or skill slug"),
		text("name", "name of the occupation, sector or skill in the service's lists"),
		text("summary", "one sentence of the service's own"),
		textNull("page", "page of the plan; null = not paged"),
		Column{Name: "published_on", Type: Day, Doc: "date of the plan"},
		text("source_key", "key of the source"),
		text("licence", "licence of the source"),
		text("link", "citation: where the plan can be read"))
}
