package check

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/check/limits"
	"labour/snapshots"
	"labour/snapshots/filestest"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestPromotionsThatCannotBeChecked: a run that has ended, and each file that cannot be read, is an
// error and no refusal.
func TestPromotionsThatCannotBeChecked(t *testing.T) {
	data := t.TempDir()
	first := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	current := snaptest.BuildSnapshot(t, data, "2026-11-21", snaptest.DefaultContent(t, "2026-11-21"))
	next := snaptest.SealSnapshot(t, data, "2026-11-22", snaptest.DefaultContent(t, "2026-11-22"))
	snaptest.MakeRemovable(t, data)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	floor := defaults
	floor.PerTable = map[string]limits.Table{"regions": {MinRows: 1000}}
	ended, end := context.WithCancel(t.Context())
	end()
	root := snapshots.SnapshotsDir(data)
	manifest := func(id snapshots.ID) string { return filepath.Join(root, string(id), snapshots.ManifestFileName) }
	for _, tt := range []struct {
		name   string
		ctx    context.Context
		file   string // is broken
		limits limits.Checks
		want   string
	}{
		{"a run that has ended", ended, "", defaults, context.Canceled.Error()},
		{"the report of the current one", t.Context(), filepath.Join(root, string(current), snapshots.ReportFileName),
			defaults,
			"check the succession: "},
		{"the manifest of the next one", t.Context(), manifest(next), defaults, string(next)},
		{"every manifest", t.Context(), "", defaults, "find the snapshot that was published last: "},
	} {
		files := map[string][]byte{}
		broken := []string{tt.file}
		if tt.name == "every manifest" {
			broken = []string{manifest(first), manifest(current), filepath.Join(root, snapshots.IndexFileName)}
		}
		for _, file := range broken {
			if file == "" {
				continue
			}
			before, err := os.ReadFile(file)
			files[file] = before
			err = errors.Join(err, os.Chmod(filepath.Dir(file), 0o700), os.Chmod(file, 0o600),
				os.WriteFile(file, []byte("{"), 0o600))
			if err != nil {
				t.Fatal(err)
			}
		}
		p, err := CheckPromotion(tt.ctx, folder, next, tt.limits, slog.New(slog.DiscardHandler))
		var refused *RefusedError
		if err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want) || p.expect != "" {
			t.Errorf("%s: %+v, %v, want %s", tt.name, p, err, tt.want)
		}
		for file, text := range files {
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	checkBack(t, folder, root, first, current)
}

// checkBack holds that without an index only the current snapshot itself is known to have been published.
func checkBack(t *testing.T, folder *store.Store, root string, first, current snapshots.ID) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, snapshots.IndexFileName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if isPromotedAgain(folder, first, current) || !isPromotedAgain(folder, current, current) {
		t.Error("without an index an earlier snapshot is known to have been published, or the current one is not")
	}
}

// TestRowsTakenOverNeedBothManifests: what cannot be compared is an error that has no faults.
func TestRowsTakenOverNeedBothManifests(t *testing.T) {
	data := t.TempDir()
	there := snaptest.SealSnapshot(t, data, "2026-11-20", snaptest.Content{PlatformName: "Works"})
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	faults := []Fault{{Check: limits.CheckMinRows, Subject: "regions"}}
	for _, pair := range [][2]snapshots.ID{{"2026-01-01.1", there}, {there, "2026-01-01.1"}} {
		left, err := withoutFaultsOfCopiedTables(folder, pair[0], pair[1], faults)
		if !errors.Is(err, fs.ErrNotExist) || left != nil {
			t.Errorf("from %s to %s: %v, %v", pair[0], pair[1], left, err)
		}
	}
}

// TestFiguresThatCannotBeRead: a report, and tables of people, that cannot be read are errors that
// say what for.
func TestFiguresThatCannotBeRead(t *testing.T) {
	if faults, err := checkReport(t.TempDir(), defaults); faults != nil || !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "check the report: ") {
		t.Errorf("without a report: %v, %v", faults, err)
	}
	root := t.TempDir()
	folder, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := copied(t, folder.SnapshotDir(snaptest.SealSnapshot(t, root, "2026-11-20",
		ofPeople(t, "2026-11-20", 1000, 600, 1))))
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = readPrinted(ended, dir, nil)
	_, sharesErr := shareChanges(ended, dir, dir)
	if !errors.Is(err, context.Canceled) || !errors.Is(sharesErr, context.Canceled) {
		t.Errorf("a run that has ended: %v, %v", err, sharesErr)
	}
	people, candidates := snapshots.TablePath(dir, "people"), snapshots.TablePath(dir, "candidates")
	if err := errors.Join(os.Remove(people), os.Link(candidates, people)); err != nil {
		t.Fatal(err)
	}
	_, err = readPrinted(t.Context(), dir, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "add up the published counts of people: ") {
		t.Errorf("a table of other columns: %v", err)
	}
	faults, err := shareChanges(t.Context(), dir, dir)
	if faults != nil || err == nil || !strings.HasPrefix(err.Error(), "compare the published shares of people: ") {
		t.Errorf("shares of a table of other columns: %v, %v", faults, err)
	}
}

// TestComparedFiguresAreClosed: each comparison of figures of people closes its database.
func TestComparedFiguresAreClosed(t *testing.T) {
	root := t.TempDir()
	folder, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	content := snaptest.DefaultContent(t, "2026-11-20")
	dir := folder.SnapshotDir(snaptest.SealSnapshot(t, root, "2026-11-20", content))
	filestest.CheckFilesClosed(t, map[string]func() error{
		"totals": func() error { _, err := readPrinted(t.Context(), dir, nil); return err },
		"shares": func() error { _, err := shareChanges(t.Context(), dir, dir); return err },
	})
}

// TestATableThatVanished is one fault, however many rows it had.
func TestATableThatVanished(t *testing.T) {
	was := snapshots.Manifest{Tables: []snapshots.TableFile{{Name: "regions", Rows: 1000}}}
	faults := FindManifestSuccessionFaults(was, snapshots.Manifest{}, defaults)
	if len(faults) != 1 || faults[0].Check != limits.CheckTableShrink || faults[0].Text != "table regions vanished" {
		t.Errorf("%+v", faults)
	}
}
