package query

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// unmounted returns a snapshot without tables.
func unmounted(id snapshots.ID) *Snapshot {
	return &Snapshot{manifest: snapshots.Manifest{ID: id}, library: newLibrary()}
}

// source returns a source on a store of two small published snapshots, whose mounts are without
// tables, and its log.
func source(t *testing.T) (l *SnapshotSource, first, second snapshots.ID, log *bytes.Buffer) {
	t.Helper()
	data := t.TempDir()
	for _, id := range []*snapshots.ID{&first, &second} {
		*id = snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.Content{PlatformName: "Nobody"})
	}
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	log = &bytes.Buffer{}
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	l = NewSnapshotSource(folder, func() time.Time { return now }, slog.New(slog.NewTextHandler(log, nil)), Options{})
	l.mount = func(_ context.Context, dir string, _ Options) (*Snapshot, error) {
		return unmounted(snapshots.ID(filepath.Base(dir))), nil
	}
	t.Cleanup(func() { l.Close() })
	return l, first, second, log
}

// A superseded snapshot that nobody uses stays for a time, and only a few of these stay. The
// current one and those in use always do, and a withdrawn one never.
func TestSupersededSnapshotsAreClosed(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	l := NewSnapshotSource(nil, func() time.Time { return now }, slog.New(slog.DiscardHandler), Options{})
	ago := func(d time.Duration) *mountedSnapshot { return &mountedSnapshot{lastUsed: now.Add(-d)} }
	l.current = "current"
	l.open = map[snapshots.ID]*mountedSnapshot{"current": ago(10 * keepFor),
		"just kept": ago(keepFor - 1), "old": ago(keepFor),
		"in use": ago(10 * keepFor), "withdrawn": ago(0), "withdrawn and in use": ago(0)}
	l.open["in use"].users, l.open["withdrawn and in use"].users = 1, 1
	l.open["withdrawn"].withdrawn, l.open["withdrawn and in use"].withdrawn = true, true
	for i := range maxIdle {
		l.open[snapshots.ID("recent "+string(rune('a'+i)))] = ago(time.Duration(i))
	}
	for id, m := range l.open {
		m.snapshot = unmounted(id)
	}
	l.spare = []*Snapshot{unmounted("second copy")}
	var closed []string
	for _, s := range l.removeUnused() {
		closed = append(closed, s.ID())
	}
	slices.Sort(closed)
	if want := []string{"just kept", "old", "second copy", "withdrawn"}; !slices.Equal(closed, want) {
		t.Errorf("%q are closed, want %q", closed, want)
	}
	if l.spare != nil || len(l.open) != maxIdle+3 || len(l.removeUnused()) != 0 {
		t.Errorf("%q are open, and %d copies", slices.Collect(maps.Keys(l.open)), len(l.spare))
	}
	l.closed = true
	if rest := l.removeUnused(); len(rest) != maxIdle+1 || len(l.open) != 2 {
		t.Errorf("at the end %d are closed and %d stay, want all but the two in use to be closed", len(rest), len(l.open))
	}
}

// A snapshot that was withdrawn while it was mounted is closed and never current.
func TestAWithdrawnSnapshotIsNotTakenUp(t *testing.T) {
	l, first, second, _ := source(t)
	if !l.swap(first, unmounted(first)) || l.current != first {
		t.Fatalf("%s is current", l.current)
	}
	note := store.Withdrawal{At: time.Unix(1e9, 0), By: "data board", Reason: "wrong"}
	if _, err := l.store.Withdraw(t.Context(), second, note); err != nil {
		t.Fatal(err)
	}
	if l.swap(second, unmounted(second)) || l.current != first || l.IsOpen(string(second)) || len(l.open) != 1 {
		t.Errorf("%s is current and %d are open", l.current, len(l.open))
	}
	if _, err := l.store.Withdraw(t.Context(), first, note); err != nil {
		t.Fatal(err)
	}
	if l.IsOpen(string(first)) || l.IsOpen("no id") || l.current != first {
		t.Errorf("a withdrawn snapshot is open before the next look, or %s is not current until then", l.current)
	}
	if l.dropWithdrawn(); l.current != "" || len(l.open) != 0 {
		t.Errorf("%s is current and %d are open after it", l.current, len(l.open))
	}
}

// A snapshot that was refused is tried again after a minute, and the refusal is logged once.
func TestARefusedSnapshotIsTriedAgainAfterAMinute(t *testing.T) {
	l, _, second, log := source(t)
	at, tries, broken := l.now(), 0, errors.New("a broken table")
	l.now = func() time.Time { return at }
	l.mount = func(context.Context, string, Options) (*Snapshot, error) { tries++; return nil, broken }
	for _, c := range []struct {
		pass  time.Duration
		tries int
		want  error
	}{{0, 1, broken}, {retryAfter - 1, 1, errRefused}, {1, 2, broken}, {retryAfter - 1, 2, errRefused}} {
		at = at.Add(c.pass)
		if err := l.Reload(t.Context()); !errors.Is(err, c.want) || tries != c.tries {
			t.Errorf("after %s more: %v and %d attempts, want %v and %d", c.pass, err, tries, c.want, c.tries)
		}
	}
	if n := strings.Count(log.String(), "snapshot refused"); n != 1 {
		t.Errorf("the refusal is logged %d times: %s", n, log)
	}
	at = at.Add(1)
	l.mount = func(context.Context, string, Options) (*Snapshot, error) {
		s := unmounted(second)
		s.withoutPartners = true
		return s, nil
	}
	if err := l.Reload(t.Context()); err != nil || l.current != second {
		t.Errorf("%s is current, %v", l.current, err)
	}
	if n := strings.Count(log.String(), "the events of partners are not in the data directory"); n != 1 {
		t.Errorf("the missing events are logged %d times: %s", n, log)
	}
}

// A superseded snapshot whose files are gone is gone. A server that stops has another error.
func TestReopeningASnapshotThatIsGone(t *testing.T) {
	l, first, _, _ := source(t)
	if err := l.remount("2020-01-01.1"); !errors.Is(err, api.ErrSnapshotGone) {
		t.Errorf("one that never was: %v", err)
	}
	if err := l.remount(first); err != nil || !l.IsOpen(string(first)) || l.open[first].users != 0 {
		t.Errorf("%v, %+v", err, l.open[first])
	}
	if err := os.Rename(l.store.SnapshotDir(first), filepath.Join(t.TempDir(), "moved")); err != nil {
		t.Fatal(err)
	}
	if err := l.remount(first); !errors.Is(err, api.ErrSnapshotGone) {
		t.Errorf("one without files: %v", err)
	}
	l.cancel()
	if err := l.remount(first); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "find when snapshot "+string(first)+" was superseded: ") {
		t.Errorf("once the server stops: %v", err)
	}
}

// A snapshot is only read if it is verified and has the errors of coding, which margins need.
func TestSnapshotsThatAreNotMounted(t *testing.T) {
	l, first, _, _ := source(t)
	dir, broken := l.store.SnapshotDir(first), errors.New("a wrong signature")
	verify := func(_ context.Context, of string) error {
		if of != dir {
			t.Errorf("%s is verified", of)
		}
		return broken
	}
	if _, err := Mount(t.Context(), dir, Options{VerifyDirectory: verify}); !errors.Is(err, broken) ||
		!strings.HasPrefix(err.Error(), "verify "+dir+": ") {
		t.Errorf("%v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, snapshots.ManifestFileName))
	if err != nil {
		t.Fatal(err)
	}
	for name, margin := range map[string]any{"none": nil, "not a share": map[string]any{"random_error": -1.0}} {
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		if fields["margin"] = margin; margin == nil {
			delete(fields, "margin")
		}
		changed, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		copied := t.TempDir()
		if err := os.WriteFile(filepath.Join(copied, snapshots.ManifestFileName), changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Mount(t.Context(), copied, Options{}); !errors.Is(err, ErrInconsistentTables) ||
			!strings.Contains(err.Error(), "the manifest has no errors of coding") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two snapshots that load the same tables at the same time keep one copy, which the last of them closes.
func TestTablesLoadedTwiceAreKeptOnce(t *testing.T) {
	load := func() *part {
		db, err := connect("", nil)
		if err != nil {
			t.Fatal(err)
		}
		return &part{db: db}
	}
	closed := func(p *part) bool { return p.db.PingContext(t.Context()) != nil }
	l, faster, slower := newLibrary(), load(), load()
	got, err := l.open("k", func() (*part, error) {
		if p, err := l.open("k", func() (*part, error) { return faster, nil }); p != faster || err != nil {
			t.Errorf("%v, %v", p, err)
		}
		return slower, nil
	})
	if err != nil || got != faster || !closed(slower) || closed(faster) || faster.users != 2 {
		t.Errorf("%v with %d users, %v", got, faster.users, err)
	}
	for users := 1; users >= 0; users-- {
		if err := l.release(map[string]*part{"figures": faster}); err != nil || faster.users != users ||
			closed(faster) != (users == 0) || len(l.parts) != min(users, 1) {
			t.Errorf("%d users after a release, %v", faster.users, err)
		}
	}
	broken := errors.New("a broken file")
	if p, err := l.open("k", func() (*part, error) { return nil, broken }); p != nil || !errors.Is(err, broken) ||
		len(l.parts) != 0 {
		t.Errorf("%v, %v", p, err)
	}
}
