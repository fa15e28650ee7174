package snapshots

import "strings"

// Type is the type of a column. Each has one Parquet type that DuckDB, pandas,
// Arrow and Spark read alike; FORMAT.md lists them.
type Type string

// The column types.
const (
	Text      Type = "string"
	Day       Type = "date"
	Timestamp Type = "timestamp" // UTC, whole seconds
	Bool      Type = "bool"
	Int8      Type = "int8"
	Int16     Type = "int16"
	Int32     Type = "int32"
	Int64     Type = "int64"
	// Decimal1 is DECIMAL(6,1): a percentage with one decimal.
	Decimal1 Type = "decimal(6,1)"
	// Decimal2 is DECIMAL(6,2): a score with two decimals. It is for files that are
	// made of answers: no table of a snapshot has it, since scores are computed on
	// every call.
	Decimal2 Type = "decimal(6,2)"
	// Float64 is for protected files only: no table of a snapshot has it, since
	// printed figures are exact decimals.
	Float64 Type = "float64"
)

// Column is one column of a table.
type Column struct {
	Name     string
	Type     Type
	Nullable bool   // null means "no figure" or "not stated", never zero
	Doc      string // meaning, unit and range
}

// Table is the schema of one file under tables/.
type Table struct {
	Name    string
	Doc     string
	Columns []Column
	Sort    []string // the order of the rows in the file
}

// asOf is the first column of every table.
var asOf = Column{Name: "as_of", Type: Day, Doc: "the date the data describes"}

// Column is the column of that name.
func (t Table) Column(name string) (Column, bool) {
	for _, c := range t.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return Column{}, false
}

// PeopleColumn names a printed count of people: the column of its number and
// the column of its status. figure.Parse reads the two together.
type PeopleColumn struct{ Value, Status string }

// statusSuffix makes a column a printed count of people: X and X_status.
const statusSuffix = "_status"

// PeopleColumns lists the printed counts of people of the table.
func (t Table) PeopleColumns() []PeopleColumn {
	var people []PeopleColumn
	for _, c := range t.Columns {
		value, ok := strings.CutSuffix(c.Name, statusSuffix)
		if _, exists := t.Column(value); ok && exists {
			people = append(people, PeopleColumn{Value: value, Status: c.Name})
		}
	}
	return people
}

func table(name, doc string, sort []string, columns ...Column) Table {
	return Table{Name: name, Doc: doc, Sort: sort, Columns: append([]Column{asOf}, columns...)}
}

func text(name, doc string) Column { return Column{Name: name, Type: Text, Doc: doc} }
func textNull(name, doc string) Column {
	return Column{Name: name, Type: Text, Nullable: true, Doc: doc}
}
func whole(name, doc string) Column { return Column{Name: name, Type: Int32, Doc: doc} }
func wholeNull(name, doc string) Column {
	return Column{Name: name, Type: Int32, Nullable: true, Doc: doc}
}
func percentNull(name, doc string) Column {
	return Column{Name: name, Type: Decimal1, Nullable: true, Doc: doc}
}

// Tables lists every table of a snapshot, in the order of their names. A
// snapshot holds all of them, empty where no source feeds them.
func Tables() []Table {
	return []Table{
		advertsTable(), advertsTotalTable(), candidatesTable(), correctionsTable(), courseDemandTable(), eventsTable(), evidenceTable(),
		jobsTable(), levelsTable(), occupationsTable(), outlinesTable(), pathwayStandardsTable(), pathwayStepsTable(), pathwaysTable(),
		peopleTable(), placeMembersTable(), placesTable(), regionsTable(), residentsTable(), s106Table(), sectorsTable(),
		skillsTable(), skillsGapsTable(), sourcesTable(),
	}
}

// TableNamed is the schema of the table of that name.
func TableNamed(name string) (Table, bool) {
	for _, t := range Tables() {
		if t.Name == name {
			return t, true
		}
	}
	return Table{}, false
}

// The values of area_kind in the advert tables. An advert in several boroughs is
// in each borough's cells and once in the whole country's, so each kind of area
// has its own rows and rows of two kinds must never be added.
const (
	AreaAll     = "all"     // every counted advert, once; place is ""
	AreaBorough = "borough" // one row set per borough
	AreaServed  = "area"    // one row set per served area that is a union of boroughs
)

func cellColumns() []Column {
	return []Column{
		text("area_kind", "all, borough or area; rows of different kinds must not be added"),
		text("place", "place slug; empty for area_kind all"),
		text("sector", "sector slug; empty = not known"),
		text("soc", "SOC 2020 unit group, 4 digits; empty = not known"),
		text("source", "key of the source that delivered the advert"),
		{Name: "month", Type: Day, Doc: "first day of the calendar month in which the advert was posted"},
	}
}

func advertsTable() Table {
	cell := append([]Column{
		text("skill", "skill slug"),
		{Name: "level", Type: Int8, Doc: "level asked, 1 to 5; 0 = not stated"},
	}, cellColumns()...)
	return table("adverts", "Counted adverts that ask for a skill, per cell. Adverts are not people; the counts serve shares and are not themselves published.",
		[]string{"area_kind", "place", "skill", "level", "sector", "soc", "source", "month"},
		append(cell, whole("adverts", "adverts in the cell, at least 1"))...)
}

func advertsTotalTable() Table {
	employer := "number of an employer with an advert in the cell, from 1, by first appearance in a sorted list; up to three different ones, so that a union of cells shows whether at least three employers remain"
	return table("adverts_total", "Counted adverts per cell, whatever they ask for: the denominators of the shares.",
		[]string{"area_kind", "place", "sector", "soc", "source", "month"},
		append(cellColumns(), whole("adverts", "adverts in the cell, at least 1"),
			whole("employer_1", employer), wholeNull("employer_2", employer), wholeNull("employer_3", employer))...)
}

// Signatures of the published lattice: which filters a people cell has.
const (
	SigNone        = "none"
	SigPlace       = "place"
	SigSector      = "sector"
	SigSOC         = "soc"
	SigLevel       = "level"
	SigSource      = "source"
	SigMonth       = "month"
	SigPlaceSector = "place_sector"
	SigPlaceSOC    = "place_soc"
	SigPlaceLevel  = "place_level"
	SigPlaceSource = "place_source"
	SigPlaceMonth  = "place_month"
)

func peopleTable() Table {
	return table("people", "Printed counts and shares of people, one row per skill, cell of the published lattice and window. What is not here is not published.",
		[]string{"signature", "place", "value", "window_months", "skill"},
		text("signature", "which filters the cell has: none, place, sector, soc, level, source, month, or place_ with one of them"),
		text("place", "place slug; empty when the signature has no place"),
		text("value", "the other filter's value: sector slug, SOC 2020 code, level, source key or month (YYYY-MM); empty when the signature has none"),
		Column{Name: "window_months", Type: Int8, Doc: "3, 6, 12 or 24 months up to people_as_of; 1 for a month"},
		text("skill", "skill slug"),
		wholeNull("people_turned_down", "distinct people turned down for the skill, at their most recent such event; 0 or at least 5"),
		text("people_turned_down_status", "number, under_5 (a count from 1 to 4), or empty (not published)"),
		percentNull("hired_with_skill_pct", "hired applicants who had the skill at the level the role asked, per cent; null = not published"),
		percentNull("turned_down_with_skill_pct", "turned-down applicants who had it at that level, per cent; null = not published"))
}

func residentsTable() Table {
	return table("residents", "Share of residents below a skill's reference level.",
		[]string{"place", "skill"},
		text("place", "place slug; empty = all residents of the platform"),
		text("skill", "skill slug"),
		percentNull("people_below_share_pct", "residents whose recorded level is under the skill's reference level, or who have no record of it, per cent; null = not published"))
}

func skillsTable() Table {
	return table("skills", "The register of skills.", []string{"skill"},
		text("skill", "skill slug"), text("name", "name for people"),
		Column{Name: "reference_level", Type: Int8, Doc: "level against which residents are judged, 1 to 5"})
}

func correctionsTable() Table {
	return table("corrections", "What the operator corrected of what publishers got wrong, and what became of each correction.",
		[]string{"source_key", "kind", "record", "field"},
		text("source_key", "key of the source"), text("kind", "advert, statistic, evidence or area"),
		text("record", "which record: its id, or what tells it apart"), text("field", "which field of it"),
		textNull("old", "what the publisher says; null when its records may not be shown"),
		textNull("new", "what is right; null when its records may not be shown"),
		text("reason", "why"), text("decided_by", "who decided it"), Column{Name: "decided_on", Type: Day, Doc: "when"},
		text("outcome", "applied; mended (the publisher no longer says the old value, and its own stands); no_record (no such record was read)"))
}

func levelsTable() Table {
	return table("levels", "The five levels of a skill.", []string{"level"},
		Column{Name: "level", Type: Int8, Doc: "1 to 5"}, text("name", "name for people"))
}

func placesTable() Table {
	return table("places", "What `place` may name.", []string{"place"},
		text("place", "place slug"), text("name", "name for people"),
		text("area_kind", "borough, or area (a union of boroughs)"),
		text("code", "national statistics code of a borough's council; empty for an area"))
}

func placeMembersTable() Table {
	return table("place_members", "The boroughs of each served area.", []string{"area", "borough"},
		text("area", "place slug of the area"), text("borough", "place slug of a borough in it"))
}

func sectorsTable() Table {
	return table("sectors", "The sectors: the 15 apprenticeship routes.", []string{"sector"},
		text("sector", "sector slug"), text("name", "name for people"))
}

func occupationsTable() Table {
	return table("occupations", "SOC 2020 groups.", []string{"soc"},
		text("soc", "SOC 2020 code of 1 to 4 digits"), text("name", "official name"))
}
