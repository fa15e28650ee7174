package dfeapprenticeships

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/fakepublishers"
	"labour/sources/sourcetest"
)

const (
	startsID   = "11111111-aaaa-4bbb-8ccc-000000000001"
	bootcampID = "11111111-aaaa-4bbb-8ccc-000000000002"
)

var published = time.Date(2025, 11, 27, 9, 30, 0, 0, time.UTC)

func newSource(t testing.TB, base string, sets ...DataSet) *Source {
	t.Helper()
	s, err := New(Config{BaseURL: base, DataSets: sets})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSuite puts the connector through everything that a publisher and an archive
// can do to it.
func TestSuite(t *testing.T) {
	ees := fakepublishers.NewEducationStatistics(
		fakepublishers.EducationDataSet{ID: startsID, Title: "Starts by place", Version: "2.1", Published: published,
			Indicators: []string{"Starts", "Achievements"}, CSV: []byte(sourcetest.ReadSample(t, "starts.csv"))},
		fakepublishers.EducationDataSet{ID: bootcampID, Title: "Skills bootcamps", Published: published,
			CSV: []byte(sourcetest.ReadSample(t, "bootcamps.csv")), Uncompressed: true},
	)
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source {
			return newSource(t, base+"/statistics/v1", DataSet{ID: startsID, Metric: MetricApprenticeships},
				DataSet{ID: bootcampID, Metric: MetricBootcamps})
		},
		Publisher: ees,
		WantTerms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			if len(records) != 27 {
				t.Errorf("%d records, want 24 on apprenticeships and 3 on bootcamps", len(records))
			}
			want := sources.Statistic{Source: Key, Metric: MetricApprenticeships, Country: "GB",
				RegionCode: "E92000001", RegionName: "England",
				RegionKind: "nation", SubjectArea: "Digital Technology", PeriodStart: sources.Date{Year: 2023, Month: 8,
					Day: 1},
				PeriodEnd: sources.Date{Year: 2024, Month: 7, Day: 31}, Published: sources.DateOf(published),
				Series: "starts, full academic year", Value: 380}
			if diff := cmp.Diff(sources.Record(want), records[2]); diff != "" {
				t.Errorf("the old subject name (- want, + got):\n%s", diff)
			}
		},
	})
}

// TestSample checks every meaning of a cell in the sample, by place and subject.
func TestSample(t *testing.T) {
	d := DataSet{Metric: MetricApprenticeships, MeaningOfLow: LowMeansUnderFive}
	rows, faults := scanAll(t, sourcetest.ReadSample(t, "starts.csv"), d)
	if len(faults) != 0 {
		t.Fatalf("faults: %v", faults)
	}
	for place, want := range map[string][3]string{
		"E92000001": {"1000", "620", "380"}, "E12000007": {"210", "<5", "null"},
		"E09000007": {"0", "<5", "null"}, "E69000039": {"40", "null", "null"},
	} {
		for i, subject := range []string{"Total", "Business, Administration and Law", "Digital Technology"} {
			if got := printed(find(t, rows, place, subject, 2025)); got != want[i] {
				t.Errorf("%s, %s: %s, want %s", place, subject, got, want[i])
			}
		}
	}
	want := map[skipReason]int{skippedAsBreakdown: 24, skippedWithoutArea: 6, skippedForLevel: 6}
	read := scan(strings.NewReader(sourcetest.ReadSample(t, "starts.csv")), d, release{})
	if diff := cmp.Diff(want, read.skipCounts); diff != "" || read.rowCount != 60 || len(rows) != 24 {
		t.Errorf("%d rows, %d used (- want, + got):\n%s", read.rowCount, len(rows), diff)
	}
}

// find is the one row of a place, a subject and the year in which its period ends.
func find(t testing.TB, rows []sources.Statistic, place, subject string, year int) sources.Statistic {
	t.Helper()
	var hit []sources.Statistic
	for _, r := range rows {
		if r.RegionCode == place && r.SubjectArea == subject && r.PeriodEnd.Year == year {
			hit = append(hit, r)
		}
	}
	if len(hit) != 1 {
		t.Fatalf("%d rows for %s, %s, %d", len(hit), place, subject, year)
	}
	return hit[0]
}

// scanAll reads a text and gives the faults as "code where detail".
func scanAll(t testing.TB, text string, d DataSet) ([]sources.Statistic, []string) {
	t.Helper()
	read := scan(strings.NewReader(text), d, release{})
	var faults []string
	for _, f := range read.faults {
		faults = append(faults, string(f.Code)+" "+f.Where+" "+f.Detail)
	}
	if read.isRejected && len(faults) == 0 {
		t.Fatal("refused without a fault")
	}
	if read.isRejected && len(read.rows) != 0 {
		t.Fatalf("refused and yet %d rows", len(read.rows))
	}
	return read.rows, faults
}

func TestConfig(t *testing.T) {
	ok := DataSet{ID: startsID, Metric: MetricApprenticeships}
	s := newSource(t, "", ok, DataSet{ID: bootcampID, Metric: MetricFurtherEducation})
	if s.cfg.BaseURL != DefaultBaseURL || s.cfg.DataSets[0].MeaningOfLow != LowMeansUnderFive ||
		s.cfg.DataSets[1].MeaningOfLow != LowMeansNotPublished {
		t.Errorf("defaults: %+v", s.cfg)
	}
	for name, c := range map[string]Config{
		"no data set":    {},
		"twice":          {DataSets: []DataSet{ok, ok}},
		"bad id":         {DataSets: []DataSet{{ID: "../x", Metric: MetricApprenticeships}}},
		"unknown metric": {DataSets: []DataSet{{ID: startsID, Metric: "starts"}}},
		"unknown covers": {DataSets: []DataSet{{ID: startsID, Metric: MetricApprenticeships, CoveredPeriod: "april"}}},
		"unknown low":    {DataSets: []DataSet{{ID: startsID, Metric: MetricApprenticeships, MeaningOfLow: "0"}}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// one opens the same body for every object.
type one []byte

// Open opens it.
func (b one) Open(sources.ArchivedObject) (sources.Body, error) {
	return io.NopCloser(bytes.NewReader(b)), nil
}

// Without its description a file is read only if the configuration holds the months that it covers.
func TestDescriptionIsMissing(t *testing.T) {
	table := sources.ArchivedObject{Name: tableName(startsID)}
	for covers, want := range map[string]sources.FaultCode{"": sources.FaultSchema, CoversFullYear: ""} {
		s := newSource(t, "", DataSet{ID: startsID, Metric: MetricApprenticeships, CoveredPeriod: covers})
		records, faults, err := sourcetest.ReadExtract(s, sources.Extract{Objects: []sources.ArchivedObject{table}},
			one([]byte(sourcetest.ReadSample(t, "starts.csv"))))
		if err != nil || (len(records) == 0) != (want != "") {
			t.Errorf("covers %q: %d records, %v", covers, len(records), err)
		}
		if want != "" && (len(faults) != 1 || faults[0].Code != want || faults[0].Object != descriptionName(startsID)) {
			t.Errorf("covers %q: %+v, want one %s of the description", covers, faults, want)
		}
	}
}
