package dfeapprenticeships

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/sources"
)

// recorded opens a file of the publisher's that was recorded outside the project.
func recorded(t *testing.T, name string) *os.File {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", "C", name)
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the recorded data ../shared/data is not here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func readRecorded(t *testing.T, name string, d DataSet) *table {
	t.Helper()
	read := scan(recorded(t, name), d, release{})
	if len(read.faults) > 0 || read.isRejected {
		t.Fatalf("%s: %+v", name, read.faults)
	}
	t.Logf("%s: %d rows, %d used, passed over: %v", name, read.rowCount, len(read.rows), read.skipCounts)
	return read
}

// TestRecordedStarts reads the complete file of starts by deprivation of the
// final edition of 2024/25 and compares with the figures that the publisher
// prints in its release.
func TestRecordedStarts(t *testing.T) {
	rows := readRecorded(t, "apprenticeships-learner-deprivation-2024-25-q4.csv",
		DataSet{ID: startsID, Metric: MetricApprenticeships, MeaningOfLow: LowMeansUnderFive}).rows
	for year, want := range map[int]int64{2020: 322530, 2021: 321440, 2022: 349190, 2023: 337140, 2024: 339580,
		2025: 353500} {
		if got := find(t, rows, "E92000001", "Total", year); got.Value != want || got.Symbol != sources.SymbolNone {
			t.Errorf("starts in England in the year to July %d: %d %q, want %d", year, got.Value, got.Symbol, want)
		}
	}
	subjects := map[string]bool{}
	for _, r := range rows {
		subjects[r.SubjectArea] = true
		if r.Series != "starts, full academic year" || r.RegionKind != "nation" {
			t.Fatalf("%+v", r)
		}
	}
	// Every subject of every year once: no other breakdown slipped through.
	if len(subjects) != 14 || len(rows) > 14*6 || len(rows) < 13*6 {
		t.Errorf("%d rows of %d subjects", len(rows), len(subjects))
	}
	for year := 2020; year <= 2025; year++ {
		checkSum(t, rows, year)
	}
}

// checkSum compares the subjects of a year with their total: each is rounded to
// 10, so that they may differ by 5 for each.
func checkSum(t *testing.T, rows []sources.Statistic, year int) {
	t.Helper()
	var sum, total, n int64
	for _, r := range rows {
		switch {
		case r.PeriodEnd.Year != year:
		case r.SubjectArea == "Total":
			total = r.Value
		default:
			sum, n = sum+r.Value, n+1
		}
	}
	if d := sum - total; d > 5*n+5 || d < -5*n-5 {
		t.Errorf("%d: the %d subjects sum to %d, the total is %d", year, n, sum, total)
	}
}

// TestRecordedEnrolments reads the recorded files of enrolments, whose notes call
// the figures "Aug to Apr": for the country, the regions and the councils.
func TestRecordedEnrolments(t *testing.T) {
	d := DataSet{ID: startsID, Metric: MetricFurtherEducation, CoveredPeriod: CoversToApril,
		MeaningOfLow: LowMeansNotPublished}
	national := readRecorded(t, "fe-enrolments-national-regional-eda-2015-16_2020-21.csv", d)
	if national.skipCounts[skippedWithoutArea] == 0 || national.skipCounts[skippedForLevel] == 0 {
		t.Errorf("passed over: %v", national.skipCounts)
	}
	got := find(t, national.rows, "E92000001", "Total", 2021)
	if got.Value != 1612200 || got.Series != "education and training aim enrolments, academic year to April" ||
		got.PeriodEnd.String() != "2021-04-30" {
		t.Errorf("England: %+v", got)
	}
	regions := map[string]bool{}
	for _, r := range national.rows {
		if r.RegionKind == "region" {
			regions[r.RegionCode] = true
		}
		if r.SubjectArea == "Information and Communication Technology" {
			t.Fatalf("the old name of a subject: %+v", r)
		}
	}
	if len(regions) != 9 {
		t.Errorf("%d regions, want 9", len(regions))
	}

	councils := readRecorded(t, "fe-enrolments-lad-2019-20_2020-21.csv", d).rows
	if got := find(t, councils, "E06000001", "Total", 2021); got.Value != 5010 || got.RegionName != "Hartlepool" ||
		got.RegionKind != "council" {
		t.Errorf("Hartlepool: %+v", got)
	}
	for _, r := range councils {
		if r.Symbol == sources.SymbolUnderFive {
			t.Fatalf("`low` is not defined as more than 0 in this file: %+v", r)
		}
	}
}

// TestRecordedTestUpload shows that a file without the figure is refused.
func TestRecordedTestUpload(t *testing.T) {
	read := scan(recorded(t, "ees-test-data-further-education-and-skills.csv"),
		DataSet{Metric: MetricFurtherEducation, MeaningOfLow: LowMeansNotPublished}, release{})
	if !read.isRejected || len(read.rows) != 0 || len(read.faults) != 1 ||
		read.faults[0].Code != sources.FaultColumnMissing ||
		!strings.HasPrefix(read.faults[0].Where, "column e_and_t_aims_enrolments") {
		t.Errorf("%d rows, %+v", len(read.rows), read.faults)
	}
}
