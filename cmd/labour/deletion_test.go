package main

import (
	"bytes"
	"crypto/rand"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/sources"
)

// TestDeletedPersonLeavesNoTrace: after the steps of deploy/README.md, only the archived feed behind the
// counts of people has the pseudonym or the event of a person who was removed from the feed. In the next
// quarter no file of the data directory has them.
func TestDeletedPersonLeavesNoTrace(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 10, 5, 1, 0, 0, 0, time.UTC)
	call := func(args ...string) {
		t.Helper()
		var out, said shared
		a := &app{stdout: &out, stderr: &said, now: func() time.Time { return now }, random: rand.Reader,
			getenv: func(string) (string, bool) { return "", false }, version: "test"}
		if status := run(append(args, "--data", filepath.Join(dir, "data")), a); status != cli.ExitDone {
			t.Fatalf("%v: status %d: %s", args, status, said.String())
		}
	}
	config := "--config=" + filepath.Join(dir, configName)
	text := "platform: {name: Works, link: \"https://works.example\", feed: feed}\ncontact: data@works.example\n"
	writeDeletionFiles(t, dir, map[string]string{configName: text})
	feed := exampleFeed(sources.DateOf(now))
	feed["events.ndjson"] = `{"id":"event-4711","type":"application.created","occurred_at":"2026-10-05T00:30:00Z",` +
		`"partner":"North","advert":"ad-1","borough":"camden"}` + "\n"
	writeDeletionFiles(t, filepath.Join(dir, "feed"), feed)
	call("run", config)
	now = now.Add(time.Hour)
	call("run", config, "--only", "platform")
	for _, trace := range []string{`"r-1"`, "event-4711"} {
		if len(filesWith(t, filepath.Join(dir, "data"), trace)) == 0 {
			t.Errorf("%s is nowhere before it is deleted", trace)
		}
	}

	for _, name := range []string{"residents.ndjson", "applications.ndjson", "events.ndjson"} {
		feed[name] = withoutLines(feed[name], `"r-1"`, "event-4711")
	}
	writeDeletionFiles(t, filepath.Join(dir, "feed"), feed)
	prune := func() {
		t.Helper()
		for range 2 {
			now = now.Add(25 * time.Hour)
			call("run", config)
		}
		supersedeADayAgo(t, filepath.Join(dir, "data"), now)
		call("snapshot", "prune", "--archive", config, "--keep-daily", "1", "--keep-monthly", "0", "--keep-yearly", "0")
	}
	prune()
	for _, trace := range []string{`"r-1"`, "event-4711"} {
		for _, file := range filesWith(t, filepath.Join(dir, "data"), trace) {
			if !strings.Contains(file, "/protected/archive/sha256/") {
				t.Errorf("%s is left in %s", trace, file)
			}
		}
	}
	// The feed behind the counts of people stays until the next quarter has its own.
	now = time.Date(2027, 1, 5, 1, 0, 0, 0, time.UTC)
	prune()
	for _, trace := range []string{`"r-1"`, "event-4711"} {
		if files := filesWith(t, filepath.Join(dir, "data"), trace); len(files) > 0 {
			t.Errorf("%s is left in %q", trace, files)
		}
	}
}

// supersedeADayAgo dates the notes on superseded snapshots, which have the time of the machine's clock.
func supersedeADayAgo(t *testing.T, data string, now time.Time) {
	t.Helper()
	notes, err := filepath.Glob(filepath.Join(snapshots.SnapshotsDir(data), ".superseded-*"))
	if err != nil || len(notes) == 0 {
		t.Fatalf("notes: %v, %v", notes, err)
	}
	at := now.Add(-25 * time.Hour)
	for _, note := range notes {
		if err := os.Chtimes(note, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func writeDeletionFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// withoutLines returns a text without the lines that contain one of the words.
func withoutLines(text string, words ...string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		isLeft := true
		for _, w := range words {
			isLeft = isLeft && !strings.Contains(line, w)
		}
		if isLeft {
			b.WriteString(line)
		}
	}
	return b.String()
}

// filesWith returns the files of a directory that contain the text. Archived files are decompressed.
func filesWith(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(path, ".zst") {
			b, err = decompressed(b)
		}
		if bytes.Contains(b, []byte(text)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func decompressed(b []byte) ([]byte, error) {
	z, err := zstd.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}
