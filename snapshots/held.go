package snapshots

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

// HeldTables lists the schemas of the held datasets, in the order of HeldDatasets.
// Their files are under held/; a snapshot that was sealed before a dataset could be
// built has no file of it.
func HeldTables() []Table {
	return []Table{demandTable(), trendsTable(), outlookTable(), reachTable(), signalsTable(), prioritiesTable()}
}

// HeldTableNamed is the schema of the held dataset of that name.
func HeldTableNamed(name string) (Table, bool) {
	for _, t := range HeldTables() {
		if t.Name == name {
			return t, true
		}
	}
	return Table{}, false
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
