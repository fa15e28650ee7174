package snapshots

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots/figure"
)

// rowStructs is the struct of each table, in the order of Tables.
func rowStructs() map[string]any {
	return map[string]any{
		"adverts": AdvertsRow{}, "adverts_total": AdvertsTotalRow{}, "course_demand": CourseDemandRow{}, "evidence": EvidenceRow{},
		"levels": LevelsRow{}, "occupations": OccupationsRow{}, "people": PeopleRow{}, "place_members": PlaceMembersRow{},
		"places": PlacesRow{}, "regions": RegionsRow{}, "residents": ResidentsRow{}, "sectors": SectorsRow{}, "skills": SkillsRow{},
		"skills_gaps": SkillsGapsRow{}, "sources": SourcesRow{},
		"jobs": JobsRow{}, "pathways": PathwaysRow{}, "pathway_steps": PathwayStepsRow{}, "pathway_standards": PathwayStandardsRow{},
		"candidates": CandidatesRow{}, "s106": S106Row{}, "events": EventsRow{},
		"demand": DemandRow{}, "trends": TrendsRow{}, "outlook": OutlookRow{}, "reach": ReachRow{}, "signals": SignalsRow{},
		"priorities": PrioritiesRow{}, "corrections": CorrectionsRow{}, "outlines": OutlinesRow{},
	}
}

// goType is the Go type of a column of a row struct.
func goType(c Column) reflect.Type {
	t := map[Type]reflect.Type{
		Text: reflect.TypeFor[string](), Day: reflect.TypeFor[time.Time](), Timestamp: reflect.TypeFor[time.Time](),
		Bool: reflect.TypeFor[bool](), Int8: reflect.TypeFor[int8](), Int16: reflect.TypeFor[int16](), Int32: reflect.TypeFor[int32](),
		Int64: reflect.TypeFor[int64](), Decimal1: reflect.TypeFor[figure.Tenths](),
	}[c.Type]
	if strings.HasSuffix(c.Name, statusSuffix) {
		t = reflect.TypeFor[figure.Status]()
	}
	if c.Nullable {
		t = reflect.PointerTo(t)
	}
	return t
}

func TestRowStructsAreTheTables(t *testing.T) {
	structs, all := rowStructs(), append(Tables(), HeldTables()...)
	if len(structs) != len(all) {
		t.Errorf("%d structs for %d tables", len(structs), len(all))
	}
	for _, table := range all {
		row := reflect.TypeOf(structs[table.Name])
		if row == nil {
			t.Errorf("no struct for %s", table.Name)
			continue
		}
		if row.NumField() != len(table.Columns)-1 {
			t.Errorf("%s: %d fields for %d columns and as_of", table.Name, row.NumField(), len(table.Columns)-1)
		}
		for i, c := range table.Columns[1:] {
			f := row.Field(min(i, row.NumField()-1))
			if f.Tag.Get("col") != c.Name || f.Type != goType(c) {
				t.Errorf("%s, column %s: field %s %s has the tag %q", table.Name, c.Name, f.Name, f.Type, f.Tag.Get("col"))
			}
		}
	}
}

func TestTablesAreWellFormed(t *testing.T) {
	if !slices.IsSortedFunc(Tables(), func(a, b Table) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("tables are not in the order of their names")
	}
	for i, h := range HeldDatasets() {
		if HeldTables()[i].Name != h.Name {
			t.Errorf("held dataset %s has the table %s", h.Name, HeldTables()[i].Name)
		}
	}
	for _, table := range append(Tables(), HeldTables()...) {
		seen := map[string]bool{}
		for _, c := range table.Columns {
			if seen[c.Name] || c.Doc == "" || c.Type == Float64 {
				t.Errorf("%s, column %s: twice, without a doc, or a float", table.Name, c.Name)
			}
			seen[c.Name] = true
		}
		if table.Columns[0] != asOf || table.Doc == "" || len(table.Sort) == 0 {
			t.Errorf("%s: no as_of, doc or order", table.Name)
		}
		for _, s := range table.Sort {
			if !seen[s] {
				t.Errorf("%s is ordered by %s, which is no column", table.Name, s)
			}
		}
	}
}

func TestPeopleColumns(t *testing.T) {
	for name, want := range map[string][]PeopleColumn{
		"adverts": nil, "residents": nil,
		"people":        {{"people_turned_down", "people_turned_down_status"}},
		"course_demand": {{"value", "value_status"}, {"previous_value", "previous_value_status"}},
		"candidates":    {{"residents", "residents_status"}},
		"s106":          {{"local_people_employed", "local_people_employed_status"}},
	} {
		table, _ := TableNamed(name)
		if got := table.PeopleColumns(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestSetCounts(t *testing.T) {
	for n, want := range map[int64]string{-1: "null", 0: "0", 3: "<5", 5: "5"} {
		var c CandidatesRow
		c.SetResidents(figure.CountOf(n))
		var s S106Row
		s.SetEmployed(figure.CountOf(n))
		if got, err := c.Count(); err != nil || got.String() != want {
			t.Errorf("%d residents are held as %s, %v", n, got, err)
		}
		if got, err := s.Employed(); err != nil || got.String() != want {
			t.Errorf("%d people employed are held as %s, %v", n, got, err)
		}
	}
}

func TestSetTurnedDown(t *testing.T) {
	for n, want := range map[int64]string{-1: "null", 0: "0", 3: "<5", 5: "5"} {
		var r PeopleRow
		r.SetTurnedDown(figure.CountOf(n))
		var v *int64
		if r.PeopleTurnedDown != nil {
			v = new(int64)
			*v = int64(*r.PeopleTurnedDown)
		}
		if c, err := figure.Parse(v, r.PeopleTurnedDownStatus); err != nil || c.String() != want {
			t.Errorf("%d is held as %s, %v", n, c, err)
		}
	}
}
