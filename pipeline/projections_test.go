package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources"
)

// projectionsConfig configures every source of projections, one of them with unknown
// reuse terms, on the samples of the connectors served under base.
const projectionsConfig = `platform: {name: Mere Works, link: "https://works.example"}
contact: data@works.example
sources:
  skills_england:
    publications:
      - {id: priority, url: "%[1]s/skillsprojections/testdata/priority.csv", kind: priority_occupations, published: 2025-08-12,
         region: K02000001, reuse: open, unit: people}
  dfe_occupations_in_demand:
    publications:
      - {id: demand, url: "%[1]s/skillsprojections/testdata/demand.csv", kind: occupations_in_demand, published: 2024-10-10,
         region: K02000001, reuse: open}
  skills_imperative_2035:
    publications:
      - {id: outlook, url: "%[1]s/skillsprojections/testdata/projections.csv", kind: projections, published: 2023-03-09,
         region: K02000001}
  bls_employment_projections:
    projections: {url: "%[1]s/blsprojections/testdata/table-1-2.csv", published: 2025-08-28}
`

// TestProjectionsReachTheTables runs the pipeline from the publishers' files to the
// tables: agreement is counted within a country and its classification, and what is
// embargoed is in no table, though it was fetched and read.
func TestProjectionsReachTheTables(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join("..", "sources"))))
	defer server.Close()
	c, err := config.Parse(fmt.Appendf(nil, projectionsConfig, server.URL))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 8, 22, 6, 0, 0, 0, time.UTC)
	o := Options{Config: c, DataDir: t.TempDir(), AsOf: sources.DateOf(now), Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler), ToolVersion: "test"}
	result, err := Run(context.Background(), o)
	if err != nil || len(result.FailedSources) != 0 {
		t.Fatalf("%v, failed %v", err, result.FailedSources)
	}
	var got []string
	for _, r := range table[snapshots.SkillsGapsRow](t, o.DataDir, "skills_gaps") {
		got = append(got, fmt.Sprintf("%s %s %s: %d %s", r.Country, r.Classification, r.SOC, r.SourcesAgreeing,
			r.PointingSources))
	}
	want := []string{
		"GB SOC2020 2136: 2 dfe_occupations_in_demand,skills_england",
		"GB SOC2020 5312: 1 skills_england",
		"GB SOC2020 5313: 2 dfe_occupations_in_demand,skills_england",
		"GB SOC2020 5319: 1 skills_england",
		"GB SOC2020 6135: 1 skills_england",
		"US SOC2018-US 19-9001: 1 bls_employment_projections",
		"US SOC2018-US 43-1001: 1 bls_employment_projections",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("skills_gaps:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	of := map[string]int{}
	for _, r := range table[snapshots.EvidenceRow](t, o.DataDir, "evidence") {
		of[r.SourceKey]++
	}
	if fmt.Sprint(of) != "map[bls_employment_projections:4 dfe_occupations_in_demand:4 skills_england:5]" {
		t.Errorf("evidence by source: %v", of)
	}
	checkCredits(t, o.DataDir, "evidence", "bls_employment_projections", "dfe_occupations_in_demand", "skills_england")
	checkCredits(t, o.DataDir, "skills_gaps", "bls_employment_projections", "dfe_occupations_in_demand", "skills_england")
	for _, r := range table[snapshots.SourcesRow](t, o.DataDir, "sources") {
		if r.Key == "skills_imperative_2035" && (r.Rows != 7 || r.Licence != "Not confirmed; embargoed") {
			t.Errorf("the embargoed source was not read, or is said to be open: %+v", r)
		}
	}
}

// checkCredits checks that a file and its entry in the data package credit the sources of its rows,
// and no other source of the same kind.
func checkCredits(t *testing.T, data, name string, want ...string) {
	t.Helper()
	dir := currentDir(t, data)
	var p struct {
		Resources []struct {
			Name    string
			Sources []struct{ Key, Licence string }
		}
	}
	text, err := os.ReadFile(snapshots.JoinPath(dir, snapshots.DataPackageFileName))
	if err := errors.Join(err, json.Unmarshal(text, &p)); err != nil {
		t.Fatal(err)
	}
	about, err := parquetio.ReadFooter(snapshots.TablePath(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Resources {
		if r.Name != name {
			continue
		}
		var keys, licences []string
		for _, s := range r.Sources {
			keys, licences = append(keys, s.Key), append(licences, s.Licence)
		}
		slices.Sort(licences)
		if got := about.Metadata[snapshots.MetaLicence]; !slices.Equal(keys, want) ||
			got != strings.Join(slices.Compact(licences), "\n") {
			t.Errorf("%s is credited to %v, with the licences %q", name, keys, got)
		}
	}
}

// table reads a table of the current snapshot.
func table[T any](t *testing.T, data, name string) []T {
	t.Helper()
	rows, err := parquetio.ReadAll[T](snapshots.TablePath(currentDir(t, data), name))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// currentDir returns the directory of the current snapshot.
func currentDir(t *testing.T, data string) string {
	t.Helper()
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	id, err := store.Current()
	if err != nil {
		t.Fatal(err)
	}
	return store.SnapshotDir(id)
}
