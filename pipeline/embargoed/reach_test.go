package embargoed

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/sources"
)

// metres is the haversine formula, written out.
func metres(lat1, lon1, lat2, lon2 float64) float64 {
	const radius, degree = orb.EarthRadius, math.Pi / 180
	a := math.Pow(math.Sin((lat2-lat1)*degree/2), 2) + math.Cos(lat1*degree)*math.Cos(lat2*degree)*math.Pow(math.Sin((lon2-lon1)*degree/2), 2)
	return 2 * radius * math.Asin(math.Sqrt(a))
}

func TestReachIsWhatTheRuleSays(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var places []Place
		for range rapid.IntRange(0, 60).Draw(r, "places") {
			id := int32(rapid.IntRange(0, 25).Draw(r, "vacancy"))
			places = append(places, Place{Vacancy: id, Employer: id % 4, Source: []string{"find_an_apprenticeship", "platform"}[id%2],
				At:      orb.Point{float64(rapid.IntRange(-40, 40).Draw(r, "lon")) / 100, 51.5 + float64(rapid.IntRange(-25, 25).Draw(r, "lat"))/100},
				Council: rapid.Bool().Draw(r, "council")})
		}
		var wards []sources.Ward
		var want []snapshots.ReachRow
		for i := range 3 {
			ward := sources.Ward{Code: fmt.Sprintf("E0500012%d", i), Name: "A ward", Council: "E09000007",
				Latitude: 51.5 + float64(rapid.IntRange(-9, 9).Draw(r, "ward lat"))/100, Longitude: -0.05 * float64(i)}
			wards = append(wards, ward, ward)
			want = append(want, expectedReach(ward, places)...)
		}
		if diff := cmp.Diff(want, Reach(wards, places, "ons_geography")); diff != "" {
			r.Fatal(diff)
		}
	})
}

// expectedReach is the rows of one ward by the letter of the rules.
func expectedReach(ward sources.Ward, places []Place) (want []snapshots.ReachRow) {
	for _, km := range []int16{5, 10, 20} {
		best := map[int32]Place{}
		far := func(p Place) float64 { return metres(ward.Latitude, ward.Longitude, p.At.Lat(), p.At.Lon()) }
		for _, p := range places {
			b, known := best[p.Vacancy]
			if nearer := far(p) < far(b)-1e-6; !known || nearer || math.Abs(far(p)-far(b)) < 1e-6 && b.Council && !p.Council {
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
	var places []Place
	for i := range int32(6) {
		places = append(places, Place{Vacancy: i, Employer: i, Source: "platform", At: orb.Point{-0.0982, 51.3721}})
		places = append(places, Place{Vacancy: 10 + i, Employer: i, Source: "platform", At: orb.Point{-0.1372, 50.8225}})
	}
	rows := Reach([]sources.Ward{{Code: "E05013806", Latitude: 51.5080, Longitude: -0.1247}}, places, "ons_geography")
	if len(rows) != 1 || rows[0].WithinKM != 20 || rows[0].Vacancies != 6 {
		t.Errorf("%+v", rows)
	}
}

func BenchmarkReach(b *testing.B) {
	var places []Place
	var wards []sources.Ward
	for i := range 5000 {
		places = append(places, Place{Vacancy: int32(i), Employer: int32(i % 700), Source: "platform", At: orb.Point{float64(i%90)/100 - 0.4, 51.3 + float64(i%40)/100}})
	}
	for i := range 170 {
		wards = append(wards, sources.Ward{Code: fmt.Sprintf("E05%06d", i), Latitude: 51.3 + float64(i%40)/100, Longitude: float64(i%70)/100 - 0.4})
	}
	for b.Loop() {
		Reach(wards, places, "ons_geography")
	}
}
