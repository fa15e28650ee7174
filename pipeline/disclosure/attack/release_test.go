package attack

import (
	"context"
	"log/slog"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/config"
	"labour/pipeline/disclosure/synthtest"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources"
)

// secret decides the draws of the worlds.
const secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

// tokens are printed counts by skill and cell: a number, "<5" or "null".
type tokens map[string]map[synthtest.Cell]string

// release is what the attacker reads of one release.
type release struct {
	turnedDown tokens
	// The printed shares in per cent of those who had the skill, by skill.
	hired, turnedDownWith map[string]map[synthtest.Cell]int
	rules                 rules // what the documents say of them
	// begins holds, by skill, the combinations with adverts, and the first quarter with any.
	begins map[string]map[synthtest.Person]int
	areas  map[string][]string
	neighbours
}

// publish makes a release of each quarter by a run of the pipeline, and reads what it prints.
func (w *world) publish(t *testing.T, n int) []release {
	t.Helper()
	dir := t.TempDir()
	list := make([]release, n)
	for q := range list {
		w.writeFeed(t, dir, q)
		list[q] = readRelease(t, runPipeline(t, dir, releasedOn(q)))
	}
	return list
}

// runPipeline makes a whole run and returns the directory of its tables.
func runPipeline(t *testing.T, dir string, now time.Time) string {
	t.Helper()
	c, err := config.Load(filepath.Join(dir, "labour.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	o := pipeline.Options{Config: c, DataDir: filepath.Join(dir, "data"), AsOf: sources.DateOf(now),
		Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler), ToolVersion: "test",
		MemoryMB: 256, Threads: 1, DownloadAttempts: 1,
		LookupSecret: func(name string) (string, bool) { return secret, name == secrets.RoundingSecretName }}
	result, err := pipeline.Run(context.Background(), o)
	if err != nil || len(result.FailedSources) > 0 {
		t.Fatalf("run of %s: %v, failed sources %v", now, err, result.FailedSources)
	}
	store, err := store.Open(o.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	return store.SnapshotDir(result.ID)
}

// rowsOf reads a table of a release.
func rowsOf[T any](t *testing.T, dir, table string) []T {
	t.Helper()
	rows, err := parquetio.ReadAll[T](snapshots.TablePath(dir, table))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func readRelease(t *testing.T, dir string) release {
	t.Helper()
	r := release{turnedDown: tokens{}, rules: documents, begins: map[string]map[synthtest.Person]int{},
		areas: map[string][]string{}, neighbours: readNeighbours(t, dir),
		hired: map[string]map[synthtest.Cell]int{}, turnedDownWith: map[string]map[synthtest.Cell]int{}}
	for _, row := range rowsOf[snapshots.PlaceMembersRow](t, dir, "place_members") {
		r.areas[row.Area] = append(r.areas[row.Area], row.Borough)
	}
	for _, row := range rowsOf[snapshots.PeopleRow](t, dir, "people") {
		c, err := row.Count()
		if err != nil {
			t.Fatal(err)
		}
		cell := synthtest.CellOf(row.Signature, row.Place, row.Value)
		put(r.turnedDown, row.Skill, cell, token(c))
		if row.HiredWithSkillPct != nil {
			put(r.hired, row.Skill, cell, int(*row.HiredWithSkillPct)/10)
		}
		if row.TurnedDownWithSkillPct != nil {
			put(r.turnedDownWith, row.Skill, cell, int(*row.TurnedDownWithSkillPct)/10)
		}
	}
	for _, row := range rowsOf[snapshots.AdvertsRow](t, dir, "adverts") {
		if row.AreaKind == "borough" {
			c := synthtest.Person{Place: row.Place, Sector: row.Sector, SOC: row.SOC, Source: row.Source}
			c.Level = strconv.Itoa(int(row.Level))
			r.begin(row.Skill, c, quarterOf(row.Month))
		}
	}
	return r
}

// begin notes that a combination has adverts that ask for a skill in a quarter.
func (r *release) begin(skill string, c synthtest.Person, quarter int) {
	if r.begins[skill] == nil {
		r.begins[skill] = map[synthtest.Person]int{}
	}
	if was, ok := r.begins[skill][c]; !ok || quarter < was {
		r.begins[skill][c] = quarter
	}
}

func quarterOf(month time.Time) int {
	zero := quarterStart(0)
	months := (month.Year()-zero.Year())*12 + int(month.Month()) - int(zero.Month())
	return (months+12)/3 - 4 // rounded down, before quarter 0 too
}

// token writes a printed count as the attacker reads it.
func token(c figure.Count) string { return c.String() }

func put[T any](of map[string]map[synthtest.Cell]T, skill string, cell synthtest.Cell, printed T) {
	if of[skill] == nil {
		of[skill] = map[synthtest.Cell]T{}
	}
	of[skill][cell] = printed
}

// at returns what is printed of a cell; what has no row is not published.
func (of tokens) at(skill string, cell synthtest.Cell) string {
	if printed, ok := of[skill][cell]; ok {
		return printed
	}
	return "null"
}
