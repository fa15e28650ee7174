package dfeapprenticeships

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

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
		"all well":       {t.Context(), nil, nil, "", 1},
		"the run ends":   {done, nil, nil, "read data sets: context canceled", 0},
		"the table":      {t.Context(), map[string]error{"open " + table: failed}, nil, "open " + table + ": the disk failed", 0},
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
	for name, c := range map[string]struct {
		text string
		r    release
		want string
	}{
		"other figures": {head, other, "schema description "},
		"no header":     {"sep=;\n", release{}, "not_the_format  the file has no header"},
		"cut at once":   {string(packed(t, head)[:12]), release{}, "not_the_format  read the beginning: unexpected EOF"},
		"no gzip":       {"\x1f\x8bx", release{}, "not_the_format  the file begins like gzip and is not: "},
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
		if !read.refused || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, refused %t; want %s", name, got, read.refused, c.want)
		}
	}
	bad := scan(strings.NewReader(head+strings.Repeat(nationalRow("Total", "Total", "?"), 1000)), startsSet, release{})
	if last := bad.faults[len(bad.faults)-1]; len(bad.faults) != maxFaults+1 ||
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
