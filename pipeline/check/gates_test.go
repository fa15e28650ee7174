package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/check/limits"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

var defaults = limits.Checks{MaxShrinkPct: 50, MaxGrowthPct: 900, MaxRevisedPct: 50, MaxFaultyPct: 25}

// councils are the sample's areas and n more; the first welsh of these have a Welsh name.
func councils(t *testing.T, asOf string, n, welsh int) snaptest.Content {
	c := snaptest.DefaultContent(t, asOf)
	for i := range n {
		row := snapshots.RegionsRow{Code: fmt.Sprintf("E07%06d", i), Name: fmt.Sprintf("Council %d", i),
			Kind: "council", SourceKey: "ons_geography"}
		if i < welsh {
			row.NameWelsh = new("Cyngor")
		}
		c.Regions = append(c.Regions, row)
	}
	return c
}

// checksOf are the checks that refuse, with what they are of.
func checksOf(faults []Fault) []string {
	all := []string{}
	for _, f := range UnacknowledgedFaults(faults) {
		all = append(all, f.Check+" "+f.Subject)
	}
	return all
}

// TestGatesOfSuccession seals a snapshot that breaks each gate, after one that is sound.
func TestGatesOfSuccession(t *testing.T) {
	const first, second = "2026-11-19", "2026-11-20"
	last := snapshots.SourcesRow{Key: "zz_board", Publisher: "A board", Title: "A board", Kind: "board",
		Licence: "OGL-UK-3.0",
		Link:    "https://board.example", AttributionStatement: "Source: A board.", Cadence: "daily", Rows: 1}
	plain, withBoard := councils(t, first, 150, 0), councils(t, first, 150, 0)
	withBoard.Sources = append(withBoard.Sources, last)
	emptied, none := councils(t, second, 150, 0), last
	none.Rows = 0
	emptied.Sources = append(emptied.Sources, none)
	other := councils(t, second, 150, 0)
	other.PlatformName = "Other Works"
	root := t.TempDir()
	published := func(c snaptest.Content) snapshots.ID { return snaptest.BuildSnapshot(t, root, first, c) }
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	var before snapshots.ID
	for _, c := range []struct {
		name   string
		before *snaptest.Content // published first; nil = as for the case above
		asOf   string
		after  snaptest.Content
		want   []string
	}{
		{"the same", &plain, second, councils(t, second, 150, 0), nil},
		{"half read otherwise", nil, second, councils(t, second, 150, 82), nil},
		{"more read otherwise", nil, second, councils(t, second, 150, 83), []string{"revised regions"}},
		{"shrinks", nil, second, councils(t, second, 67, 0), []string{"shrink regions"}},
		{"grows", nil, second, councils(t, second, 1627, 0), []string{"growth regions"}},
		{"another platform", nil, second, other, []string{"platform "}},
		{"goes back", nil, "2026-11-18", councils(t, "2026-11-18", 150, 0), []string{"date "}},
		{"a source was read, and has no records today", &withBoard, second, emptied, nil},
		{"a source is gone", nil, second, councils(t, second, 150, 0), []string{"lost_source zz_board"}},
	} {
		if c.before != nil {
			before = published(*c.before)
		}
		t.Run(c.name, func(t *testing.T) {
			after := snaptest.SealSnapshot(t, root, c.asOf, c.after)
			faults, err := FindSuccessionFaults(context.Background(), store.SnapshotDir(before), store.SnapshotDir(after),
				defaults)
			// A sample of another day may differ in its dated tables; the gates of these are not meant.
			got := slices.DeleteFunc(checksOf(faults), func(s string) bool { return s == "revised evidence" })
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%q, %v; want %q; %v", got, err, c.want, faults)
			}
		})
	}
}

// TestJobsAreReadOnlyAfterAFall: a light run is made every minute, so its jobs are read only if their
// number fell too much. Then jobs that cannot be read are an error.
func TestJobsAreReadOnlyAfterAFall(t *testing.T) {
	dir := t.TempDir() // has no table and no report
	jobs := func(rows int64) snapshots.Manifest {
		return snapshots.Manifest{Tables: []snapshots.TableFile{{Name: "jobs", Rows: rows}}}
	}
	if faults, err := sizeFaults(dir, dir, jobs(100), jobs(50), defaults); err != nil || len(faults) > 0 {
		t.Errorf("a fall within the limit: %v, %v", faults, err)
	}
	if _, err := sizeFaults(dir, dir, jobs(100), jobs(49), defaults); err == nil {
		t.Error("after a fall, jobs that cannot be read are no error")
	}
}

// TestJobsThatALightRunLeavesOut are all those of a source that it has no job of, except the
// platform, which it reads.
func TestJobsThatALightRunLeavesOut(t *testing.T) {
	root := t.TempDir()
	folder, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	sealed := func(only string, ids ...string) string {
		c := snaptest.DefaultContent(t, "2026-11-20")
		c.Jobs = nil
		for _, id := range ids {
			source, _, _ := strings.Cut(id, ":")
			c.Jobs = append(c.Jobs, snapshots.JobsRow{ID: id, Type: "job", SourceKey: source})
		}
		dir := copied(t, folder.SnapshotDir(snaptest.SealSnapshot(t, root, "2026-11-20", c)))
		text := fmt.Sprintf(`{"only": %q}`, only)
		if err := os.WriteFile(filepath.Join(dir, snapshots.ReportFileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	const board, faa = "employer_boards:", "find_an_apprenticeship:"
	before := sealed("", "platform:1", "platform:2", board+"1", board+"2", board+"3", faa+"1", faa+"2")
	for want, after := range map[int64]string{
		0: sealed("platform", board+"1", faa+"1"), 3: sealed("platform", "platform:1", faa+"1"), 5: sealed("platform"),
	} {
		if got, err := jobsLeftOut(before, after); err != nil || got != want {
			t.Errorf("%d jobs are left out, %v; want %d", got, err, want)
		}
	}
	if got, err := jobsLeftOut(before, sealed("")); err != nil || got != 0 {
		t.Errorf("a whole run leaves out %d jobs, %v", got, err)
	}
}

// TestSourceThatIsListedOnly: a source that is not configured any more is gone, though it is
// listed for adverts of it that the platform imported.
func TestSourceThatIsListedOnly(t *testing.T) {
	root := t.TempDir()
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	const of = "ons_geography"
	sealed := func(asOf string, rows int64) string {
		c := snaptest.DefaultContent(t, asOf)
		for i := range c.Sources {
			if c.Sources[i].Key == of {
				c.Sources[i].Rows = rows
			}
		}
		return store.SnapshotDir(snaptest.SealSnapshot(t, root, asOf, c))
	}
	before, after := sealed("2026-11-19", 1), sealed("2026-11-20", 0)
	next, _, err := snapshots.ReadManifest(after)
	if err != nil {
		t.Fatal(err)
	}
	for _, configured := range []bool{true, false} {
		if !configured {
			next.Inputs = slices.DeleteFunc(next.Inputs, func(in snapshots.ArchivedFetch) bool { return in.Source == of })
		}
		lost, err := lostSources(before, after, next)
		if gone := slices.Contains(checksOf(lost), "lost_source "+of); err != nil || gone == configured {
			t.Errorf("configured %t: %v, %v", configured, lost, err)
		}
	}
	if lost, err := lostSources(before, before, next); err != nil || slices.Contains(checksOf(lost), "lost_source "+of) {
		t.Errorf("a source of one record that was not read again: %v, %v", lost, err)
	}
	if lost, err := lostSources(after, after, next); err != nil || slices.Contains(checksOf(lost), "lost_source "+of) {
		t.Errorf("a source that had no records before either: %v, %v", lost, err)
	}
}

// TestGatesOfSoundness: what verify finds is excused by nothing, and a table under its
// floor by an exception that the manifest lists.
func TestGatesOfSoundness(t *testing.T) {
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	judged := func(l limits.Checks) []string {
		t.Helper()
		faults, err := FindFaults(context.Background(), store, id, l)
		if err != nil {
			t.Fatal(err)
		}
		return checksOf(faults)
	}
	if got := judged(defaults); len(got) != 0 {
		t.Errorf("a sound snapshot: %q", got)
	}
	floor := defaults
	floor.PerTable = map[string]limits.Table{"skills": {MinRows: 7}}
	floor.PerSource = map[string]limits.Source{"platform": {MinRecords: 1}}
	if got := judged(floor); !slices.Equal(got, []string{"min_rows skills", "records platform"}) {
		t.Errorf("under two floors: %q", got)
	}
	file := snapshots.JoinPath(store.SnapshotDir(id), snapshots.TableFileName("skills"))
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := judged(floor)
	if len(got) == 0 || slices.Contains(limits.ExcusableChecks(), limits.CheckVerify) ||
		slices.ContainsFunc(got, func(s string) bool { return s[:len(limits.CheckVerify)] != limits.CheckVerify }) {
		t.Errorf("a damaged file: %q", got)
	}
}

// TestFaultyRecords: a quarter of the records may be faulty, not more; of few, all. The faulty
// ones are records too: a source with hardly any usable record is not a small source. Adverts that
// only older fetches list do not make the faults of the newest one fewer.
func TestFaultyRecords(t *testing.T) {
	for _, c := range []struct {
		past, newest, faults int
		want                 []string
	}{
		{0, 750, 250, []string{}}, {0, 749, 251, []string{"faulty boards"}}, {0, 49, 50, []string{}},
		{0, 0, 99, []string{}}, {0, 50, 50, []string{"faulty boards"}}, {0, 2, 500, []string{"faulty boards"}},
		{900, 750, 250, []string{}}, {900, 749, 251, []string{"faulty boards"}},
	} {
		dir := t.TempDir()
		text := fmt.Sprintf(`{"sources": [{"source": "boards", "records": %d, "faults": {"schema": %d},
			"past_records": %d}]}`, c.past+c.newest, c.faults, c.past)
		if err := os.WriteFile(filepath.Join(dir, snapshots.ReportFileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		faults, err := checkReport(dir, defaults)
		if got := checksOf(faults); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %q, %v", c.faults, c.newest, got, err)
		}
	}
}

// TestFaultyRecordsThatAreUsed: a record that is used although it has a fault is counted once in the
// number of all records. An application of an unknown resident is one.
func TestFaultyRecordsThatAreUsed(t *testing.T) {
	for faults, want := range map[int][]string{30: {}, 31: {"faulty platform"}} {
		dir := t.TempDir()
		text := fmt.Sprintf(`{"sources": [{"source": "platform", "records": 120,
			"faults": {"unknown_reference": %d}}]}`, faults)
		if err := os.WriteFile(filepath.Join(dir, snapshots.ReportFileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := checkReport(dir, defaults)
		if got := checksOf(found); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d of 120: %q, %v", faults, got, err)
		}
	}
}

// TestUnusedExceptions: an exception that matches no fault is found, and no other.
func TestUnusedExceptions(t *testing.T) {
	list := []snapshots.Exception{{Check: limits.CheckTableShrink, Subject: "adverts"},
		{Check: limits.CheckTableShrink, Subject: "regions"},
		{Check: limits.CheckPlatformName}}
	got := UnusedExceptions(list, []Fault{{Check: limits.CheckTableShrink, Subject: "adverts"},
		{Check: limits.CheckTableGrowth, Subject: "regions"}})
	if len(got) != 2 || got[0].Subject != "regions" || got[1].Check != limits.CheckPlatformName || len(list) != 3 ||
		list[0].Subject != "adverts" {
		t.Errorf("%v of %v", got, list)
	}
}

// TestRevisedIsOfCommonRows: of the rows that both snapshots have, more than half changed. Rows that were
// added do not count.
func TestRevisedIsOfCommonRows(t *testing.T) {
	const first, second = "2026-11-19", "2026-11-20"
	root := t.TempDir()
	before := snaptest.BuildSnapshot(t, root, first, councils(t, first, 150, 0))
	after := snaptest.SealSnapshot(t, root, second, councils(t, second, 400, 90))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := FindSuccessionFaults(context.Background(), store.SnapshotDir(before), store.SnapshotDir(after),
		defaults)
	if got := checksOf(faults); err != nil || !slices.Contains(got, "revised regions") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestRevisedAgainstWhatIsCurrent: a snapshot that was built on another one than the
// current one is held against the current one all the same.
func TestRevisedAgainstWhatIsCurrent(t *testing.T) {
	const first, second = "2026-11-19", "2026-11-20"
	root := t.TempDir()
	snaptest.BuildSnapshot(t, root, first, councils(t, first, 150, 0))
	after := snaptest.SealSnapshot(t, root, second, councils(t, second, 150, 83))
	current := snaptest.BuildSnapshot(t, root, first, councils(t, first, 150, 0)) // promoted meanwhile
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := FindSuccessionFaults(context.Background(), store.SnapshotDir(current), store.SnapshotDir(after),
		defaults)
	if got := checksOf(faults); err != nil || !slices.Contains(got, "revised regions") {
		t.Errorf("%q, %v", got, err)
	}
}
