package snapshots

import "slices"

// Held is a dataset that is built into held/ and not answered until the operator
// records that its condition is met: "The following labour datasets are built but
// not available. Each waits on one stated condition".
type Held struct {
	Name      string // as in the path /v1/labour/<name>
	Content   string
	Condition string // what it waits on
}

// HeldDatasets lists the six held datasets in the order of the specification.
func HeldDatasets() []Held {
	const shareable = "Counts from shareable sources only"
	return []Held{
		{"demand", "Daily vacancy counts by occupation", shareable},
		{"trends", "Occupations growing and shrinking", shareable},
		{"outlook", "Skills gap outlook, 6 months to 5 years", "Confirmation of reuse terms of the projections blended in"},
		{"reach", "Live work reachable from each ward", shareable},
		{"signals", "Labour market news as the service's own summaries", "Confirmation of publishers' terms"},
		{"priorities", "What local skills improvement plans list as in demand", "Settling how a summary and citation can be offered"},
	}
}

// HeldTables lists the schemas of the held datasets, in the order of HeldDatasets. Their files are
// under held/; a snapshot that was sealed before a dataset could be built has no file of it.
func HeldTables() []Table { return slices.Clone(heldTables) }

var heldTables = []Table{
	table[DemandRow]("demand", "Live vacancies per day and occupation, of sources that may be shared only. A vacancy is live from the day on which it was posted to its closing day; "+
		"without one, to the last day on which its source showed it. A day and occupation with fewer than 5 vacancies, or of fewer than 3 employers, has no row.",
		"day", "soc"),
	table[TrendsRow]("trends", "Occupations growing and shrinking: vacancies posted in the 91 days up to as_of against those of the same 91 days 364 days before, of sources that may "+
		"be shared and were watched in both. An occupation needs at least 20 vacancies before, and 5 of at least 3 employers in each window. Growing or "+
		"shrinking is a change of at least 10 per cent and of more than twice the square root of both counts together; everything else is steady.",
		"digits", "direction", "rank"),
	table[OutlookRow]("outlook", "Skills gap outlook, 6 months to 5 years: published projections of an occupation blended. Each projection is taken as steady growth over its period, "+
		"and only inside it; of each source the newest counts, and sources count alike.",
		"country", "classification", "soc", "region_code", "horizon_months"),
	table[ReachRow]("reach", "Live work reachable from each ward, as the crow flies from the ward's middle, of sources that may be shared only. Work is where its advert gives "+
		"coordinates, else in the middle of its council; a vacancy in several places is at the nearest. Fewer than 5 vacancies, or of fewer than 3 employers, "+
		"have no row.",
		"ward_code", "within_km"),
	table[SignalsRow]("signals", "Labour market news as the service's own summaries, made from the date, the publisher and the topics of each publication; no word of a publisher is in them.",
		"published_on", "id"),
	table[PrioritiesRow]("priorities", "What local skills improvement plans and other local plans list as in demand, coded, with the page.",
		"region_code", "plan", "kind", "code"),
}

// HeldTableNamed is the schema of the held dataset of that name.
func HeldTableNamed(name string) (Table, bool) {
	return named(heldTables, name)
}

// HeldNamed is the held dataset of that name.
func HeldNamed(name string) (Held, bool) {
	for _, h := range HeldDatasets() {
		if h.Name == name {
			return h, true
		}
	}
	return Held{}, false
}

// SourceColumns are the columns that name sources by their keys; those in the
// plural name several, separated by commas.
func SourceColumns() []string {
	return []string{"source_key", "source", "source_keys", "pointing_sources"}
}

// SourceKinds are the kinds of source (`kind` of the table sources) that the rows
// of a table come from; none for the lists that the service itself keeps. A row
// with a column of SourceColumns says more exactly which source it is from.
func SourceKinds(table string) []string {
	switch table {
	case "adverts", "adverts_total", "demand", "trends", "reach", "rollup_codes", "rollup_months", "rollup_skills", "rollup_totals":
		return []string{"platform", "employer_boards", "apprenticeships"}
	case "jobs":
		return []string{"platform", "apprenticeships"}
	case "people", "residents", "candidates", "s106", "events", "place_members", "pathways", "pathway_steps", "pathway_standards":
		return []string{"platform"}
	case "places":
		return []string{"platform", "geography"}
	case "course_demand":
		return []string{"statistics"}
	case "evidence":
		return []string{"statistics", "projections"}
	case "skills_gaps", "outlook":
		return []string{"projections"}
	case "regions", "outlines":
		return []string{"geography"}
	case "signals":
		return []string{"news"}
	case "priorities":
		return []string{"plans"}
	}
	return nil
}

// SourcesOf is the rows of the table sources that the rows of a table come from, by SourceKinds.
func SourcesOf(table string, sources []SourcesRow) []SourcesRow {
	kinds := SourceKinds(table)
	var from []SourcesRow
	for _, s := range sources {
		if slices.Contains(kinds, s.Kind) {
			from = append(from, s)
		}
	}
	return from
}

// CountsOwnPeople reports whether a table holds counts of the platform's own people, which
// are rounded; those of published statistics are their publisher's.
func CountsOwnPeople(table string) bool { return IsPeopleTable(table) || table == "s106" }

// IsPeopleTable says whether a table holds counts and shares of the platform's
// residents, which are built once a month.
func IsPeopleTable(table string) bool {
	return table == "people" || table == "residents" || table == "candidates"
}
