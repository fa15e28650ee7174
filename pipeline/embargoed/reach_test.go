package embargoed

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"labour/snapshots/snaptest"
	"labour/sources"
)

// statedPlace is where the work of a live vacancy is, as an advert states it.
type statedPlace struct {
	vacancy             int32
	source              string
	latitude, longitude float64
	isCouncil           bool // whether the middle of a council stands for the place
}

// metres is the haversine formula, written out.
func metres(lat1, lon1, lat2, lon2 float64) float64 {
	const radius, degree = orb.EarthRadius, math.Pi / 180
	a := math.Pow(math.Sin((lat2-lat1)*degree/2), 2) + math.Cos(lat1*degree)*math.Cos(lat2*degree)*math.Pow(
		math.Sin((lon2-lon1)*degree/2), 2)
	return 2 * radius * math.Asin(math.Sqrt(a))
}

// employerOf is the employer of a vacancy: four in all.
func employerOf(vacancy int32) int32 { return vacancy % 4 }

// countPlaces counts the vacancies of places near wards. Work in a council without a middle is added,
// and a second ward of a code.
func countPlaces(wards []sources.Ward, places []statedPlace) []nearWardRow {
	rows := []workplaceRow{{Vacancy: -1, Council: "E09000099"}}
	middles := map[string]orb.Point{}
	for i, p := range places {
		r := workplaceRow{p.vacancy, employerOf(p.vacancy), p.source, "", p.latitude, p.longitude}
		if p.isCouncil {
			r.Council = fmt.Sprint("council ", i)
			r.Latitude, r.Longitude = 0, 0
			middles[r.Council] = orb.Point{p.longitude, p.latitude}
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b workplaceRow) int { return int(a.Vacancy - b.Vacancy) })
	again := slices.Clone(wards)
	for i := range again {
		again[i].Name = "A second name"
	}
	return countNearWards(append(slices.Clone(wards), again...), groupByVacancy(rows, middles))
}

func TestReachIsWhatTheRuleSays(t *testing.T) {
	snaptest.LimitRapidDraws(t, "200")
	rapid.Check(t, func(r *rapid.T) {
		var places []statedPlace
		for range rapid.IntRange(0, 60).Draw(r, "places") {
			vacancy := rapid.Int32Range(0, 25).Draw(r, "vacancy")
			places = append(places, statedPlace{vacancy: vacancy,
				source:    []string{"find_an_apprenticeship", "platform"}[vacancy%2],
				longitude: float64(rapid.IntRange(-40, 40).Draw(r, "lon")) / 100,
				latitude:  51.5 + float64(rapid.IntRange(-25, 25).Draw(r, "lat"))/100,
				isCouncil: rapid.Bool().Draw(r, "council")})
		}
		var wards []sources.Ward
		var want []nearWardRow
		for i := range 3 {
			w := sources.Ward{Source: "ons_geography", Code: fmt.Sprintf("E0500012%d", i), Name: "A ward",
				Council:  "E09000007",
				Latitude: 51.5 + float64(rapid.IntRange(-9, 9).Draw(r, "ward lat"))/100, Longitude: -0.05 * float64(i)}
			wards = append(wards, w)
			for _, km := range []int16{5, 10, 20} {
				want = append(want, expectedNearWard(w, km, places))
			}
		}
		if diff := cmp.Diff(want, countPlaces(wards, places)); diff != "" {
			r.Fatal(diff)
		}
	})
}

// expectedNearWard is the row of one ward and distance by the letter of the rules.
func expectedNearWard(w sources.Ward, km int16, places []statedPlace) nearWardRow {
	far := func(p statedPlace) float64 { return metres(w.Latitude, w.Longitude, p.latitude, p.longitude) }
	best := map[int32]statedPlace{}
	for _, p := range places {
		b, known := best[p.vacancy]
		isNearer := far(p) < far(b)-1e-6
		isPointAsNear := math.Abs(far(p)-far(b)) < 1e-6 && b.isCouncil && !p.isCouncil
		if !known || isNearer || isPointAsNear {
			best[p.vacancy] = p
		}
	}
	row := nearWardRow{Ward: w.Code, Name: w.Name, Council: w.Council, WithinKM: km}
	employers, keys := map[int32]bool{}, map[string]bool{w.Source: true}
	for _, p := range best {
		if far(p) > float64(km)*1000 {
			continue
		}
		row.Vacancies++
		employers[employerOf(p.vacancy)] = true
		keys[p.source] = true
		if p.isCouncil {
			row.VacanciesPlacedByCouncil++
		}
	}
	row.Employers = int32(len(employers))
	row.SourceKeys = strings.Join(slices.Sorted(maps.Keys(keys)), ",")
	return row
}

// Charing Cross to Croydon is some 15 km, to Brighton 76. Places as far north as Shetland are found too,
// where a degree of longitude is short.
func TestReachOfKnownPlaces(t *testing.T) {
	var places []statedPlace
	for i := range int32(6) {
		places = append(places, statedPlace{vacancy: i, source: "platform", longitude: -0.0982, latitude: 51.3721},
			statedPlace{vacancy: 10 + i, source: "platform", longitude: -0.1372, latitude: 50.8225},
			statedPlace{vacancy: 20 + i, source: "platform", longitude: -1.49, latitude: 60.1545})
	}
	wards := []sources.Ward{{Code: "E05013806", Latitude: 51.5080, Longitude: -0.1247},
		{Code: "S13002772", Latitude: 60.1545, Longitude: -1.1494}}
	var got []int32
	for _, r := range countPlaces(wards, places) {
		got = append(got, r.Vacancies)
	}
	if want := []int32{0, 0, 6, 0, 0, 6}; !slices.Equal(got, want) {
		t.Errorf("the counts within 5, 10 and 20 km of both wards are %v, want %v", got, want)
	}
}

// Of a point and a council that are equally near, the point counts, in whatever order they are stated.
func TestReachPrefersPoints(t *testing.T) {
	w := sources.Ward{Code: "E05013806", Latitude: 51.5}
	point := statedPlace{latitude: 51.51, source: "platform"}
	council := point
	council.isCouncil = true
	for _, places := range [][]statedPlace{{point, council}, {council, point}, {council, point, council}} {
		for _, r := range countPlaces([]sources.Ward{w}, places) {
			if r.Vacancies != 1 || r.VacanciesPlacedByCouncil != 0 {
				t.Errorf("%+v: the counts are %+v", places, r)
			}
		}
	}
}

// A place exactly 5, 10 or 20 km away is within the distance. A millimetre more is not.
func TestReachIncludesItsEdge(t *testing.T) {
	w := sources.Ward{Code: "E05013806", Latitude: 51.5}
	for _, c := range []struct {
		metres float64
		want   []int32 // vacancies within 5, 10 and 20 km
	}{
		{5000, []int32{1, 1, 1}}, {5000.001, []int32{0, 1, 1}}, {10_000, []int32{0, 1, 1}},
		{10_000.001, []int32{0, 0, 1}}, {20_000, []int32{0, 0, 1}}, {20_000.001, []int32{0, 0, 0}},
	} {
		north := 51.5 + c.metres/orb.EarthRadius*180/math.Pi
		var got []int32
		for _, r := range countPlaces([]sources.Ward{w}, []statedPlace{{latitude: north, source: "platform"}}) {
			got = append(got, r.Vacancies)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v m away: %v vacancies within 5, 10 and 20 km, want %v", c.metres, got, c.want)
		}
	}
}
