package cells

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/snapshots"
)

// sharedPlace is a row of the query shareable_places.
type sharedPlace struct {
	Vacancy   int32   `col:"vacancy"`
	Code      string  `col:"code"`
	Latitude  float64 `col:"latitude"`
	Longitude float64 `col:"longitude"`
}

// workplace is a row of the query workplaces.
type workplace struct {
	Vacancy   int32   `col:"vacancy"`
	Employer  int32   `col:"employer"`
	Source    string  `col:"source_key"`
	Council   string  `col:"council"`
	Latitude  float64 `col:"latitude"`
	Longitude float64 `col:"longitude"`
}

// workplaces asks for the places of work of vacancies.
func workplaces(t testing.TB, e *QueryRunner, dir string, list []vacancy, places []sharedPlace) []workplace {
	t.Helper()
	give(t, e, dir, "shareable_vacancies", list)
	give(t, e, dir, "shareable_places", places)
	give(t, e, dir, "shown", []shown{{Dataset: "reach", Source: "platform"}, {Dataset: "demand", Source: "not_shown"}})
	return ask[workplace](t, e, dir, QueryWorkplaces)
}

// The places of work are those of vacancies that are live on the day, of sources that reach may use.
func TestWorkplacesAreOfLiveVacancies(t *testing.T) {
	live := func(n int32, source string, days int) vacancy {
		return vacancy{Vacancy: n, Employer: 10 + n, Source: source, Until: asOf.AddDate(0, 0, days)}
	}
	got := workplaces(t, localRunner(t), t.TempDir(),
		[]vacancy{live(1, "platform", 0), live(2, "platform", -1), live(3, "not_shown", 0), live(4, "platform", 9),
			live(5, "platform", 0)},
		[]sharedPlace{{Vacancy: 4, Code: "E09000007"}, {Vacancy: 4, Latitude: 51.5, Longitude: -0.1},
			{Vacancy: 1, Latitude: 51.6, Longitude: -0.2}, {Vacancy: 2, Latitude: 51.5}, {Vacancy: 3, Latitude: 51.5}})
	want := []workplace{{1, 11, "platform", "", 51.6, -0.2}, {4, 14, "platform", "", 51.5, -0.1},
		{4, 14, "platform", "E09000007", 0, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// nearWard is a row of the view vacancies_near_wards.
type nearWard struct {
	Code            string `col:"ward_code"`
	Name            string `col:"ward_name"`
	Council         string `col:"council_code"`
	WithinKM        int16  `col:"within_km"`
	Vacancies       int32  `col:"vacancies"`
	PlacedByCouncil int32  `col:"vacancies_placed_by_council"`
	Employers       int32  `col:"employers"`
	SourceKeys      string `col:"source_keys"`
}

// reach asks for the published counts of vacancies near wards.
func reach(t testing.TB, e *QueryRunner, dir string, near []nearWard) []snapshots.ReachRow {
	t.Helper()
	give(t, e, dir, "vacancies_near_wards", near)
	return ask[snapshots.ReachRow](t, e, dir, QueryVacanciesNearWards)
}

// A count near a ward is published from 5 vacancies and 3 employers on, in the order of wards and
// distances.
func TestReachNeedsTheFloor(t *testing.T) {
	near := func(km int16, vacancies, employers int32) nearWard {
		return nearWard{"E05000129", "Holborn", "E09000007", km, vacancies, 2, employers, "ons_geography,platform"}
	}
	first := near(20, 6, 6)
	first.Code = "E05000128"
	got := reach(t, localRunner(t), t.TempDir(), []nearWard{near(20, 5, 3), near(10, 5, 2), near(5, 4, 4), first})
	row := snapshots.ReachRow{WardCode: "E05000128", WardName: "Holborn", CouncilCode: "E09000007", WithinKM: 20,
		Vacancies: 6, VacanciesPlacedByCouncil: 2, SourceKeys: "ons_geography,platform"}
	next := row
	next.WardCode, next.Vacancies = "E05000129", 5
	if diff := cmp.Diff([]snapshots.ReachRow{row, next}, got); diff != "" {
		t.Error(diff)
	}
}
