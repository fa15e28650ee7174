package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/pipeline/config"
	"labour/pipeline/report"
	"labour/pipeline/secrets"
	"labour/sources"
	"labour/sources/fakepublishers"
)

// hostileConfig asks every connector, and every vendor of boards.
const hostileConfig = `platform: {name: Small Works, link: "https://works.example", feed: %[1]q}
contact: data@works.example
sources:
  employer_boards:
    vendors:
      greenhouse: {base_url: "%[2]s/boards/gh"}
      lever: {base_url: "%[2]s/boards/lv"}
      lever_eu: {base_url: "%[2]s/boards/lveu"}
      ashby: {base_url: "%[2]s/boards/ab"}
      workable: {base_url: "%[2]s/boards/wk"}
      smartrecruiters: {base_url: "%[2]s/boards/sr"}
      recruitee: {base_url: "%[2]s/boards/rc/{token}"}
      teamtailor: {base_url: "%[2]s/boards/tt/{token}"}
      personio: {base_url: "%[2]s/boards/ps/{token}"}
    boards: [{vendor: greenhouse, token: a, employer: A}, {vendor: lever, token: b, employer: B}, {vendor: lever_eu, token: c, employer: C},
      {vendor: ashby, token: d, employer: D}, {vendor: workable, token: e, employer: E}, {vendor: smartrecruiters, token: f, employer: F},
      {vendor: recruitee, token: g, employer: G}, {vendor: teamtailor, token: h, employer: H}, {vendor: personio, token: i, employer: I}]
  find_an_apprenticeship: {base_url: "%[2]s/faa"}
  dfe_apprenticeships: {base_url: "%[2]s/ees", data_sets: [{id: %[3]s, metric: apprenticeship_starts, covers: full_year}]}
  ons_geography: {base_url: "%[2]s/ons", services: [{service: LAD, areas: [council]}, {service: EDGES, boundaries: council}]}
  ons_soc2020: {files: [{id: structure, kind: structure, url: "%[2]s/soc/structure.csv"}, {id: titles, kind: related_titles, url: "%[2]s/soc/titles.csv"}, {id: index, kind: coding_index, url: "%[2]s/soc/index.csv"}]}
  skills_england: {publications: [{id: p, kind: priority_occupations, unit: people, edition: "2025", published: 2025-08-12, region: K02000001, reuse: open, url: "%[2]s/england/priority.csv"}]}
  dfe_occupations_in_demand: {publications: [{id: d, kind: occupations_in_demand, edition: "2025", published: 2025-08-12, region: K02000001, reuse: open, url: "%[2]s/demand/demand.csv"}]}
  skills_imperative_2035: {publications: [{id: o, kind: projections, edition: "2025", published: 2025-08-12, region: K02000001, reuse: unconfirmed, url: "%[2]s/imperative/projections.csv"}]}
  bls_employment_projections: {base_url: "%[2]s/bls", projections: {url: "%[2]s/bls/tool.csv", published: "2025-08-28"}, series: [{id: XXS1, title: Made-up rate, unit: per cent}]}
  labour_market_news:
    feeds:
      - {id: rss, url: "%[2]s/rss/rss.xml", publisher: Office, licence: "Open Government Licence v3.0", attribution_statement: "Source: Office.", may_summarise: true}
      - {id: atom, url: "%[2]s/atom/atom.xml", publisher: Institute, licence: "Open Government Licence v3.0", attribution_statement: "Source: Institute.", may_summarise: true}
  local_skills_plans: {plans: [{id: shire, file: "%[2]s/plan/plan.csv", title: Plan, publisher: Chamber, region: E69000039, published: 2025-08-01, licence: All rights reserved, attribution_statement: "Source: Chamber.", link: "https://chamber.example/plan"}]}
`

// keyOf is the source of each first step of an address.
var keyOf = map[string]string{"boards": "employer_boards", "faa": "find_an_apprenticeship",
	"ees": "dfe_apprenticeships", "ons": "ons_geography",
	"soc": "ons_soc2020", "england": "skills_england", "demand": "dfe_occupations_in_demand",
	"imperative": "skills_imperative_2035",
	"bls":        "bls_employment_projections", "rss": "news_rss", "atom": "news_atom", "plan": "plan_shire"}

// listing holds the sources whose past extracts are also read.
var listing = map[string]bool{"employer_boards": true, "find_an_apprenticeship": true, "news_rss": true,
	"news_atom": true}

// hostile is a world of every connector whose publishers send what is drawn.
type hostile struct {
	small   *small
	healthy http.Handler
	damage  map[string]func([]byte) []byte // by first step of the address
	// what describes a file of statistics is left as it is, so that the file is read
	spared bool
	server *httptest.Server
	sent   int
}

// sampleOf is a sample of a connector.
func sampleOf(t testing.TB, connector, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "sources", connector, "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newHostile(t *testing.T) *hostile {
	h := &hostile{small: newSmall(t)}
	mux := http.NewServeMux()
	files := map[string][2]string{
		"/boards/gh/": {"employerboards", "greenhouse.json"}, "/boards/lv/": {"employerboards", "lever.json"},
		"/boards/lveu/": {"employerboards", "lever_eu.json"},
		"/boards/ab/":   {"employerboards", "ashby.json"}, "/boards/wk/": {"employerboards", "workable.json"},
		"/boards/rc/": {"employerboards", "recruitee.json"},
		"/boards/tt/": {"employerboards", "teamtailor.json"}, "/boards/ps/": {"employerboards", "personio.xml"},
		"/boards/sr/v1/companies/f/postings":  {"employerboards", "smartrecruiters.json"},
		"/boards/sr/v1/companies/f/postings/": {"employerboards", "smartrecruiters_posting.json"},
		"/soc/structure.csv":                  {"onsoccupations", "structure.csv"},
		"/soc/titles.csv":                     {"onsoccupations", "titles.csv"},
		"/soc/index.csv":                      {"onsoccupations", "index.csv"},
		"/england/":                           {"skillsprojections", "priority.csv"},
		"/demand/":                            {"skillsprojections", "demand.csv"},
		"/imperative/":                        {"skillsprojections", "projections.csv"},
		"/bls/tool.csv":                       {"blsprojections", "tool.csv"},
		"/bls/timeseries/":                    {"blsprojections", "series.json"},
		"/rss/":                               {"newsfeeds", "rss.xml"}, "/atom/": {"newsfeeds", "atom.xml"},
		"/plan/": {"skillsplans", "plan.csv"},
	}
	for path, file := range files {
		body := sampleOf(t, file[0], file[1])
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { w.Write(body) })
	}
	pages := [][]byte{sampleOf(t, "findanapprenticeship", "page1.json"),
		sampleOf(t, "findanapprenticeship", "page2.json")}
	mux.HandleFunc("/faa/", func(w http.ResponseWriter, r *http.Request) {
		n := strings.Count("12", r.URL.Query().Get("PageNumber")) * strings.Index("12", r.URL.Query().Get("PageNumber"))
		w.Write(pages[n])
	})
	csv := "time_period,time_identifier,geographic_level,country_code,region_code,starts,region_name\n" +
		"202425,Academic year,National,E92000001,,1100,\n"
	for i, name := range []string{"North East", "North West", "Yorkshire and The Humber", "East Midlands",
		"West Midlands", "East of England"} {
		csv += fmt.Sprintf("202425,Academic year,Regional,E92000001,E1200000%d,%d,%s\n", i+1, 100*(i+1),
			strings.Repeat(name+" and ", 12)+name)
	}
	mux.Handle("/ees/", fakepublishers.NewEducationStatistics(fakepublishers.EducationDataSet{ID: dataSet,
		Title: "Starts", Version: "1.0",
		CSV: []byte(csv), Uncompressed: true}))
	square := json.RawMessage(
		`{"type":"Polygon","coordinates":[[[-0.2,51.5],[-0.1,51.5],[-0.1,51.6],[-0.2,51.6],[-0.2,51.5]]]}`)
	councils := []map[string]any{{"LAD25CD": "E09000007", "LAD25NM": "Camden"},
		{"LAD25CD": "E09000012", "LAD25NM": "Hackney"}}
	mux.Handle("/ons/", http.StripPrefix("/ons", fakepublishers.NewArcGIS(map[string]fakepublishers.ArcGISTable{
		"LAD":   {Rows: councils},
		"EDGES": {Rows: slices.Clone(councils), Geometry: []json.RawMessage{square, square}}})))
	h.healthy = mux
	h.server = httptest.NewServer(h)
	t.Cleanup(h.server.Close)
	return h
}

// ServeHTTP sends what the publishers send, damaged as drawn.
func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	whole := httptest.NewRecorder()
	r.Header.Del("Accept-Encoding")
	h.healthy.ServeHTTP(whole, r)
	body := whole.Body.Bytes()
	described := h.spared && strings.HasPrefix(r.URL.Path, "/ees/") && !strings.HasSuffix(r.URL.Path, "/csv")
	if damage := h.damage[strings.Split(r.URL.Path, "/")[1]]; damage != nil && !described {
		body = damage(body)
		h.sent++
	}
	w.WriteHeader(whole.Code)
	w.Write(body)
}

// run runs the pipeline on the world as it is, on the next day.
func (h *hostile) run(t *testing.T) Result {
	t.Helper()
	s := h.small
	feed := t.TempDir()
	for name, lines := range s.feed {
		if err := os.WriteFile(filepath.Join(feed, name), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Parse(fmt.Appendf(nil, hostileConfig, feed, h.server.URL, dataSet))
	if err != nil {
		t.Fatal(err)
	}
	result, err := Run(context.Background(), Options{Config: c, DataDir: s.data, AsOf: sources.DateOf(s.clock),
		Now: func() time.Time { return s.clock },
		Log: slog.New(slog.DiscardHandler), ToolVersion: "test", DownloadAttempts: 1,
		LookupSecret: func(name string) (string, bool) {
			return "key", name != secrets.ManifestKeyName && name != secrets.RoundingSecretName
		}})
	if err != nil {
		var refused *RefusedError
		if errors.As(err, &refused) {
			t.Fatalf("refused: %v", refused)
		}
		t.Fatal(err)
	}
	s.clock = s.clock.AddDate(0, 0, 1)
	return result
}

// records are those that were read of each source, without people, who are read once a week.
func records(r *report.Report) map[string]int64 {
	found := map[string]int64{}
	for _, s := range r.Sources {
		found[s.Source] = s.Records
	}
	return found
}

// TestHostilePublishers sends what is drawn through every connector up to the sealed tables: no run
// fails, every source that is left alone is published whole, and no table holds what a page or a
// store cannot. With LABOUR_LONG it draws more.
func TestHostilePublishers(t *testing.T) {
	runs := 4
	if os.Getenv("LABOUR_LONG") != "" {
		runs = 80
	}
	h := newHostile(t)
	healthy := records(h.run(t).Report)
	for _, key := range keyOf {
		if healthy[key] == 0 {
			t.Fatalf("nothing was read of %s: %v", key, healthy)
		}
	}
	begun := time.Now()
	for i := range runs {
		h.damage, h.spared = map[string]func([]byte) []byte{}, i < len(known)
		for n, step := range slices.Sorted(maps.Keys(keyOf)) {
			switch {
			case (i+n)%4 == 3: // each in its turn is left alone
			case i < len(known):
				h.damage[step] = behind(known[i])
			default:
				h.damage[step] = drawn.Example(1000*i + n)
			}
		}
		result := h.run(t)
		got := records(result.Report)
		for step, key := range keyOf {
			if h.damage[step] == nil && got[key] != healthy[key] && !(listing[key] && got[key] > healthy[key]) {
				t.Errorf("run %d: %d records of %s, which sends what it always sends, want %d", i, got[key], key,
					healthy[key])
			}
		}
		if got["platform"] != healthy["platform"] {
			t.Errorf("run %d: %d records of the platform, want %d", i, got["platform"], healthy["platform"])
		}
		checkTexts(t, h.small.data, string(result.ID))
	}
	t.Logf("%d connectors and vendors, %d runs, %d damaged answers, %s", len(keyOf)+8, runs, h.sent,
		time.Since(begun).Round(time.Second))
}

// unreadable are the characters that stand in no table: control characters, marks that turn the
// direction of writing, and what stands for bytes that were no text.
const unreadable = `[\x{00}-\x{08}\x{0b}\x{0c}\x{0e}-\x{1f}\x{7f}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{fffd}]`

// checkTexts looks through every text of every table of a snapshot.
func checkTexts(t *testing.T, data, id string) {
	t.Helper()
	d, err := duckdb.Open(t.Context(), engine.Limits{MemoryMB: 500, TempDir: t.TempDir(), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	files, err := filepath.Glob(filepath.Join(data, "snapshots", id, "*", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d tables in %s: %v", len(files), id, err)
	}
	for _, file := range files {
		columns, err := d.Query(t.Context(), "SELECT column_name FROM (DESCRIBE FROM read_parquet('"+file+
			"')) WHERE column_type = 'VARCHAR'")
		if err != nil {
			t.Fatal(err)
		}
		var tests []string
		for columns.Next() {
			var name string
			if err := columns.Scan(&name); err != nil {
				t.Fatal(err)
			}
			tests = append(tests, `regexp_matches("`+name+`", '`+unreadable+`')`)
		}
		if err := columns.Err(); err != nil || len(tests) == 0 {
			continue
		}
		var rows int64
		if err := d.QueryRow(t.Context(), "SELECT count(*) FROM read_parquet('"+file+"') WHERE "+strings.Join(tests, " OR "),
			&rows); err != nil || rows > 0 {
			t.Errorf("%d rows of %s hold what cannot be read: %v", rows, filepath.Base(file), err)
		}
	}
}
