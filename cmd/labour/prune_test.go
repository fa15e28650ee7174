package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestPruneRemovesWhatItSays on a store with two snapshots that are long superseded.
func TestPruneRemovesWhatItSays(t *testing.T) {
	data := t.TempDir()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	var ids []string
	for _, day := range []string{"2026-10-30", "2026-11-18", "2026-11-19", "2026-11-20"} {
		ids = append(ids, string(snaptest.BuildSnapshot(t, data, day, snaptest.DefaultContent(t, day))))
	}
	for i, id := range ids[:3] {
		at := now.Add(-time.Duration(10*(3-i)) * time.Hour) // 30, 20 and 10 hours ago
		if err := os.Chtimes(filepath.Join(snapshots.SnapshotsDir(data), ".superseded-"+id), at, at); err != nil {
			t.Fatal(err)
		}
	}
	prune := func(args ...string) string {
		t.Helper()
		var out, said shared
		a := &app{stdout: &out, stderr: &said, now: func() time.Time { return now }, random: rand.Reader,
			getenv: func(string) (string, bool) { return "", false }, version: "test"}
		if status := run(append([]string{"snapshot", "prune", "--data", data, "--keep-daily", "1", "--keep-monthly",
			"1", "--keep-yearly", "0"}, args...), a); status != cli.ExitDone {
			t.Fatalf("status %d: %s", status, said.String())
		}
		return out.String()
	}
	left := func() string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(snapshots.SnapshotsDir(data), "2026-*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			found[i] = filepath.Base(found[i])
		}
		return strings.Join(found, " ")
	}
	if out := prune("--dry-run"); !strings.Contains(out, ids[0]+"  would be removed  no longer in the schedule") ||
		left() != strings.Join(ids, " ") {
		t.Errorf("a dry run printed\n%s\nand left %s", out, left())
	}
	if out := prune(); !strings.Contains(out, ids[0]+"  removed") ||
		!strings.Contains(out, ids[1]+"  kept     superseded less") || left() != strings.Join(ids[1:], " ") {
		t.Errorf("printed\n%s\nand left %s", out, left())
	}
	now = now.Add(24 * time.Hour)
	if out := prune("--json"); !strings.Contains(out, `{"id":"`+ids[3]+`","keep":true`) || left() != ids[3] {
		t.Errorf("a day later it printed\n%s\nand left %s", out, left())
	}
}

// TestPruneChecksFirst: if --archive is refused, no snapshot is removed, and a dry run lists nothing.
func TestPruneChecksFirst(t *testing.T) {
	data := t.TempDir()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for _, day := range []string{"2026-11-18", "2026-11-20"} {
		snaptest.BuildSnapshot(t, data, day, snaptest.DefaultContent(t, day))
	}
	longAgo := now.Add(-48 * time.Hour)
	err := os.Chtimes(filepath.Join(snapshots.SnapshotsDir(data), ".superseded-2026-11-18.1"), longAgo, longAgo)
	if err != nil {
		t.Fatal(err)
	}
	faulty := filepath.Join(data, "faulty.yaml")
	if err := os.WriteFile(faulty, []byte("platform: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, config := range []string{filepath.Join(data, "nowhere.yaml"), faulty} {
		for _, args := range [][]string{{"--dry-run"}, {}} {
			var out, said shared
			a := &app{stdout: &out, stderr: &said, now: func() time.Time { return now }, random: rand.Reader,
				getenv: func(string) (string, bool) { return "", false }, version: "test"}
			status := run(append([]string{"snapshot", "prune", "--data", data, "--keep-daily", "1", "--keep-monthly",
				"0", "--keep-yearly", "0", "--archive", "--config", config}, args...), a)
			if status != cli.ExitUsage || out.String() != "" {
				t.Errorf("%s %v: status %d, printed %q, %s", config, args, status, out.String(), said.String())
			}
			left, err := filepath.Glob(filepath.Join(snapshots.SnapshotsDir(data), "2026-*"))
			if err != nil || len(left) != 2 {
				t.Fatalf("%s %v: %q are left, %v", config, args, left, err)
			}
		}
	}
}
