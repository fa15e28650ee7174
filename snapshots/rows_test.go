package snapshots

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots/figure"
)

func TestColumnsOfARowStruct(t *testing.T) {
	type row struct {
		Text    figure.Status `col:"text" doc:"a \"text\""`
		Null    *string       `col:"null"`
		Day     time.Time     `col:"day"`
		Moment  *time.Time    `col:"moment" is:"moment"`
		Tenths  figure.Tenths `col:"tenths"`
		Float   float64       `col:"float"`
		Number  int16         `col:"number" unit:"units"`
		Without int
		hidden  int8           `col:"hidden"`
		Named   *figure.Status `col:"named"`
		Wide    uint           `col:"wide"`
	}
	_ = row{}.hidden
	want := []Column{{"text", TypeText, false, `a "text"`, ""}, {"null", TypeText, true, "", ""}, {"day", TypeDay, false,
		"", ""},
		{"moment", TypeTimestamp, true, "", ""},
		{"tenths", TypeDecimal1, false, "", "per cent"}, {"float", TypeFloat64, false, "", ""},
		{"number", TypeInt16, false, "", "units"},
		{Name: "hidden"}, {Name: "named", Nullable: true}, {Name: "wide"}}
	if got := ColumnsOf[row](); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := FieldsOf(reflect.TypeFor[int]()); got != nil {
		t.Errorf("an int has %v", got)
	}
}

func TestTablesAreWellFormed(t *testing.T) {
	if !slices.IsSortedFunc(Tables(), func(a, b Table) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("tables are not in the order of their names")
	}
	for i, h := range EmbargoedDatasets() {
		if EmbargoedTables()[i].Name != h.Name {
			t.Errorf("embargoed dataset %s has the table %s", h.Name, EmbargoedTables()[i].Name)
		}
	}
	for _, table := range append(Tables(), EmbargoedTables()...) {
		seen := map[string]bool{}
		for _, c := range table.Columns {
			if seen[c.Name] || c.Doc == "" || c.Type == "" || c.Type == TypeFloat64 {
				t.Errorf("%s, column %s: twice, without a doc or type, or a float", table.Name, c.Name)
			}
			seen[c.Name] = true
		}
		if table.Columns[0].Name != asOf.Name || table.Columns[0].Type != asOf.Type || table.Doc == "" ||
			len(table.SortColumns) == 0 {
			t.Errorf("%s: no as_of, doc or order", table.Name)
		}
		for _, s := range table.SortColumns {
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
		"s106":          nil,
		"s106_people": {{"jobs_created", "jobs_created_status"},
			{"apprenticeships_started", "apprenticeships_started_status"},
			{"local_people_employed", "local_people_employed_status"}},
	} {
		table, _ := FindTable(name)
		if got := table.PeopleColumns(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestSetCounts(t *testing.T) {
	for n, want := range map[int64]string{-1: "null", 0: "0", 3: "<5", 5: "5"} {
		var c CandidatesRow
		c.SetResidents(figure.CountOf(n))
		var s S106PeopleRow
		for name, column := range map[string]struct {
			set    func(figure.Count)
			number **int64
			status *figure.Status
		}{
			"jobs created":            {s.SetJobsCreated, &s.JobsCreated, &s.JobsCreatedStatus},
			"apprenticeships started": {s.SetApprenticeshipsStarted, &s.ApprenticeshipsStarted, &s.ApprenticeshipsStartedStatus},
			"people employed":         {s.SetLocalPeopleEmployed, &s.LocalPeopleEmployed, &s.LocalPeopleEmployedStatus},
		} {
			column.set(figure.CountOf(n))
			if got, err := figure.ParseCount(*column.number, *column.status); err != nil || got.String() != want {
				t.Errorf("%d %s are held as %s, %v", n, name, got, err)
			}
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
		if c, err := figure.ParseCount(v, r.PeopleTurnedDownStatus); err != nil || c.String() != want {
			t.Errorf("%d is held as %s, %v", n, c, err)
		}
	}
}
