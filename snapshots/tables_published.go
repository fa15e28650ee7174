package snapshots

// The tables whose figures other bodies published, and the lists they rest on.

func courseDemandTable() Table {
	status := "number, under_5 (a count from 1 to 4), or empty (suppressed or not published)"
	return table("course_demand", "What people are training for, with the change on the year before.",
		[]string{"country", "region_code", "metric", "subject_area", "period_end"},
		text("source_key", "key of the source"),
		text("metric", "apprenticeship_starts, further_education_enrolments or skills_bootcamp_starts"),
		text("country", "ISO 3166-1 alpha-2"),
		text("region_code", "official national-statistics region code, of today's areas"),
		text("region_name", "name of the region"),
		text("region_kind", "nation, region, council or lsip"),
		text("subject_area", "subject area name; Total for all"),
		Column{Name: "period_end", Type: Day, Doc: "end of the period the value covers"},
		Column{Name: "value", Type: Int64, Nullable: true, Doc: "the count; 0 or at least 5"},
		text("value_status", status),
		Column{Name: "previous_value", Type: Int64, Nullable: true, Doc: "the count of the same period one year before"},
		text("previous_value_status", status),
		percentNull("change_pct", "change on the previous value, per cent; null when either is not a number or the previous one is 0"))
}

func skillsGapsTable() Table {
	return table("skills_gaps", "Forecast skills gaps by occupation.",
		[]string{"country", "classification", "soc", "region_code", "source_key", "horizon_year"},
		text("soc", "occupation code in the classification"),
		text("occupation", "name of the occupation"),
		text("classification", "SOC2020, or SOC2018-US for country US; never mixed"),
		text("country", "ISO 3166-1 alpha-2"),
		text("region_code", "national statistics code; empty = the country"),
		whole("sources_agreeing", "distinct published sources that point to a gap for the occupation; a news headline is never counted"),
		text("pointing_sources", "their keys, sorted, separated by commas"),
		wholeNull("base_year", "first year of the projection"),
		wholeNull("horizon_year", "last year of the projection"),
		percentNull("projected_change_pct", "projected change of employment, per cent"),
		Column{Name: "projected_openings", Type: Int64, Nullable: true, Doc: "projected openings over the period"},
		text("source_key", "key of the source of the projection"))
}

func evidenceTable() Table {
	return table("evidence", "The published evidence behind the figures.", []string{"published_on", "id"},
		text("id", "stable id, source key and the source's own id"),
		Column{Name: "published_on", Type: Day, Doc: "date of publication"},
		text("title", "title of the publication"),
		text("statement", "what it says, figures passed through the small-number rule"),
		text("kind", "statistic, projection, report or news"),
		text("signal", "gap, no_gap or none"),
		textNull("soc", "occupation code; null when it concerns none"),
		textNull("region_code", "national statistics code; null = the country"),
		text("country", "ISO 3166-1 alpha-2"),
		text("source_key", "key of the source"),
		text("licence", "licence of the source"),
		text("link", "where it can be read"))
}

func sourcesTable() Table {
	return table("sources", "Every receivable source, with licence, cadence and freshness.", []string{"key"},
		text("key", "source key"), text("publisher", "publisher"), text("title", "what is published"),
		text("kind", "platform, employer_boards, apprenticeships, statistics, projections or geography; news and plans for the sources of the held datasets signals and priorities"),
		text("licence", "licence"), text("link", "link to the source"),
		text("attribution_statement", "text that must be displayed with any figure from the source"),
		text("cadence", "daily, weekly, monthly, quarterly or annual"),
		Column{Name: "last_success_at", Type: Timestamp, Nullable: true, Doc: "last time that it was fetched whole; null = never"},
		Column{Name: "adverts_counted", Type: Bool, Doc: "whether its adverts are counted"},
		Column{Name: "rows", Type: Int64, Doc: "records read from it for this snapshot, but for those about people"})
}

func outlinesTable() Table {
	return table("outlines", "Outlines of the boroughs, simplified for a map of all of them that is 600 pixels wide or high, with the borders that neighbours share kept equal. A borough that is not here has no outline among the sources.",
		[]string{"place"},
		text("place", "place slug of the borough"),
		text("code", "national statistics code of its council"),
		text("outline", "MULTIPOLYGON in Well-Known Text: of each polygon the outer ring, then its holes; longitude and latitude in degrees of WGS 84, whole multiples of 0.00001"),
		text("source_key", "key of the source"))
}

func regionsTable() Table {
	return table("regions", "UK regions with official codes.", []string{"kind", "name", "code"},
		text("code", "official code"), text("name", "official name"),
		textNull("name_welsh", "Welsh name; null when there is none"),
		text("kind", "nation, region, council, travel_to_work_area, lsip, itl1, itl2 or itl3"),
		textNull("nation_code", "code of the nation; null when it crosses nations"),
		textNull("slug", "slug of a local skills improvement plan area, else null"),
		textNull("former_codes", "codes that the area had before, and those of areas that went into it, sorted, separated by commas; null when there are none"),
		text("source_key", "key of the source"))
}
