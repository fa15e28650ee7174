package previous

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/servedplaces"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
	"labour/sources"
)

const day = "2026-11-20"

func text(s string) *string { return &s }

// correction is a correction of the made-up snapshot.
func correction(outcome string) snapshots.CorrectionsRow {
	return snapshots.CorrectionsRow{SourceKey: "ons_geography", Kind: "area", Record: "council E09000007", Field: "name",
		Old: text("Camdem"), New: text("Camden"), Reason: "A misprint.", DecidedBy: "Us",
		DecidedOn: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Outcome: outcome}
}

func withdrawal() snapshots.PeopleWithdrawal {
	return snapshots.PeopleWithdrawal{At: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), Skill: "python", By: "Us",
		Reason: "Misread."}
}

// published publishes a snapshot with a correction and a withdrawal, and returns it with the rules
// under which it was made.
func published(t *testing.T) (s *Snapshot, data string, same TableRules) {
	t.Helper()
	data = t.TempDir()
	c := snaptest.DefaultContent(t, day)
	c.Corrections = []snapshots.CorrectionsRow{correction("applied")}
	c.PeopleWithdrawn = []snapshots.PeopleWithdrawal{withdrawal()}
	snaptest.BuildSnapshot(t, data, day, c)
	s, err := OpenCurrent(data)
	if err != nil {
		t.Fatal(err)
	}
	served, err := s.Places()
	if err != nil {
		t.Fatal(err)
	}
	return s, data, TableRules{Served: served, Sources: []sources.Info{{Key: "ons_geography"}},
		Corrections: []snapshots.CorrectionsRow{correction("applied")},
		Withdrawn:   []snapshots.PeopleWithdrawal{withdrawal()}}
}

// TestRulesDiffer: tables are only taken over from a snapshot that has every table and was made for
// the same places, corrections and withdrawals. The result of a correction does not matter, nor
// does a correction of a source that is no longer configured.
func TestRulesDiffer(t *testing.T) {
	s, _, same := published(t)
	for _, c := range []struct {
		want   string // part of the reason; empty = taken over
		change func(*TableRules)
	}{
		{"", func(*TableRules) {}},
		{"", func(r *TableRules) { r.Corrections = []snapshots.CorrectionsRow{correction("no_record")} }},
		{"the corrections are not those", func(r *TableRules) { r.Corrections = nil }},
		{"", func(r *TableRules) { r.Corrections, r.Sources = nil, nil }},
		{"the corrections are not those", func(r *TableRules) {
			other := correction("applied")
			other.New = text("Camden Town")
			r.Corrections = []snapshots.CorrectionsRow{other}
		}},
		{"other figures of people are withdrawn", func(r *TableRules) { r.Withdrawn = nil }},
		{"the boroughs or served areas", func(r *TableRules) {
			r.Served = servedplaces.Places{PlaceRows: r.Served.PlaceRows[1:], MemberRows: r.Served.MemberRows}
		}},
		{"the boroughs or served areas", func(r *TableRules) {
			r.Served = servedplaces.Places{PlaceRows: r.Served.PlaceRows, MemberRows: r.Served.MemberRows[1:]}
		}},
	} {
		rules := same
		c.change(&rules)
		got, err := s.DescribeRuleDifference(rules)
		if err != nil || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
	s.Tables = slices.DeleteFunc(slices.Clone(s.Tables), func(f snapshots.TableFile) bool { return f.Name == "jobs" })
	if got, err := s.DescribeRuleDifference(same); err != nil || !strings.Contains(got, "has no table jobs") {
		t.Errorf("without a table: %q, %v", got, err)
	}
}

// TestUnreadableTablesAreErrors, and never the same rules.
func TestUnreadableTablesAreErrors(t *testing.T) {
	for _, table := range []string{"corrections", "places", "place_members"} {
		s, data, same := published(t)
		snaptest.MakeRemovable(t, data)
		if err := os.WriteFile(s.TablePath(table), []byte("no Parquet"), 0o600); err != nil {
			t.Fatal(err)
		}
		if reason, err := s.DescribeRuleDifference(same); err == nil {
			t.Errorf("a damaged table %s: %q", table, reason)
		}
	}
}

// TestCheckFile: a file is sound if it has the bytes that were sealed.
func TestCheckFile(t *testing.T) {
	s, data, _ := published(t)
	file := snapshots.TableFileName("skills")
	if err := s.CheckFile(file); err != nil {
		t.Error(err)
	}
	if err := s.CheckFile("tables/nothing.parquet"); err == nil || !strings.Contains(err.Error(), "has no checksum of") {
		t.Errorf("a file that the manifest does not list: %v", err)
	}
	snaptest.MakeRemovable(t, data)
	if err := os.WriteFile(s.TablePath("skills"), []byte("other bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckFile(file); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("other bytes: %v", err)
	}
	if err := os.Remove(s.TablePath("skills")); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckFile(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// TestCurrentWithoutASnapshot: a whole run is needed.
func TestCurrentWithoutASnapshot(t *testing.T) {
	if _, err := OpenCurrent(t.TempDir()); !errors.Is(err, ErrWholeRunNeeded) {
		t.Errorf("%v", err)
	}
}

// TestPublishedSnapshots lists the published snapshots, the newest first, and not one that was only
// sealed. With a damaged index it lists the current one, and says so.
func TestPublishedSnapshots(t *testing.T) {
	data := t.TempDir()
	content := snaptest.Content{PlatformName: "Works"}
	first := snaptest.BuildSnapshot(t, data, "2026-11-18", content)
	second := snaptest.BuildSnapshot(t, data, "2026-11-19", content)
	snaptest.SealSnapshot(t, data, "2026-11-20", content)
	var said strings.Builder
	log := slog.New(slog.NewTextHandler(&said, nil))
	ids := func() (all []snapshots.ID) {
		list, err := PublishedSnapshots(data, log)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			all = append(all, s.ID)
		}
		return all
	}
	if got := ids(); !slices.Equal(got, []snapshots.ID{second, first}) || said.Len() > 0 {
		t.Errorf("published %v, said %q", got, said.String())
	}
	snaptest.MakeRemovable(t, data)
	gone := filepath.Join(snapshots.SnapshotsDir(data), string(first))
	if err := errors.Join(os.Chmod(gone, 0o700), os.Rename(gone, filepath.Join(t.TempDir(), "gone"))); err != nil {
		t.Fatal(err)
	}
	if got := ids(); !slices.Equal(got, []snapshots.ID{second}) {
		t.Errorf("after the first is gone: published %v, want %s", got, second)
	}
	if err := os.WriteFile(filepath.Join(snapshots.SnapshotsDir(data), snapshots.IndexFileName), []byte("{"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if got := ids(); !slices.Equal(got, []snapshots.ID{second}) ||
		!strings.Contains(said.String(), "index cannot be read") {
		t.Errorf("with a damaged index: %v, said %q", got, said.String())
	}
}

// TestPulledSnapshotIsPublished: a snapshot of another store was published there, and has the figures of its
// quarter, even if it was never the current one here.
func TestPulledSnapshotIsPublished(t *testing.T) {
	content := snaptest.Content{PlatformName: "Works"}
	from := t.TempDir()
	id := snaptest.BuildSnapshot(t, from, "2026-11-18", content)
	data := t.TempDir()
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	err = folder.AddFromOtherStore(t.Context(), id, func(dir string) error {
		return os.CopyFS(dir, os.DirFS(filepath.Join(snapshots.SnapshotsDir(from), string(id))))
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := PublishedSnapshots(data, slog.New(slog.DiscardHandler))
	if err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("published: %v, %v", list, err)
	}
	snaptest.MakeRemovable(t, data)
	snaptest.MakeRemovable(t, from)
}

// A file in place of the directory of snapshots is an error that says so, and not a directory
// without snapshots.
func TestAFileInPlaceOfTheSnapshots(t *testing.T) {
	data := t.TempDir()
	if err := os.WriteFile(snapshots.SnapshotsDir(data), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, ofCurrent := OpenCurrent(data)
	_, ofPublished := PublishedSnapshots(data, slog.New(slog.DiscardHandler))
	for name, err := range map[string]error{"Current": ofCurrent, "PublishedSnapshots": ofPublished,
		"CheckDataFormat": CheckDataFormat(data)} {
		if err == nil || !strings.Contains(err.Error(), "is not a directory") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A snapshot that another has replaced, or whose store has no current one, is not copied from.
func TestASnapshotThatWasReplaced(t *testing.T) {
	s, data, _ := published(t)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CheckIsCurrent(folder); err != nil {
		t.Errorf("the current snapshot: %v", err)
	}
	snaptest.BuildSnapshot(t, data, day, snaptest.DefaultContent(t, day))
	const want = "another snapshot was promoted after 2026-11-20.1; run again"
	if err := s.CheckIsCurrent(folder); err == nil || err.Error() != want {
		t.Errorf("a replaced snapshot: %v, want %q", err, want)
	}
	if folder, err = store.Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckIsCurrent(folder); !errors.Is(err, store.ErrNoCurrent) {
		t.Errorf("no current snapshot: %v", err)
	}
}
