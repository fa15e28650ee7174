package snapshots

import "slices"

// EmbargoedDataset is a dataset that the pipeline builds, but that the server does not serve until
// a condition is met. The operator records that the condition is met.
type EmbargoedDataset struct {
	Table     // the name is the one in the path /v1/labour/<name>
	Content   string
	Condition string // condition that must be met before the dataset is served
}

const shareable = "Counts from shareable sources only"

var embargoed = []EmbargoedDataset{
	{Content: "Daily vacancy counts by occupation", Condition: shareable,
		Table: table[DemandRow]("demand", fromAdverts,
			"Live vacancies per day and occupation, from shareable sources only. A vacancy is live from the day it was "+
				"posted to its closing day. If its source stopped listing it earlier, or it has no closing day, it is live "+
				"to the last day on which its source listed it. A day and occupation with fewer than 5 vacancies, or of "+
				"fewer than 3 employers, has no row.",
			"day", "soc")},
	{Content: "Occupations growing and shrinking", Condition: shareable,
		Table: table[TrendsRow]("trends", fromAdverts,
			"Occupations growing and shrinking: vacancies posted in the 91 days up to as_of, compared with those of the 91 "+
				"days that ended 364 days before, from shareable sources that were watched in both windows. An occupation "+
				"needs 5 vacancies of at least 3 employers in each window, and 20 vacancies in the earlier one. It grows or "+
				"shrinks if the change is at least 10 per cent and more than twice the square root of the sum of both "+
				"counts; otherwise it is steady.",
			"digits", "direction", "rank")},
	{Content: "Skills gap outlook, 6 months to 5 years",
		Condition: "Confirmation of reuse terms of the projections blended in",
		Table: table[OutlookRow]("outlook", "projections",
			"Skills gap outlook, 6 months to 5 years: the mean of the published projections of an occupation. Each "+
				"projection is taken as steady growth over its period, and is used only within it. Each source counts once, "+
				"with its newest projection. Projections and openings of few people are left out, as in skills_gaps.",
			"country", "classification", "soc", "region_code", "horizon_months")},
	{Content: "Live work reachable from each ward", Condition: shareable,
		Table: table[ReachRow]("reach", fromAdverts,
			"Live work reachable from each ward, in a straight line from the ward's centre as its publisher states it, "+
				"from shareable sources only. Work is at the coordinates of its advert or, if there are none, at the centroid "+
				"of its council's outline. Distances are great-circle distances on a sphere with a radius of 6,378.137 km. "+
				"A vacancy in several places counts at the nearest. Fewer than 5 vacancies, or of fewer than 3 employers, "+
				"have no row.",
			"ward_code", "within_km")},
	{Content: "Labour market news as the service's own summaries", Condition: "Confirmation of publishers' terms",
		Table: table[SignalsRow]("signals", "news",
			"Labour market news as the service's own summaries, made from the date, the publisher and the topics of each "+
				"publication. They contain no words of the publishers.",
			"published_on", "id")},
	{Content: "What local skills improvement plans list as in demand",
		Condition: "Settling how a summary and citation can be offered",
		Table: table[PrioritiesRow]("priorities", "plans",
			"Occupations, sectors and skills that local skills improvement plans and other local plans list as in demand, "+
				"coded, with the page.",
			"region_code", "plan", "kind", "code")},
}

// EmbargoedDatasets returns the six embargoed datasets in the order of the specification. Their
// files are in the snapshot's folder embargoed/. A snapshot built before a dataset was introduced
// has no file for it.
func EmbargoedDatasets() []EmbargoedDataset { return slices.Clone(embargoed) }

// EmbargoedTables returns the schemas of the six embargoed datasets, in the order of the
// specification.
func EmbargoedTables() []Table {
	var tables []Table
	for _, h := range embargoed {
		tables = append(tables, h.Table)
	}
	return tables
}

// FindEmbargoedTable returns the schema of the embargoed dataset called name, and reports whether
// the dataset exists.
func FindEmbargoedTable(name string) (Table, bool) {
	h, ok := FindEmbargoedDataset(name)
	return h.Table, ok
}

// FindEmbargoedDataset returns the embargoed dataset called name, and reports whether it exists.
func FindEmbargoedDataset(name string) (EmbargoedDataset, bool) {
	return find(embargoed, func(h EmbargoedDataset) bool { return h.Name == name })
}
