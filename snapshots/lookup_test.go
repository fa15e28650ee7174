package snapshots

import (
	"slices"
	"testing"
	"time"

	"labour/snapshots/figure"
)

// TestSourceColumnsOfTables: the columns that name the sources of a row, and those of them by which a
// table is credited: not the kind of a source, and none in lists that the service makes itself.
func TestSourceColumnsOfTables(t *testing.T) {
	for name, c := range map[string]struct{ sources, credits []string }{
		"sources":     {[]string{"key"}, nil},
		"adverts":     {[]string{"source"}, nil},
		"corrections": {[]string{"source_key"}, []string{"source_key"}}, // of publishers' figures
		"freshness":   {[]string{"source_key"}, nil},                    // made by the service
		"skills_gaps": {[]string{"source_key", "pointing_sources"}, []string{"source_key", "pointing_sources"}},
		"outlook":     {[]string{"source_keys"}, []string{"source_keys"}},
		"candidates":  {nil, nil},
	} {
		table, _, err := FindFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.SourceColumns(); !slices.Equal(got, c.sources) {
			t.Errorf("%s names its sources in %q, want %q", name, got, c.sources)
		}
		if got := table.CreditColumns(); !slices.Equal(got, c.credits) {
			t.Errorf("%s is credited by %q, want %q", name, got, c.credits)
		}
	}
}

// TestSourcesByKind: a table whose rows do not name their sources is credited to all of its kinds.
func TestSourcesByKind(t *testing.T) {
	all := []SourcesRow{{Key: "a", Kind: "platform"}, {Key: "b", Kind: "statistics"}, {Key: "c", Kind: "projections"},
		{Key: "d", Kind: "platform"}}
	keys := func(rows []SourcesRow) (keys string) {
		for _, r := range rows {
			keys += r.Key
		}
		return keys
	}
	for table, want := range map[string]string{"candidates": "ad", "evidence": "bc", "reach": "ad", "levels": "",
		"nil": ""} {
		if got := keys(SourcesOfTable(table, all)); got != want {
			t.Errorf("%s comes from %q, want %q", table, got, want)
		}
	}
	candidates, _ := FindTable("candidates")
	if got := keys(candidates.CreditedSources(CreditedSourceKeys{"b": true}, all)); got != "ad" {
		t.Errorf("candidates is credited to %q, want ad", got)
	}
	evidence, _ := FindTable("evidence")
	if got := keys(evidence.CreditedSources(CreditedSourceKeys{"b": true}, all)); len(evidence.CreditColumns()) > 0 &&
		got != "b" {
		t.Errorf("evidence is credited to %q, want b", got)
	}
}

// TestKindsOfTables: the tables of people, and those that follow from the tables of adverts.
func TestKindsOfTables(t *testing.T) {
	people := []string{"candidates", "people", "residents", "s106_people"}
	rankings := []string{"lists", "rankings", "rankings_by_skill"}
	for _, table := range Tables() {
		ofPeople := slices.Contains(people, table.Name)
		if IsPeopleTable(table.Name) != ofPeople {
			t.Errorf("%s counts people: %t, want %t", table.Name, IsPeopleTable(table.Name), ofPeople)
		}
		want := "the date the data describes"
		if ofPeople {
			want = "the last day that the figures describe: the end of a quarter"
		}
		if got := table.Columns[0].Doc; got != want {
			t.Errorf("%s: as_of is %q, want %q", table.Name, got, want)
		}
		if got, want := IsRankingTable(table.Name), slices.Contains(rankings, table.Name); got != want {
			t.Errorf("%s is a ranking: %t, want %t", table.Name, got, want)
		}
	}
}

// TestListsAreCopies: what a caller does to a list of schemas does not change the schemas.
func TestListsAreCopies(t *testing.T) {
	Tables()[0].Name, EmbargoedDatasets()[0].Condition = "other", "other"
	if Tables()[0].Name == "other" || EmbargoedDatasets()[0].Condition == "other" {
		t.Error("the caller changed the schemas")
	}
	columns := []Column{{Name: "a", Type: TypeDay, Nullable: true, Doc: "a day", Unit: "days"}}
	bare := WithoutDescriptions(columns)
	if bare[0] != (Column{Name: "a", Type: TypeDay, Nullable: true}) || columns[0].Doc != "a day" ||
		columns[0].Unit != "days" {
		t.Errorf("%+v without descriptions is %+v", columns[0], bare[0])
	}
}

func TestLookUpsInAManifest(t *testing.T) {
	rows := int64(4)
	m := Manifest{Tables: []TableFile{{Name: "people", Rows: 3, SHA256: "aa", Bytes: 7}, {Name: "skills", Rows: 5}},
		Files:     []File{{Path: "report.json", SHA256: "bb", Bytes: 9}},
		Embargoed: []EmbargoedState{{Name: "demand"}, {Name: "reach", Open: true, Rows: &rows}}}
	if got := m.Rows(); got != 8 {
		t.Errorf("all tables have %d rows, want 8", got)
	}
	if got, ok := m.Table("skills"); !ok || got.Rows != 5 {
		t.Errorf("skills: %+v, %t", got, ok)
	}
	if got, ok := m.Table("report.json"); ok || got.Name != "" {
		t.Errorf("a file is the table %+v", got)
	}
	if !m.HasFile("report.json") || m.HasFile("tables/people.parquet") || m.HasFile("reports.json") {
		t.Error("a file outside tables/ is report.json and no other")
	}
	if got := m.EmbargoedNamed("reach"); !got.Open || got.Name != "reach" || got.Rows != &rows {
		t.Errorf("reach: %+v", got)
	}
	if got := m.EmbargoedNamed("trends"); got != (EmbargoedState{Name: "trends"}) {
		t.Errorf("a dataset that is not there: %+v", got)
	}
	for name, want := range map[string]File{"tables/people.parquet": {"tables/people.parquet", "aa", 7},
		"report.json": {"report.json", "bb", 9}, ManifestFileName: {}} {
		if got, ok := m.FileSum(name); got != want || ok != (want != File{}) {
			t.Errorf("%s: %+v, %t; want %+v", name, got, ok, want)
		}
	}
}

// TestManifestListsAreInOrder holds the order of every list in a manifest, and of equal items by their
// next property.
func TestManifestListsAreInOrder(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 11, 20, hour, 0, 0, 0, time.UTC) }
	until := func(day int) Date { return Date{time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC)} }
	m := Manifest{
		Inputs: []ArchivedFetch{{Source: "b", FetchedAt: at(1)}, {Source: "a", FetchedAt: at(3)},
			{Source: "a", FetchedAt: at(2),
				Objects: []ArchivedObject{
					{Name: "y", SHA256: "1"}, {Name: "x", SHA256: "3"}, {Name: "x", HMACSHA256: "2"}}}},
		Tables: []TableFile{{Name: "b"}, {Name: "a"}},
		Exceptions: []Exception{{Check: "b"}, {Check: "a", Subject: "y"}, {Check: "a", Subject: "x", ValidUntil: until(9)},
			{Check: "a", Subject: "x", ValidUntil: until(8)}},
	}
	given := m.Inputs[0].Source
	got := m.normalise()
	if in := got.Inputs; in[0].Source != "a" || !in[0].FetchedAt.Equal(at(2)) || !in[1].FetchedAt.Equal(at(3)) ||
		in[2].Source != "b" {
		t.Errorf("inputs %+v", in)
	}
	if o := got.Inputs[0].Objects; o[0].HMACSHA256 != "2" || o[1].SHA256 != "3" || o[2].Name != "y" {
		t.Errorf("objects %+v", o)
	}
	if got.Tables[0].Name != "a" {
		t.Errorf("tables %+v", got.Tables)
	}
	if e := got.Exceptions; e[0].ValidUntil != until(8) || e[1].ValidUntil != until(9) || e[2].Subject != "y" ||
		e[3].Check != "b" {
		t.Errorf("exceptions %+v", e)
	}
	if m.Inputs[0].Source != given {
		t.Errorf("the manifest that was given is in another order: %+v", m.Inputs)
	}
}

// TestFetchedUntilIsInUTC and in whole seconds.
func TestFetchedUntilIsInUTC(t *testing.T) {
	at := time.Date(2026, 11, 20, 7, 0, 0, 5, time.FixedZone("x", 3600))
	want := "2026-11-20T06:00:00Z"
	if got := (Manifest{FetchedUntil: at}).normalise().FetchedUntil.Format(time.RFC3339Nano); got != want {
		t.Errorf("fetched until %s, want %s", got, want)
	}
	m := Manifest{Inputs: []ArchivedFetch{{FetchedAt: at}}}.normalise()
	if got := m.Inputs[0].FetchedAt.Format(time.RFC3339Nano); got != want {
		t.Errorf("input at %s, want %s", got, want)
	}
}

// TestCountsOfRows: a row returns the count that was set, and refuses a number whose status denies it.
func TestCountsOfRows(t *testing.T) {
	for n, want := range map[int64]string{-1: "null", 0: "0", 3: "<5", 5: "5"} {
		var p PeopleRow
		p.SetTurnedDown(figure.CountOf(n))
		var c CandidatesRow
		c.SetResidents(figure.CountOf(n))
		got, err := p.Count()
		other, err2 := c.Count()
		if err != nil || err2 != nil || got.String() != want || other.String() != want {
			t.Errorf("%d: %s, %v and %s, %v; want %s", n, got, err, other, err2, want)
		}
	}
	number := int32(5)
	if got, err := (PeopleRow{PeopleTurnedDown: &number}).Count(); err == nil {
		t.Errorf("a number without its status is %s", got)
	}
	if got, err := (CandidatesRow{Residents: &number}).Count(); err == nil {
		t.Errorf("a number without its status is %s", got)
	}
}

func TestEmptyTextIsNull(t *testing.T) {
	if got := NullIfEmpty(""); got != nil {
		t.Errorf("an empty text is %q, want a null", *got)
	}
	if got := NullIfEmpty("a"); got == nil || *got != "a" {
		t.Errorf("a text is %v", got)
	}
}

// TestDistinctRowsOfATable: of rows with one key the first stays, in the order of the table.
func TestDistinctRowsOfATable(t *testing.T) {
	rows := []SkillsRow{{Skill: "b", Name: "first"}, {Skill: "a"}, {Skill: "b", Name: "second"}}
	got := DistinctRowsOf("skills", rows)
	if len(got) != 2 || got[0].Skill != "a" || got[1].Name != "first" {
		t.Errorf("%+v", got)
	}
}

// TestRowsWithNullsInTheKey are compared by the columns after the null.
func TestRowsWithNullsInTheKey(t *testing.T) {
	type row struct {
		First *string `col:"first"`
		Other string  `col:"other"`
	}
	table := Table{SortColumns: []string{"first", "other"}}
	got := SortedRows(table, []row{{nil, "b"}, {NullIfEmpty("x"), "c"}, {nil, "a"}, {NullIfEmpty("w"), "d"}})
	if got[0].Other != "d" || got[1].Other != "c" || got[2].Other != "a" || got[3].Other != "b" {
		t.Errorf("%+v; want d, c and then, with a null, a and b", got)
	}
}

func TestDaysAndIDsInDocuments(t *testing.T) {
	evening := time.Date(2026, 11, 20, 23, 30, 0, 0, time.FixedZone("x", -3600))
	if got := DateOf(evening); got.String() != "2026-11-21" || !got.Equal(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("%s is on the day %v in UTC, want 2026-11-21", evening, got)
	}
	if got := NewID(evening, 2); got != "2026-11-21.2" {
		t.Errorf("the ID of that day is %s, want 2026-11-21.2", got)
	}
	id := ID("2026-11-20.1")
	if err := id.UnmarshalText([]byte("2026-11-21.3")); err != nil || id != "2026-11-21.3" {
		t.Errorf("%s, %v", id, err)
	}
	if err := id.UnmarshalText([]byte("../x")); err == nil || id != "" {
		t.Errorf("text that is no ID is %q, %v", id, err)
	}
	for id, want := range map[ID]int{"today": 0, "2026-11-20": 0, "2026-11-20.7": 7} {
		if got := id.Run(); got != want {
			t.Errorf("the run of %q is %d, want %d", id, got, want)
		}
	}
}

// TestTablesThatCountAdverts: figures made of adverts of several sources have counting rules. The table
// of jobs shows single adverts.
func TestTablesThatCountAdverts(t *testing.T) {
	var counting []string
	for _, table := range Tables() {
		if table.CountsAdverts() {
			counting = append(counting, table.Name)
		}
	}
	want := []string{"adverts", "adverts_total", "lists", "rankings", "rankings_by_skill"}
	if !slices.Equal(counting, want) {
		t.Errorf("adverts are counted in %v, want %v", counting, want)
	}
}
