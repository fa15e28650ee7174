package pipeline

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// coursesCSV is a file of the publisher's shape for councils.
func coursesCSV(rows ...string) string {
	return "time_period,time_identifier,geographic_level,country_code,country_name,lad_code,lad_name,ssa_t1_desc,starts\n" +
		strings.Join(rows, "\n") + "\n"
}

// TestRecodedCouncilIsOneSeries: a figure under a council's former code is compared
// with this year's, one of a council that was merged into another is not, and the
// boroughs of the feed may name either code.
func TestRecodedCouncilIsOneSeries(t *testing.T) {
	s := newSmall(t)
	s.geography = map[string][]map[string]any{
		"LAD": {{"LAD25CD": "E08000038", "LAD25NM": "Barnsley"}, {"LAD25CD": "E06000065", "LAD25NM": "North Yorkshire"},
			{"LAD25CD": "E09000007", "LAD25NM": "Camden"}, {"LAD25CD": "E09000012", "LAD25NM": "Hackney"}},
		"CHANGES": {{"LAD22CD": "E08000016", "LAD25CD": "E08000038"}, {"LAD22CD": "E07000163", "LAD25CD": "E06000065"},
			{"LAD22CD": "E07000169", "LAD25CD": "E06000065"}},
	}
	s.feed["boroughs.ndjson"] += `{"slug":"barnsley","name":"Barnsley","code":"E08000016"}` + "\n" +
		`{"slug":"craven","name":"Craven","code":"E07000163"}` + "\n"
	s.csv = coursesCSV("202324,Academic year,Local authority district,E92000001,England,E08000016,Barnsley,Total,1000",
		"202425,Academic year,Local authority district,E92000001,England,E08000038,Barnsley,Total,1100",
		"202324,Academic year,Local authority district,E92000001,England,E07000163,Craven,Total,200",
		"202425,Academic year,Local authority district,E92000001,England,E06000065,North Yorkshire,Total,900")
	result := s.run()
	var got []string
	for _, r := range rowsOf[snapshots.CourseDemandRow](s, result, "course_demand") {
		got = append(got, fmt.Sprintf("%s %d %s", r.RegionCode, *r.Value, tenths(r.ChangePct)))
	}
	want := []string{"E06000065 900 null", "E07000163 200 null", "E08000038 1000 null", "E08000038 1100 10.0"}
	if !slices.Equal(got, want) {
		t.Errorf("course_demand %v, want %v", got, want)
	}
	formerly := map[string]string{}
	for _, r := range rowsOf[snapshots.RegionsRow](s, result, "regions") {
		if r.FormerCodes != nil {
			formerly[r.Code] = *r.FormerCodes
		}
	}
	if len(formerly) != 2 || formerly["E08000038"] != "E08000016" || formerly["E06000065"] != "E07000163,E07000169" {
		t.Errorf("former codes %v", formerly)
	}
	for _, p := range rowsOf[snapshots.PlacesRow](s, result, "places") {
		if p.Place == "barnsley" && p.Code != "E08000038" {
			t.Errorf("Barnsley is served under its former code: %+v", p)
		}
	}
	named := false
	for _, src := range result.Report.Sources {
		for _, f := range src.Samples {
			named = named || f.Code == sources.FaultUnknownPlace && strings.Contains(f.Detail, `"craven"`) &&
				strings.Contains(f.Detail, "E06000065")
		}
	}
	if !named {
		t.Error("no fault states that Craven is in E06000065 today")
	}
}

func tenths(t *figure.Tenths) string {
	if t == nil {
		return "null"
	}
	return fmt.Sprintf("%.1f", float64(*t)/10)
}

// TestOfficeTitlesCodeAdverts: an advert whose title only the office's index knows
// is coded when the index is configured, a group that nobody knows is named, and the
// bytes are an input of the snapshot.
func TestOfficeTitlesCodeAdverts(t *testing.T) {
	s := newSmall(t)
	s.feed["adverts.ndjson"] = strings.ReplaceAll(s.feed["adverts.ndjson"], "Care assistant", "Widgeteer")
	coded := func(r Result) int64 {
		for _, src := range r.Report.Sources {
			if src.Source == "platform" {
				return src.Adverts.WithSOC
			}
		}
		return -1
	}
	if n := coded(s.run()); n != 0 {
		t.Fatalf("%d adverts are coded without the office's index", n)
	}
	s.classification = map[string]string{"coding_index": "SOC_2020,INDEXOCC\n8120,Widgeteer\n",
		"structure": "code,title\n9998,New group\n8120,Widget makers\n"}
	result := s.run()
	if n := coded(result); n != 9 {
		t.Errorf("%d of 9 adverts are coded with it", n)
	}
	for _, r := range rowsOf[snapshots.OccupationsRow](s, result, "occupations") {
		if r.SOC == "9998" || r.SOC == "8120" && r.Name != "Widget makers" {
			t.Errorf("%+v", r)
		}
	}
	checkOutcome(t, result, "ons_soc2020", sources.FaultUnknownCode, "", false)
}

// realStarts is the publisher's file of 2024/25 as a newer edition might be: the
// rows of 2020/21 and 2021/22 name a subject as it was called then, and 2022/23 is
// not in it. It gives the national starts by subject and year besides.
func realStarts(t *testing.T) (file string, starts map[string]map[int]int64) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", "C",
		"apprenticeships-learner-deprivation-2024-25-q4.csv"))
	if err != nil {
		t.Skip("the recorded statistics (../shared/data/C) are not there")
	}
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	starts = map[string]map[int]int64{}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for i, r := range rows {
		if r[0] == "202223" {
			continue
		}
		if total := r[5] + r[6] + r[8] + r[9] + r[10]; i > 0 && total == strings.Repeat("Total", 5) {
			year, _ := strconv.Atoi("20" + r[0][4:])
			if value, err := strconv.ParseInt(r[12], 10, 64); err == nil {
				if starts[r[7]] == nil {
					starts[r[7]] = map[int]int64{}
				}
				starts[r[7]][year] = value
			}
		}
		if r[7] == "Digital Technology" && (r[0] == "202021" || r[0] == "202122") {
			r[7] = "Information and Communication Technology"
		}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	return out.String(), starts
}

// TestYearOnYearOfRealFigures compares every change of the table with one worked out
// from the file in plain Go: across the year in which a subject was renamed, and not
// across a missing year.
func TestYearOnYearOfRealFigures(t *testing.T) {
	s := newSmall(t)
	var starts map[string]map[int]int64
	s.csv, starts = realStarts(t)
	rows := rowsOf[snapshots.CourseDemandRow](s, s.run(), "course_demand")
	changes := 0
	for _, r := range rows {
		year := r.PeriodEnd.Year()
		now, before := starts[r.SubjectArea][year], starts[r.SubjectArea][year-1]
		want := "null"
		if before > 0 && r.Value != nil {
			want = fmt.Sprintf("%.1f", roundHalfAway(float64(now-before)*1000/float64(before))/10)
			changes++
		}
		if got := tenths(r.ChangePct); got != want || r.Value != nil && *r.Value != now {
			t.Errorf("%s to %d: %v, %s per cent; want %d, %s", r.SubjectArea, year, r.Value, got, now, want)
		}
	}
	digital := starts["Digital Technology"]
	if len(rows) < 60 || changes < 30 || digital[2021] == 0 || digital[2022] == 0 || digital[2023] != 0 {
		t.Errorf("%d rows with %d changes; digital technology %v", len(rows), changes, digital)
	}
}

func roundHalfAway(x float64) float64 {
	if x < 0 {
		return -roundHalfAway(-x)
	}
	return float64(int64(x + 0.5))
}
