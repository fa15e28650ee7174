package dfeapprenticeships

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/sources"
)

// sink keeps the records and faults that it is given. It fails at a record if err is set.
type sink struct {
	records []sources.Record
	faults  []sources.Fault
	err     error
}

// Emit keeps a record, or fails.
func (s *sink) Emit(r sources.Record) error {
	if s.err == nil {
		s.records = append(s.records, r)
	}
	return s.err
}

// Fault keeps a fault.
func (s *sink) Fault(f sources.Fault) { s.faults = append(s.faults, f) }

// TestReadingStopsAtFailuresOfTheProgram: of the disk, of the sink and of the run. A data set that was
// not fetched is passed over.
func TestReadingStopsAtFailuresOfTheProgram(t *testing.T) {
	table, description := tableName(startsID), descriptionName(startsID)
	const good = `{"title":"A","status":"Published","latestVersion":{"version":"1.0"}}`
	texts := map[string]string{description: good, table: head + nationalRow("Total", "Total", "100")}
	x := sources.Extract{Objects: []sources.ArchivedObject{{Name: description}, {Name: table}}}
	s := newSource(t, "", DataSet{ID: bootcampID, Metric: MetricBootcamps}, startsSet)
	failed := errors.New("the disk failed")
	done, stop := context.WithCancel(context.Background())
	stop()
	for name, c := range map[string]struct {
		ctx     context.Context
		open    map[string]error
		sink    error
		says    string
		records int
	}{
		"all well":     {t.Context(), nil, nil, "", 1},
		"the run ends": {done, nil, nil, "read data sets: context canceled", 0},
		"the table": {t.Context(), map[string]error{"open " + table: failed}, nil,
			"open " + table + ": the disk failed", 0},
		"the sink is no": {t.Context(), nil, failed, "the disk failed", 0},
	} {
		out := &sink{err: c.sink}
		err := s.Read(c.ctx, x, &publisher{texts: texts, err: c.open}, out)
		if (err == nil) != (c.says == "") || err != nil && !strings.HasSuffix(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		if len(out.records) != c.records || len(out.faults) > 0 {
			t.Errorf("%s: %d records and %+v, want %d", name, len(out.records), out.faults, c.records)
		}
	}
	damaged := map[string]error{"open " + table: sources.ErrDamaged}
	out := &sink{}
	if err := s.Read(t.Context(), x, &publisher{texts: texts, err: damaged}, out); err != nil || len(out.faults) != 1 ||
		out.faults[0].Object != table || out.faults[0].Detail != "open "+table+": archived object is damaged" {
		t.Errorf("a damaged table: %v, %+v", err, out.faults)
	}
}

// TestRefusedFilesSayWhy: in one fault, however many rows of the file are bad.
func TestRefusedFilesSayWhy(t *testing.T) {
	other := release{}
	other.Latest.Indicators = []string{"Achievements"}
	two := release{}
	two.Latest.RowCount = 2
	for name, c := range map[string]struct {
		text string
		r    release
		want string
	}{
		"other figures": {head, other, "schema description "},
		"fewer rows": {head + nationalRow("Total", "Total", "100"), two,
			"incomplete  the publisher announces 2 rows and the file has 1; "},
		"no header":   {"sep=;\n", release{}, "not_the_format  the file has no header"},
		"cut at once": {string(packed(t, head)[:12]), release{}, "not_the_format  read the beginning: unexpected EOF"},
		"no gzip":     {"\x1f\x8bx", release{}, "not_the_format  the file begins like gzip and is not: "},
		"no place": {"time_period,time_identifier,geographic_level,starts\n", release{},
			"missing_column column country_code, region_code, lad_code or lsip_code "},
		"no identifier": {strings.Replace(head, "time_identifier", "note", 1), release{},
			"missing_column column time_identifier "},
	} {
		d := startsSet
		d.IgnoreColumns = []string{"note"}
		read := scan(strings.NewReader(c.text), d, c.r)
		got := fmt.Sprint(len(read.faults))
		if len(read.faults) == 1 {
			got = fmt.Sprintf("%s %s %s", read.faults[0].Code, read.faults[0].Where, read.faults[0].Detail)
		}
		if !read.isRejected || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, refused %t; want %s", name, got, read.isRejected, c.want)
		}
	}
	bad := scan(strings.NewReader(head+strings.Repeat(nationalRow("Total", "Total", "?"), 1000)), startsSet, release{})
	if last := bad.faults[len(bad.faults)-1]; len(bad.faults) != 1001 ||
		!strings.HasPrefix(last.Detail, "1000 of 1000 rows cannot be read") {
		t.Errorf("%d faults, the last %+v", len(bad.faults), last)
	}
}

// TestConfigurationIsNotChanged: the defaults are set in a copy.
func TestConfigurationIsNotChanged(t *testing.T) {
	sets := []DataSet{{ID: startsID, Metric: MetricApprenticeships}}
	before := slices.Clone(sets)
	if _, err := New(Config{DataSets: sets}); err != nil || sets[0].MeaningOfLow != before[0].MeaningOfLow {
		t.Errorf("%+v, %v", sets, err)
	}
}

// TestColumnsInAnyOrder: the figure is the same, whichever column is the first, and however the names in
// the header are written.
func TestColumnsInAnyOrder(t *testing.T) {
	names := strings.Split(strings.TrimSpace(head), ",")
	cells := strings.Split(strings.TrimSpace(nationalRow("Health", "Total", "100")), ",")
	first, _ := scanAll(t, head+nationalRow("Health", "Total", "100"), startsSet)
	series := first[0].Series
	if series != "starts, full academic year" {
		t.Errorf("the series is %q", series)
	}
	for range names {
		names, cells = append(names[1:], names[0]), append(cells[1:], cells[0])
		text := strings.ToUpper(strings.Join(names, " ,")) + "\n" + strings.Join(cells, ",") + "\n"
		rows, faults := scanAll(t, text, startsSet)
		if len(rows) != 1 || len(faults) > 0 || rows[0].Value != 100 || rows[0].SubjectArea != "Health" ||
			rows[0].RegionCode != "E92000001" || rows[0].RegionName != "England" || rows[0].Series != series {
			t.Errorf("%s: %+v, %q", text, rows, faults)
		}
	}
}

// TestRowsBehindABrokenOneAreRead: each broken row is a fault, however many there are, so that the report and the
// limit on faulty records count them all.
func TestRowsBehindABrokenOneAreRead(t *testing.T) {
	good := strings.Repeat(nationalRow("Total", "Total", "100"), 1000)
	for _, broken := range []int{1, 20, 21, 50} {
		rows, faults := scanAll(t, head+good+strings.Repeat("a\"b\n", broken)+nationalRow("Health", "Total", "7"), startsSet)
		if len(rows) != 2 || rows[1].SubjectArea != "Health" || len(faults) != broken {
			t.Errorf("%d broken rows: %d figures, %q", broken, len(rows), faults)
		}
	}
}

// TestTooManyFaultsRejectAFile: the reason is the last fault, and the rest of the file is not read.
func TestTooManyFaultsRejectAFile(t *testing.T) {
	text := head + strings.Repeat("a\"b\n", maxFaults+9)
	read := scan(strings.NewReader(text), startsSet, release{})
	last := read.faults[len(read.faults)-1]
	if !read.isRejected || read.rowCount != maxFaults+1 ||
		last.Detail != "the file has more than 100000 faults and is not used" {
		t.Errorf("%d rows read, %d faults, the last is %v", read.rowCount, len(read.faults), last)
	}
}

// TestFigureOfTwoDataSetsIsGivenOnce: by the earlier set. Without a description, the day on which the file
// was received is the day of publication; faults name the file.
func TestFigureOfTwoDataSetsIsGivenOnce(t *testing.T) {
	first, second := tableName(startsID), tableName(bootcampID)
	full := func(id string) DataSet {
		return DataSet{ID: id, Metric: MetricApprenticeships, CoveredPeriod: CoversFullYear}
	}
	got := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	x := sources.Extract{Objects: []sources.ArchivedObject{{Name: second, FetchedAt: got.AddDate(0, 1, 0)},
		{Name: first, FetchedAt: got}}}
	texts := map[string]string{first: head + nationalRow("Total", "Total", "100"),
		second: head + strings.Repeat(nationalRow("Total", "Total", "200"), 20) + nationalRow("Health", "Total", "7") +
			nationalRow("Health", "Total", "?")}
	out := &sink{}
	if err := newSource(t, "", full(startsID), full(bootcampID)).Read(t.Context(), x, &publisher{texts: texts},
		out); err != nil {
		t.Fatal(err)
	}
	var figures []string
	for _, r := range out.records {
		st := r.(sources.Statistic)
		figures = append(figures, fmt.Sprint(st.SubjectArea, " ", st.Value, " ", st.Published))
	}
	if want := []string{"Total 100 2026-03-04", "Health 7 2026-04-04"}; !slices.Equal(figures, want) {
		t.Errorf("figures %q, want %q", figures, want)
	}
	if len(out.faults) != 1 || out.faults[0].Source != Key || out.faults[0].Object != second ||
		out.faults[0].Where != "line 23" {
		t.Errorf("faults %+v", out.faults)
	}
}
