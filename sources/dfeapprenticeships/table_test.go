package dfeapprenticeships

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/sources"
)

const head = "time_period,time_identifier,geographic_level,country_code,country_name,lad_code,ssa_t1_desc," +
	"age_group,starts\n"

func nationalRow(subject, age, starts string) string {
	return fmt.Sprintf("202425,Academic year,National,E92000001,England,,%s,%s,%s\n", subject, age, starts)
}

var startsSet = DataSet{ID: startsID, Metric: MetricApprenticeships, MeaningOfLow: LowMeansUnderFive}

// TestFailsClosed checks what refuses a whole file and what costs one row.
func TestFailsClosed(t *testing.T) {
	good := nationalRow("Total", "Total", "100")
	many := strings.Repeat(good, 20) // of more, a bad row is too few to refuse the file
	for name, c := range map[string]struct {
		text, fault string
		rows        int
	}{
		"good":            {head + good, "", 1},
		"byte order mark": {"\ufeff" + head + good, "", 1},
		"unknown column": {strings.Replace(head, "age_group", "shoe_size", 1) + good,
			"unknown_column column shoe_size", 0},
		"missing figure": {strings.Replace(head, "starts", "achievements", 1) + good,
			"missing_column column starts or start_count", 0},
		"missing level": {strings.Replace(head, "geographic_level", "lsip_name", 1) + good,
			"missing_column column geographic_level", 0},
		"column twice": {strings.Replace(head, "age_group", "starts", 1) + good, "schema column starts", 0},
		"too many bad values": {head + strings.Repeat(good, 18) + nationalRow("Social Sciences", "Total", "many"),
			"bad_value line 20", 0},
		"breaks off":          {head + many + `202425,"Academic`, "schema ", 0},
		"ends in a short row": {head + many + "202425,Academic year", "schema ", 0},
		"one strange byte":    {head + many + nationalRow("Total \x96 all", "Total", "5"), "", 2},
		"hidden breakdown":    {head + good + nationalRow("Total", "Total", "40"), "schema line 3", 0},
		"same figure again":   {head + good + good, "", 1},
		"printed next to z": {head + nationalRow("Digital Technology", "Total", "z") + nationalRow(
			"Information and Communication Technology", "Total", "90"), "", 1},
		"html":         {"<!doctype html><html>", "not_the_format", 0},
		"json":         {`{"error":1}`, "not_the_format", 0},
		"empty":        {"", "not_the_format", 0},
		"broken quote": {head + many + `202425,"Academic` + "\n", "broken_row line 22", 1},
		"short row":    {head + many + "202425,Academic year\n", "broken_row line 22", 1},
		"bad value": {head + many + nationalRow("Social Sciences", "Total", "many"), "bad_value line 22",
			1},
		"no subject": {head + many + nationalRow("", "Total", "10"), "bad_value line 22", 1},
		"unknown level": {head + many + strings.Replace(good, "National", "Galactic", 1), "bad_value line 22",
			1},
		"bad code": {head + many + strings.Replace(good, "E92000001", "E92", 1), "bad_value line 22", 1},
		"level without column": {head + good + strings.Replace(good, "National", "Regional", 1),
			"missing_column line 3", 1},
		"unknown period":        {head + many + strings.Replace(good, "202425", "2024-5", 1), "bad_value line 22", 1},
		"breakdown passed over": {head + good + nationalRow("Total", "19-24", "7777"), "", 1},
	} {
		rows, faults := scanAll(t, c.text, startsSet)
		if len(rows) != c.rows {
			t.Errorf("%s: %d rows, want %d", name, len(rows), c.rows)
		}
		if c.fault == "" && len(faults) != 0 || c.fault != "" && (len(faults) != 1 && c.rows > 0 || len(faults) == 0 ||
			!strings.HasPrefix(faults[0], c.fault)) {
			t.Errorf("%s: faults %q, want %q", name, faults, c.fault)
		}
		if len(rows) == 1 && strings.Contains(c.text, ",90\n") && rows[0].Value != 90 {
			t.Errorf("%s: %d, want 90", name, rows[0].Value)
		}
	}
}

// TestConfiguredColumns makes unknown columns known, and checks that a filter on
// something else than all shows in the series.
func TestConfiguredColumns(t *testing.T) {
	text := "time_period,time_identifier,geographic_level,country_code,provision_type,shoe_size,note,participation\n" +
		"202425,Academic year,National,E92000001,Education and Training,All sizes,a,1174940\n" +
		"202425,Academic year,National,E92000001,Tailored Learning,All sizes,a,360120\n" +
		"202425,Academic year,National,E92000001,Education and Training,39,a,7\n"
	d := DataSet{ID: startsID, Metric: MetricFurtherEducation, Column: "Participation", MeaningOfLow: LowMeansNotPublished,
		Filters:       map[string]string{"provision_type": "Education and Training", "shoe_size": "All sizes"},
		IgnoreColumns: []string{"note"}}
	rows, faults := scanAll(t, text, d)
	if len(rows) != 1 || len(faults) != 0 || rows[0].Value != 1174940 || rows[0].SubjectArea != "Total" {
		t.Fatalf("%+v %q", rows, faults)
	}
	if want := "learners participating, full academic year, provision_type=Education and Training, shoe_size=All " +
		"sizes"; rows[0].Series != want {
		t.Errorf("series %q, want %q", rows[0].Series, want)
	}
	d.Filters["hat_size"] = "All"
	if _, faults := scanAll(t, text, d); len(faults) != 1 ||
		!strings.HasPrefix(faults[0], "missing_column column hat_size") {
		t.Errorf("faults %q", faults)
	}
}

// TestPartOfAYear refuses a file with figures of a year that had not ended when they came out.
func TestPartOfAYear(t *testing.T) {
	var r release
	r.Latest.Version, r.Latest.Published = "1.0", time.Date(2025, 6, 26, 0, 0, 0, 0, time.UTC)
	for covers, want := range map[string]int{"": 0, CoversToApril: 1} {
		d := startsSet
		d.CoveredPeriod = covers
		read := scan(strings.NewReader(head+nationalRow("Total", "Total", "100")), d, r)
		says := len(read.faults) > 0 && strings.HasSuffix(read.faults[0].Detail, "set `covers`")
		if read.isRejected != (want == 0) || len(read.rows) != want || says != (want == 0) {
			t.Errorf("covers %q: %d rows, %v", covers, len(read.rows), read.faults)
		}
	}
}

func TestCutGzip(t *testing.T) {
	whole := packed(t, head+strings.Repeat(nationalRow("Total", "19-24", "10"), 5000)+nationalRow("Total", "Total",
		"100"))
	for _, n := range []int{5, 40, len(whole) / 2, len(whole) - 4} {
		if rows, faults := scanAll(t, string(whole[:n]), startsSet); len(rows) != 0 || len(faults) != 1 {
			t.Errorf("cut at %d: %d rows, %v", n, len(rows), faults)
		}
	}
	if rows, faults := scanAll(t, string(whole), startsSet); len(rows) != 1 || len(faults) != 0 {
		t.Errorf("whole: %d rows, %v", len(rows), faults)
	}
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOnlyRollUp compares with a plain reading of made-up files: of every
// combination of filters only the one that is all Total counts.
func TestOnlyRollUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ages := []string{"Total", "19-24", "25+"}
		subjects := []string{"Total", "Social Sciences", "Science and Mathematics"}
		want := map[string]int64{}
		var text strings.Builder
		text.WriteString(head)
		for _, s := range subjects {
			for _, a := range ages {
				n := rapid.Int64Range(5, 900).Draw(t, s+a)
				if rapid.Bool().Draw(t, "there") {
					text.WriteString(nationalRow(s, a, fmt.Sprint(n)))
					if a == "Total" {
						want[s] = n
					}
				}
			}
		}
		read := scan(strings.NewReader(text.String()), startsSet, release{})
		for _, f := range read.faults {
			if f.Code != sources.FaultSuddenlyEmpty || len(want) > 0 {
				t.Fatal("fault", f.Code)
			}
		}
		if read.isRejected != (len(want) == 0) || len(read.rows) != len(want) {
			t.Fatalf("%d rows, want %d, %v", len(read.rows), len(want), read.faults)
		}
		for _, r := range read.rows {
			if want[r.SubjectArea] != r.Value {
				t.Fatalf("%s: %d, want %d", r.SubjectArea, r.Value, want[r.SubjectArea])
			}
		}
	})
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(head + nationalRow("Total", "Total", "100")))
	f.Add([]byte("\ufeff" + head + nationalRow("Total", "Total", "low")))
	f.Add(packed(f, head+nationalRow("Total", "Total", "100")))
	f.Add([]byte("\x1f\x8b\x00"))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		read := scan(bytes.NewReader(body), startsSet, release{})
		for _, f := range read.faults {
			if f.Code == "" || f.Detail == "" {
				t.Fatal("a fault without a code or a detail")
			}
		}
		if read.isRejected && (len(read.rows) > 0 || len(read.faults) == 0) {
			t.Fatalf("refused with %d rows and %d faults", len(read.rows), len(read.faults))
		}
		for _, r := range read.rows {
			if r.Value >= 1 && r.Value <= 4 || r.Value < 0 || r.SubjectArea == "" ||
				!r.PeriodStart.Before(r.PeriodEnd) {
				t.Fatalf("%+v", r)
			}
		}
	})
}

func FuzzRelease(f *testing.F) {
	f.Add([]byte(`{"title":"Aug to Apr","latestVersion":{"version":"1.0","published":"2025-11-27T09:30:00Z"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if r, err := parseRelease(body); err == nil {
			if c, err := r.covers(""); err == nil && columns.Periods["academic year "+c].To == 0 {
				t.Fatalf("covers %q", c)
			}
		}
	})
}

// BenchmarkScan reads a file of the shape of the further education enrolments:
// 17 columns, most rows a breakdown.
func BenchmarkScan(b *testing.B) {
	var text strings.Builder
	text.WriteString(
		"time_period,time_identifier,geographic_level,country_code,country_name,region_code,region_name,lad_code,lad_name," +
			"english_devolved_area_code,english_devolved_area_name,ssa_t1_desc,sex,ethnicity_group," +
			"notional_nvq_level,e_and_t_aims_enrolments,e_and_t_aims_ach\n")
	const councils, per = 300, 200
	for c := range councils {
		for i := range per {
			level := "Level 2"
			if i == 0 {
				level = "Total"
			}
			fmt.Fprintf(&text, "202021,Academic year,Local authority district,E92000001,England,,,E07%06d,Somewhere,,,"+
				"\"Health, Public Services and Care\",Total,Total,%s,%d,low\n", c, level, 10*i)
		}
	}
	d := DataSet{ID: startsID, Metric: MetricFurtherEducation, MeaningOfLow: LowMeansNotPublished}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if read := scan(strings.NewReader(text.String()), d, release{}); read.isRejected || len(read.rows) != councils {
			b.Fatalf("%d rows, %v", len(read.rows), read.faults)
		}
	}
	b.ReportMetric(float64(councils*per)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// A data set that holds something else than it is configured for is refused, by the name
// of the column or by the publisher's own labels.
func TestMeasuresSomethingElse(t *testing.T) {
	for _, c := range []struct {
		metric, column, labels string
		ok                     bool
	}{
		{MetricApprenticeships, "", "", true},
		{MetricApprenticeships, "Starts", `"Starts","Achievements"`, true},
		{MetricApprenticeships, "achievements", `"Starts","Achievements"`, false},
		{MetricApprenticeships, "starts_percent", "", false},
		{MetricApprenticeships, "", `"Achievements","Participation"`, false},
		{MetricApprenticeships, "", `"Achievements"`, false},
		{MetricApprenticeships, "number", `"Number of starts"`, true},
		{MetricFurtherEducation, "participation", `"Learners"`, true},
		{MetricFurtherEducation, "e_and_t_aims_ach", "", false},
		{MetricBootcamps, "comp_total", `"Starts","Completions"`, false},
	} {
		r, err := parseRelease(
			[]byte(`{"status":"Published","latestVersion":{"version":"1.0","indicators":[` + c.labels + `]}}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.measures(DataSet{Metric: c.metric, Column: c.column}); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A file that gives no figure says which rows were passed over, and why.
func TestNoFigureIsAFault(t *testing.T) {
	text := "time_period,time_identifier,geographic_level,country_code,country_name,sex,ssa_t1_desc,starts\n" +
		"202324,Academic year,National,E92000001,England,Female,Total,10\n" +
		"202324,Academic year,National,E92000001,England,Male,Total,20\n"
	rows, faults := scanAll(t, text, DataSet{Metric: MetricApprenticeships})
	if len(rows) != 0 || len(faults) != 1 ||
		!strings.Contains(faults[0], "of 2 rows none is a figure that is asked for: 2 for a part of the learners") {
		t.Errorf("%d rows, %q", len(rows), faults)
	}
}
