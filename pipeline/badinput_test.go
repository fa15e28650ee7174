package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/pipeline/corrections"
	"labour/pipeline/counting"
	"labour/pipeline/protected"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/fakepublishers"
)

// small is a made-up world of a few records, and a test can break each part of it.
type small struct {
	t      *testing.T
	feed   map[string]string // file → lines
	boards map[string]string // token → body
	csv    string
	clock  time.Time
	data   string
	asked  atomic.Int64 // requests to publishers so far
	last   *Options     // of the last run

	geography      map[string][]map[string]any // service of the portal → rows; nil: no geography is configured
	corrections    []corrections.Correction
	classification map[string]string // kind of file → CSV; nil: none is configured
	vacancies      []int             // of the apprenticeship service; nil: it is not configured
	faaFault       func(http.Handler) http.Handler
	version        string       // of the statistics; empty: another each day
	sent           atomic.Int64 // bytes of bodies so far
	drift          string       // block of the configuration
	answers        http.Handler
	context        context.Context // of the next run; nil: one that does not end
	progress       func(step string)
	log            *slog.Logger // nil: nobody reads it
	secret         string       // of people; empty: the first run makes one
}

const dataSet = "1d419801-435d-c676-b428-1217e08290c3"

func newSmall(t *testing.T) *small {
	s := &small{t: t, clock: time.Date(2026, 11, 19, 6, 0, 0, 0, time.UTC), data: t.TempDir(), feed: map[string]string{},
		boards: map[string]string{}}
	s.feed["boroughs.ndjson"] = `{"slug":"camden","name":"Camden","code":"E09000007"}` + "\n" + `{"slug":"hackney","name":"Hackney","code":"E09000012"}` + "\n"
	var adverts strings.Builder
	for i := range 9 {
		fmt.Fprintf(&adverts, `{"id":"ad-%d","imported_from":"platform","employer":"Employer %d","title":"Care `+
			`assistant","kind":"job","posted_on":"2026-09-%02d","boroughs":["camden"],"skills":[{"skill":"teamwork",`+
			`"level":2}]}`+"\n", i, i, i+1)
	}
	s.feed["adverts.ndjson"] = adverts.String()
	s.feed["residents.ndjson"] = `{"id":"r-1","borough":"camden","seeking_work":true}` + "\n"
	s.feed["applications.ndjson"] = ""
	for _, token := range []string{"acme", "bolt"} {
		s.boards[token] = fmt.Sprintf(`{"apiVersion":"1","jobs":[{"id":"%[1]s-1","title":"Software developer",`+
			`"location":"Camden, London","isListed":true,"publishedAt":"2026-10-05T09:00:00Z",`+
			`"jobUrl":"https://jobs.example/%[1]s/1","applyUrl":"https://jobs.example/%[1]s/1/apply",`+
			`"descriptionPlain":"You know Python."}]}`, token)
	}
	s.csv = "time_period,time_identifier,geographic_level,country_code,country_name,ssa_t1_desc,starts\n" +
		"202324,Academic year,National,E92000001,England,Total,1000\n" +
		"202425,Academic year,National,E92000001,England,Total,1100\n"
	return s
}

// run publishes the world as it is and runs the pipeline on it.
func (s *small) run() Result {
	s.t.Helper()
	result, err := s.runOnly("")
	if err != nil {
		s.t.Fatal(err)
	}
	s.clock = s.clock.AddDate(0, 0, 1)
	return result
}

// runOnly runs on the next day: a light run if only is options.OnlyPlatform, and a whole run if it is empty.
func (s *small) runOnly(only string) (Result, error) {
	s.t.Helper()
	feed := s.t.TempDir()
	for name, lines := range s.feed {
		if err := os.WriteFile(filepath.Join(feed, name), []byte(lines), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	version := s.version
	if version == "" {
		version = "1." + fmt.Sprint(s.clock.Day())
	}
	mux := http.NewServeMux()
	mux.Handle("/ees/", fakepublishers.NewEducationStatistics(fakepublishers.EducationDataSet{ID: dataSet,
		Title: "Starts", Version: version, CSV: []byte(s.csv)}))
	mux.HandleFunc("/ashby/posting-api/job-board/{token}", func(w http.ResponseWriter, r *http.Request) {
		body := s.boards[r.PathValue("token")]
		w.Header().Set("Content-Type", map[bool]string{true: "text/html",
			false: "application/json"}[strings.HasPrefix(body, "<")])
		fmt.Fprint(w, body)
	})
	s.answers = mux
	server := publishers()
	more := s.reference(mux, server.URL) + s.service(mux, server.URL) + s.drift
	c, err := config.Parse(fmt.Appendf(nil, `platform: {name: Small Works, link: "https://works.example", feed: %q}
contact: data@works.example
sources:
  employer_boards:
    vendors: {ashby: {base_url: "%[2]s/ashby"}}
    boards: [{vendor: ashby, token: acme, employer: Acme}, {vendor: ashby, token: bolt, employer: Bolt}]
  dfe_apprenticeships: {base_url: "%[2]s/ees", data_sets: [{id: %[3]s, metric: apprenticeship_starts, covers: full_year}]}
%[4]s`, feed, server.URL, dataSet, more))
	if err != nil {
		s.t.Fatal(err)
	}
	c.Corrections = s.corrections
	s.last = &Options{Config: c, DataDir: s.data, AsOf: sources.DateOf(s.clock), Now: func() time.Time { return s.clock },
		Log: cmp.Or(s.log, slog.New(slog.DiscardHandler)), ToolVersion: "test", DownloadAttempts: 1, IsLight: only != "",
		LookupSecret: s.secretNamed, OnStep: s.progress}
	ctx := s.context
	if ctx == nil {
		ctx = context.Background()
	}
	answering.Store(s)
	return s.runOrCopy(ctx)
}

// secretNamed is the environment: it has no secret but the keys of publishers and, where a test
// needs a draw that is known, that of people.
func (s *small) secretNamed(name string) (string, bool) {
	if name == secrets.RoundingSecretName {
		return s.secret, s.secret != ""
	}
	return "key", name != secrets.ManifestKeyName
}

// reference serves the geography and the classification, and gives their blocks of
// the configuration.
func (s *small) reference(mux *http.ServeMux, base string) string {
	var blocks strings.Builder
	if s.geography != nil {
		tables := map[string]fakepublishers.ArcGISTable{}
		for name, rows := range s.geography {
			tables[name] = fakepublishers.ArcGISTable{Rows: rows}
		}
		mux.Handle("/ons/", http.StripPrefix("/ons", fakepublishers.NewArcGIS(tables)))
		fmt.Fprintf(&blocks, "  ons_geography: {base_url: \"%s/ons\", services: [{service: LAD, areas: [council]}, "+
			"{service: CHANGES, changes: council}]}\n", base)
	}
	if s.classification != nil {
		blocks.WriteString("  ons_soc2020:\n    files:\n")
	}
	for _, kind := range slices.Sorted(maps.Keys(s.classification)) {
		mux.HandleFunc("/soc/"+kind, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s.classification[kind]) })
		fmt.Fprintf(&blocks, "      - {id: %s, kind: %s, url: \"%s/soc/%s\"}\n", strings.ReplaceAll(kind, "_", "-"), kind,
			base, kind)
	}
	return blocks.String()
}

// TestBadInputHasANamedOutcome breaks one thing after a good run: the fault is
// named in the report, and nothing else is lost.
func TestBadInputHasANamedOutcome(t *testing.T) {
	tests := []struct {
		name    string
		spoil   func(s *small)
		source  string
		code    sources.FaultCode
		reason  counting.ExclusionReason // or an exclusion
		fetch   bool                     // the fault is one of fetching: status 3
		adverts int64                    // counted, of 11
		starts  int64                    // rows of course_demand, of 2
	}{
		{name: "nothing", spoil: func(*small) {}, adverts: 11, starts: 2},
		{name: "a feed line that is not JSON", spoil: func(s *small) { s.feed["adverts.ndjson"] += "{not json\n" },
			source: "platform", code: sources.FaultNotJSON, adverts: 11, starts: 2},
		{name: "a feed line that breaks the schema", spoil: func(s *small) { s.feed["adverts.ndjson"] += `{"id":"ad-x","email":"a@b.c"}` + "\n" },
			source: "platform", code: sources.FaultSchema, adverts: 11, starts: 2},
		{name: "an advert dated in the future", spoil: func(s *small) {
			s.feed["adverts.ndjson"] = strings.Replace(s.feed["adverts.ndjson"], "2026-09-01", "2027-09-01", 1)
		}, source: "platform", reason: counting.ReasonFutureDated, adverts: 10, starts: 2},
		{name: "an unknown place", spoil: func(s *small) {
			s.feed["adverts.ndjson"] = strings.Replace(s.feed["adverts.ndjson"], `["camden"]`, `["atlantis"]`, 1)
		}, source: "platform", code: sources.FaultUnknownReference, adverts: 11, starts: 2},
		{name: "a board that turns to HTML", spoil: func(s *small) { s.boards["bolt"] = "<!DOCTYPE html><html>moved</html>" },
			source: "employer_boards", code: sources.FaultWrongFormat, fetch: true, adverts: 11, starts: 2},
		{name: "a board that is suddenly empty", spoil: func(s *small) { s.boards["bolt"] = `{"apiVersion":"1","jobs":[]}` },
			source: "employer_boards", code: sources.FaultSuddenlyEmpty, fetch: true, adverts: 11, starts: 2},
		{name: "a CSV with a new column", spoil: func(s *small) {
			s.csv = strings.ReplaceAll(strings.Replace(s.csv, "starts\n", "shoe_size,starts\n", 1), "Total,1", "Total,Total,1")
		}, source: "dfe_apprenticeships", code: sources.FaultColumnUnknown, fetch: true, adverts: 11, starts: 2},
		{name: "a CSV without a column", spoil: func(s *small) {
			s.csv = strings.Replace(s.csv, "starts\n",
				"achievements\n", 1)
		},
			source: "dfe_apprenticeships", code: sources.FaultColumnMissing, fetch: true, adverts: 11, starts: 2},
	}
	s := newSmall(t)
	s.run()
	before := s.keep()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.back(t, before)
			tt.spoil(s)
			result := s.run()
			checkOutcome(t, result, tt.source, tt.code, tt.reason, tt.fetch)
			var counted int64
			for _, source := range result.Report.Sources {
				if source.Adverts != nil {
					counted += source.Adverts.Counted
				}
			}
			if counted != tt.adverts || result.Report.Tables["course_demand"] != tt.starts {
				t.Errorf("%d adverts counted and %d figures on courses, want %d and %d", counted,
					result.Report.Tables["course_demand"], tt.adverts, tt.starts)
			}
		})
	}
}

func checkOutcome(t *testing.T, r Result, source string, code sources.FaultCode, reason counting.ExclusionReason, fetch bool) {
	t.Helper()
	if (len(r.FailedSources) > 0) != fetch {
		t.Errorf("failed sources %v, want some: %t", r.FailedSources, fetch)
	}
	found := code == "" && reason == counting.ReasonCounted
	for _, f := range r.Report.Fetched {
		for _, fault := range f.Faults {
			found = found || f.Source == source && fault.Code == code
		}
	}
	for _, s := range r.Report.Sources {
		if s.Source == source {
			found = found || code != "" && s.Faults[code] == 1 || s.Adverts != nil && s.Adverts.Excluded[reason] == 1
		}
	}
	if !found {
		b, err := r.Report.Encode()
		t.Errorf("no %s%s of %s in the report (%v):\n%s", code, reason, source, err, b)
	}
}

// TestTruncatedArchive cuts an archived body in two: the build names it, counts
// what the other objects hold, and the next run fetches it again.
func TestTruncatedArchive(t *testing.T) {
	s := newSmall(t)
	first := s.run()
	cut := 0
	err := filepath.WalkDir(filepath.Join(protected.ArchiveDir(s.data), "sha256"),
		func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			body, err := os.ReadFile(path)
			if err != nil || cut > 0 {
				return err
			}
			if info, err := e.Info(); err == nil && info.Size() > 20 && holdsBoard(t, path) {
				cut++
				return errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, body[:len(body)/2], 0o600))
			}
			return nil
		})
	if err != nil || cut != 1 {
		t.Fatalf("%d objects cut: %v", cut, err)
	}
	o := Options{DataDir: s.data, AsOf: sources.DateOf(s.clock), Now: func() time.Time { return s.clock },
		Log: slog.New(slog.DiscardHandler), ToolVersion: "test"}
	c, err := config.Parse([]byte(`{platform: {name: Small Works, link: "https://works.example"}, contact: ` +
		`data@works.example, sources: {employer_boards: {boards: [{vendor: ashby, token: acme, employer: Acme}, {vendor: ` +
		`ashby, token: bolt, employer: Bolt}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	o.Config = c
	built, err := Build(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	boards := built.Report.EnsureSource("employer_boards")
	if boards.Faults[sources.FaultDamaged] != 1 || boards.Records != 1 {
		t.Errorf("faults %v and %d records, want the damaged object named and the other board's advert", boards.Faults,
			boards.Records)
	}
	again := s.run()
	counted := func(r Result) int64 { return r.Report.EnsureSource("employer_boards").Adverts.Counted }
	if n := counted(again); n != counted(first) {
		t.Errorf("%d adverts of boards after the object was fetched again", n)
	}
}

// holdsBoard reports whether an archived file is a board: it is the only kind of
// body in this world that the reader of boards accepts.
func holdsBoard(t *testing.T, path string) bool {
	t.Helper()
	body, err := readArchived(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(body, "apiVersion")
}

// TestEqualInputEqualTables: a second run over unchanged sources writes the same
// bytes in every table but for the snapshot's own id.
func TestEqualInputEqualTables(t *testing.T) {
	s := newSmall(t)
	a := s.run()
	s.clock = s.clock.AddDate(0, 0, -1) // the same day again
	b := s.run()
	store, err := store.Open(s.data)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range snapshots.Tables() {
		rows := func(r Result) string {
			var out strings.Builder
			columns := make([]string, len(table.Columns))
			for i, c := range table.Columns {
				columns[i] = c.Name
			}
			for values, err := range parquetio.ScanColumns(filepath.Join(store.SnapshotDir(r.ID), "tables", table.Name+".parquet"),
				columns) {
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(&out, values)
			}
			return out.String()
		}
		if table.Name != "sources" && rows(a) != rows(b) {
			t.Errorf("table %s differs between two runs over the same input", table.Name)
		}
	}
}
