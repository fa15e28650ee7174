package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/corrections"
	"labour/pipeline/options"
	"labour/pipeline/previous"
	"labour/pipeline/rebuild"
	"labour/pipeline/secrets"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// light makes a light snapshot, an hour later.
func (s *small) light() Result {
	s.t.Helper()
	s.clock = s.clock.Add(time.Hour)
	asked := s.asked.Load()
	r, err := s.runOnly(options.OnlyPlatform)
	if err != nil {
		s.t.Fatal(err)
	}
	if now := s.asked.Load(); now != asked {
		s.t.Errorf("%d requests to other publishers", now-asked)
	}
	return r
}

func (s *small) store() *store.Store {
	s.t.Helper()
	store, err := store.Open(s.data)
	if err != nil {
		s.t.Fatal(err)
	}
	return store
}

func (s *small) manifest(r Result) snapshots.Manifest {
	s.t.Helper()
	m, err := s.store().Manifest(r.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// named are the hashes of the archived bodies, by the names that a manifest gives those of the platform.
func (s *small) named(m snapshots.Manifest) map[string]string {
	s.t.Helper()
	key, err := secrets.ManifestKey(s.data, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	named := map[string]string{}
	for _, in := range m.Inputs {
		for _, o := range in.Objects {
			for file := range bodies(s.t, s.data) {
				sum := strings.TrimSuffix(filepath.Base(file), ".zst")
				named[key.FileHash(m.ID, in.FetchedAt, o.Name, sum)] = sum
			}
		}
	}
	return named
}

// rowsText is a table as text.
func (s *small) rowsText(r Result, table snapshots.Table) string {
	s.t.Helper()
	var columns []string
	for _, c := range table.Columns {
		columns = append(columns, c.Name)
	}
	var out strings.Builder
	file := snapshots.JoinPath(s.store().SnapshotDir(r.ID), snapshots.TableFileName(table.Name))
	for values, err := range parquetio.ScanColumns(file, columns) {
		if err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprintln(&out, values)
	}
	return out.String()
}

// change makes another feed of the same boroughs.
func (s *small) change(n int) {
	s.feed["adverts.ndjson"] += advertLine(fmt.Sprintf("new-%d", n), "")
	s.feed["events.ndjson"] += fmt.Sprintf(`{"id":"ev-%[1]d","type":"click.recorded","occurred_at":"2026-11-19T%02[1]d:00:00Z","borough":"camden"}
{"id":"ap-%[1]d","type":"application.created","occurred_at":"2026-11-19T%02[1]d:00:00Z","partner":"north","borough":"camden"}
`, n)
	s.feed["pathways.ndjson"] += fmt.Sprintf(
		`{"id":"pw-%[1]d","slug":"p%[1]d","title":"P","sector":"digital","updated_on":"2026-01-02","steps":[{"order":1,"title":"first"}],"apprenticeship_standards":[{"code":"ST1","title":"One","level":2}]}`+"\n", n)
	s.feed["s106.ndjson"] += fmt.Sprintf(
		`{"id":"site-%d","borough":"camden","obligations":2,"jobs_created":3,"apprenticeships_started":4,"local_people_employed":30,"training_places":5,"contributions_gbp":6}`+"\n", n)
}

// What rests on the feed is as a whole run would make it; everything else is the
// same file as before; the snapshot is sound, chained, and can be made again.
func TestLightSnapshot(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	s.corrections = []corrections.Correction{titleCorrection("ad-1", "Care assistant", "Care worker"),
		titleCorrection("ad-99", "A", "B")}
	s.change(1)
	whole, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	s.clock = s.clock.Add(-time.Hour) // the first is of the second of the whole one
	var lights []Result
	for n := 2; n < 4; n++ {
		s.change(n)
		lights = append(lights, s.light())
	}
	last := lights[1]
	before, between, after := s.manifest(whole), s.manifest(lights[0]), s.manifest(last)
	for _, f := range after.Tables {
		was, _ := before.Table(f.Name)
		if same := was.SHA256 == f.SHA256; same == slices.Contains(made(), f.Name) {
			t.Errorf("table %s: the same bytes: %t", f.Name, same)
		}
	}
	if after.Previous == nil || after.Previous.ID != between.ID || between.Previous.ID != before.ID {
		t.Errorf("previous are %v and %v", after.Previous, between.Previous)
	}
	if n := len(after.Inputs); n != len(before.Inputs)+1 || len(between.Inputs) != n {
		t.Errorf("%d inputs, after %d and %d", n, len(before.Inputs), len(between.Inputs))
	}
	report, err := verify.VerifyDir(context.Background(), s.store().SnapshotDir(last.ID), verify.Options{})
	if err != nil || !report.HasNoFaults() {
		t.Errorf("verify: %v, %v", err, report.Err())
	}
	if tables, err := Rebuild(context.Background(), *s.last, lights[0].ID); err != nil ||
		slices.ContainsFunc(tables, func(r rebuild.Result) bool { return !r.Equal() }) {
		t.Errorf("rebuilt the first: %v, %v", err, tables)
	}
	tables, err := Rebuild(context.Background(), *s.last, last.ID)
	if err != nil || len(tables) != len(after.Tables)+len(snapshots.EmbargoedDatasets())+1 /* the partner's events */ || slices.ContainsFunc(tables, func(r rebuild.Result) bool { return !r.Equal() }) {
		t.Errorf("rebuilt: %v, %v", err, tables)
	}
	again, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.events(last), s.events(again); len(got) != 6 || !slices.Equal(got, want) {
		t.Errorf("events are %v, a whole run makes %v", got, want)
	}
	for _, name := range made() {
		table, _ := snapshots.FindTable(name)
		if got, want := s.rowsText(last, table), s.rowsText(again, table); got != want && name != "freshness" {
			t.Errorf("table %s is\n%s\na whole run makes\n%s", name, got, want)
		}
	}
}

// The snapshot whose tables were taken over may be removed; what shares its files
// stays sealed and whole.
func TestLightSnapshotOutlivesItsBase(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	whole, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	light := s.light()
	if err := s.store().Remove(context.Background(), whole.ID); err != nil {
		t.Fatal(err)
	}
	report, err := verify.VerifyDir(context.Background(), s.store().SnapshotDir(light.ID), verify.Options{})
	if err != nil || !report.HasNoFaults() {
		t.Errorf("verify: %v, %v", err, report.Err())
	}
	info, err := os.Stat(snapshots.JoinPath(s.store().SnapshotDir(light.ID), snapshots.TableFileName("adverts")))
	if err != nil || info.Mode().Perm()&0o222 != 0 {
		t.Errorf("a shared file may be written to: %v, %v", info.Mode(), err)
	}
	if next := s.manifest(s.light()); next.Previous.ID != light.ID {
		t.Errorf("the next one follows %v", next.Previous)
	}
}

// A light run takes nothing of the files that it does not read: they stay as the last
// whole run fetched them, and the next whole run fetches them.
func TestLightFetchesWhatItReads(t *testing.T) {
	s := newSmall(t)
	whole, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	sums := func(r Result) map[string]string {
		out := map[string]string{}
		m := s.manifest(r)
		named := s.named(m)
		for _, in := range m.Inputs {
			for _, o := range in.Objects {
				if in.Source == options.OnlyPlatform { // of several the newest is the last
					out[o.Name] = named[o.HashInManifest()]
				}
			}
		}
		return out
	}
	before := sums(whole)
	s.feed["residents.ndjson"] = `{"id":"r-2","borough":"camden","seeking_work":true}` + "\n"
	s.change(1)
	light := sums(s.light())
	if light["residents.ndjson"] != before["residents.ndjson"] || light["applications.ndjson"] == "" ||
		light["adverts.ndjson"] == before["adverts.ndjson"] {
		t.Errorf("a light run fetched %v; before it there were %v", light, before)
	}
	again, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	if sums(again)["residents.ndjson"] == before["residents.ndjson"] {
		t.Error("the next whole run did not fetch the residents")
	}
}

// Jobs that other configured sources delivered stay as they were.
func TestLightKeepsTheJobsOfOthers(t *testing.T) {
	s := newSmall(t)
	s.vacancies = []int{} // the apprenticeship service is configured
	asOf := "2026-11-19"
	c := snaptest.DefaultContent(t, asOf)
	c.Places, c.PlaceMembers, c.Corrections = nil, nil, nil
	for _, b := range []string{"camden E09000007 Camden", "hackney E09000012 Hackney"} {
		f := strings.Fields(b)
		c.Places = append(c.Places, snapshots.PlacesRow{Place: f[0], Code: f[1], Name: f[2],
			AreaKind: snapshots.AreaKindBorough})
	}
	c.PlatformName = "Small Works"
	base := Result{ID: snaptest.BuildSnapshot(t, s.data, asOf, c)}
	others := func(r Result) (ids []string) {
		for _, j := range rowsOf[snapshots.JobsRow](s, r, "jobs") {
			if !strings.HasPrefix(j.ID, "platform:") {
				ids = append(ids, j.ID)
			}
		}
		return ids
	}
	s.last = nil
	_, err := s.runOnly(options.OnlyPlatform)
	var refused *RefusedError // made-up tables hold places that are not those of the feed
	if err != nil && !errors.As(err, &refused) {
		t.Fatal(err)
	}
	ids, err := s.store().List(context.Background())
	if err != nil || len(ids) != 2 {
		t.Fatalf("%d snapshots, %v", len(ids), err)
	}
	light := Result{ID: ids[0].ID}
	if light.ID == base.ID {
		light.ID = ids[1].ID
	}
	if got, want := others(light), others(base); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("jobs of others: %v, want %v", got, want)
	}
	if n := len(rowsOf[snapshots.JobsRow](s, light, "jobs")) - len(others(light)); n != 9 {
		t.Errorf("%d jobs of the platform, want the 9 of the feed", n)
	}
}

func titleCorrection(advert, old, fresh string) corrections.Correction {
	return corrections.Correction{Source: "platform", Kind: "advert", Record: advert, Field: "title", Old: old,
		New:    fresh,
		Reason: "misspelt", DecidedBy: "the editors", DecidedDay: "2026-11-01"}
}

// Where other tables rest on what changed, nothing is made.
func TestAWholeRunIsDue(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	if _, err := s.runOnly(options.OnlyPlatform); !errors.Is(err, previous.ErrWholeRunNeeded) {
		t.Errorf("without a snapshot: %v", err)
	}
	whole, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	s.feed["boroughs.ndjson"] += `{"slug":"islington","name":"Islington","code":"E09000019"}` + "\n"
	if _, err := s.runOnly(options.OnlyPlatform); !errors.Is(err, previous.ErrWholeRunNeeded) {
		t.Errorf("with another borough: %v", err)
	}
	boroughs := s.feed["boroughs.ndjson"]
	s.feed["boroughs.ndjson"] = strings.Join(strings.SplitAfter(boroughs, "\n")[:2], "")
	s.corrections = []corrections.Correction{titleCorrection("ad-1", "Care assistant", "Care worker")}
	if _, err := s.runOnly(options.OnlyPlatform); !errors.Is(err, previous.ErrWholeRunNeeded) ||
		!strings.Contains(err.Error(), "corrections") {
		t.Errorf("with another correction: %v", err)
	}
	if _, err := s.runOnly("employer_boards"); err == nil {
		t.Error("another source was read alone")
	}
	if id, err := s.store().Current(); err != nil || id != whole.ID {
		t.Errorf("current is %s, %v", id, err)
	}
}

// TestRefusedWholeRunStopsNothing: while a check refuses the whole runs, events and new jobs of the
// platform flow in light ones, which keep the date of the last whole run.
func TestRefusedWholeRunStopsNothing(t *testing.T) {
	for name, refuse := range map[string]string{
		"a table under its floor":  "checks: {tables: {course_demand: {min_rows: 100}}}\n",
		"a source under its floor": "drift: {dfe_apprenticeships: {min_records: 100}}\n",
	} {
		s := newSmall(t)
		first := s.run() // 19 November
		s.drift = refuse
		s.feed["events.ndjson"] = `{"id":"ev-1","type":"click.recorded","occurred_at":"2026-11-20T05:00:00Z","borough":"camden"}` + "\n" +
			`{"id":"ev-2","type":"click.recorded","occurred_at":"2026-11-20T23:00:00Z","borough":"camden"}` + "\n"
		s.feed["adverts.ndjson"] += advertLine("new", `"posted_on":"2026-11-20"`)
		var refused *RefusedError
		if _, err := s.runOnly(""); !errors.As(err, &refused) {
			t.Fatalf("%s: the whole run is not refused: %v", name, err)
		}
		light := s.light()
		if m := s.manifest(light); m.AsOf.String() != s.manifest(first).AsOf.String() {
			t.Errorf("%s: the light snapshot describes %s", name, m.AsOf)
		}
		if got := strings.Join(s.events(light), " "); !strings.Contains(got, "ev-1") || strings.Contains(got, "ev-2") {
			t.Errorf("%s: events %s", name, got)
		}
		found := slices.ContainsFunc(rowsOf[snapshots.JobsRow](s, light, "jobs"),
			func(j snapshots.JobsRow) bool { return j.ID == "platform:new" })
		if !found {
			t.Errorf("%s: the job of the day is not shown", name)
		}
	}
}
