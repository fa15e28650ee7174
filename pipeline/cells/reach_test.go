package cells

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// workPlace is where the work of a live vacancy is.
type workPlace struct {
	Vacancy, Employer   int32
	Source              string
	Latitude, Longitude float64
	Council             bool // the middle of a council stands for it
}

type sharedPlace struct {
	Vacancy   int32   `col:"vacancy"`
	Code      string  `col:"code"`
	Latitude  float64 `col:"latitude"`
	Longitude float64 `col:"longitude"`
}

type ward struct {
	Source    string  `col:"source"`
	Code      string  `col:"code"`
	Name      string  `col:"name"`
	Council   string  `col:"council"`
	Latitude  float64 `col:"latitude"`
	Longitude float64 `col:"longitude"`
}

// reach asks for the live work around wards. Some vacancies were live until yesterday, and
// some work is in councils without a middle.
func reach(t testing.TB, e *QueryRunner, dir string, wards []ward, places []workPlace) []snapshots.ReachRow {
	list := []vacancy{{Vacancy: 1000, Source: "platform", SOC: "2134", Until: asOf.AddDate(0, 0, -1)},
		{Vacancy: 1001, Source: "platform", Until: asOf}}
	at, middles := []sharedPlace{{Vacancy: 1000, Latitude: 51.5}, {Vacancy: 1001, Code: "E09000099"}}, []ward{}
	known := map[int32]bool{}
	for i, p := range places {
		s := sharedPlace{Vacancy: p.Vacancy, Latitude: p.Latitude, Longitude: p.Longitude}
		if p.Council {
			s = sharedPlace{Vacancy: p.Vacancy, Code: fmt.Sprint("council ", i)}
			middles = append(middles, ward{Code: s.Code, Latitude: p.Latitude, Longitude: p.Longitude})
		}
		if at = append(at, s); !known[p.Vacancy] {
			known[p.Vacancy] = true
			list = append(list, vacancy{Vacancy: p.Vacancy, Employer: p.Employer, Source: p.Source, Until: asOf})
		}
	}
	give(t, e, dir, "shareable_places", at)
	give(t, e, dir, "ward", wards)
	give(t, e, dir, "middle", middles)
	return countEmbargoed[snapshots.ReachRow](t, e, dir, QueryReach, list, nil)
}

// metres is the haversine formula, written out.
func metres(lat1, lon1, lat2, lon2 float64) float64 {
	const radius, degree = orb.EarthRadius, math.Pi / 180
	a := math.Pow(math.Sin((lat2-lat1)*degree/2), 2) + math.Cos(lat1*degree)*math.Cos(lat2*degree)*math.Pow(
		math.Sin((lon2-lon1)*degree/2), 2)
	return 2 * radius * math.Asin(math.Sqrt(a))
}

func TestReachIsWhatTheRuleSays(t *testing.T) {
	snaptest.LimitRapidDraws(t, "16")
	e, dir := counting(t), t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		var places []workPlace
		for range rapid.IntRange(0, 60).Draw(r, "places") {
			id := int32(rapid.IntRange(0, 25).Draw(r, "vacancy"))
			places = append(places,
				workPlace{Vacancy: id, Employer: id % 4,
					Source:    []string{"find_an_apprenticeship", "platform", "not_shown"}[id%3],
					Longitude: float64(rapid.IntRange(-40, 40).Draw(r, "lon")) / 100,
					Latitude:  51.5 + float64(rapid.IntRange(-25, 25).Draw(r, "lat"))/100,
					Council:   rapid.Bool().Draw(r, "council")})
		}
		var wards []ward
		var want []snapshots.ReachRow
		for i := range 3 {
			one := ward{Source: "ons_geography", Code: fmt.Sprintf("E0500012%d", i), Name: "A ward",
				Council:  "E09000007",
				Latitude: 51.5 + float64(rapid.IntRange(-9, 9).Draw(r, "ward lat"))/100, Longitude: -0.05 * float64(i)}
			wards = append(wards, one)
			want = append(want, expectedReach(one, places)...)
		}
		if diff := cmp.Diff(want, reach(t, e, dir, wards, places)); diff != "" {
			r.Fatal(diff)
		}
	})
}

// expectedReach is the rows of one ward by the letter of the rules.
func expectedReach(ward ward, places []workPlace) (want []snapshots.ReachRow) {
	for _, km := range []int16{5, 10, 20} {
		best := map[int32]workPlace{}
		far := func(p workPlace) float64 { return metres(ward.Latitude, ward.Longitude, p.Latitude, p.Longitude) }
		for _, p := range places {
			if p.Source == "not_shown" {
				continue
			}
			b, known := best[p.Vacancy]
			if nearer := far(p) < far(b)-1e-6; !known || nearer || math.Abs(far(p)-far(b)) < 1e-6 && b.Council &&
				!p.Council {
				best[p.Vacancy] = p
			}
		}
		row := snapshots.ReachRow{WardCode: ward.Code, WardName: ward.Name, CouncilCode: ward.Council, WithinKM: km}
		employers, keys := map[int32]bool{}, map[string]bool{}
		for _, p := range best {
			if far(p) > float64(km)*1000 {
				continue
			}
			row.Vacancies++
			employers[p.Employer], keys[p.Source] = true, true
			if p.Council {
				row.VacanciesPlacedByCouncil++
			}
		}
		if row.Vacancies < 5 || len(employers) < 3 {
			continue
		}
		if keys["find_an_apprenticeship"] {
			row.SourceKeys = "find_an_apprenticeship,"
		}
		row.SourceKeys += "ons_geography"
		if keys["platform"] {
			row.SourceKeys += ",platform"
		}
		want = append(want, row)
	}
	return want
}

func TestReachOfKnownPlaces(t *testing.T) {
	// Charing Cross to Croydon is some 15 km, to Brighton 76.
	var places []workPlace
	for i := range int32(6) {
		places = append(places, workPlace{Vacancy: i, Employer: i, Source: "platform", Longitude: -0.0982,
			Latitude: 51.3721})
		places = append(places, workPlace{Vacancy: 10 + i, Employer: i, Source: "platform", Longitude: -0.1372,
			Latitude: 50.8225})
	}
	rows := reach(t, counting(t), t.TempDir(),
		[]ward{{Source: "ons_geography", Code: "E05013806", Latitude: 51.5080, Longitude: -0.1247}}, places)
	if len(rows) != 1 || rows[0].WithinKM != 20 || rows[0].Vacancies != 6 {
		t.Errorf("%+v", rows)
	}
}
