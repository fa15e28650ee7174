package attack

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"labour/pipeline/disclosure/synthtest"
)

// TestMovedPerson moves one person between two values of a group that is not divided: no byte of the
// tables differs, and of the manifest only the keyed hashes of the feed's files and the report's, which
// has times.
func TestMovedPerson(t *testing.T) {
	w := newWorld(traits{seed: 3, skills: 2, outcomes: []string{turnedDownFor}})
	before := w.filesOf(t)
	if !w.move() {
		t.Fatal("nobody can be moved so that the rules print the same")
	}
	after := w.filesOf(t)
	if len(before) < 20 || len(before) != len(after) {
		t.Errorf("%d files and %d", len(before), len(after))
	}
	for name, was := range before {
		if !bytes.Equal(was, after[name]) {
			t.Errorf("%s differs where one person is in another value of a small group", name)
		}
	}
}

// move gives one person of the first release another combination of values, so that what the documents
// say is printed stays.
func (w *world) move() bool {
	for i, e := range w.events {
		if e.quarter >= inWindow {
			continue
		}
		want := w.printed(documents, e.skill, 0)
		for _, a := range w.adverts {
			c := synthtest.Person{Place: a.place, Sector: a.sector, SOC: a.soc, Level: a.level, Source: "platform"}
			asks := a.quarter <= e.quarter && slices.Contains(a.skills, e.skill)
			if !asks || c == e.at {
				continue
			}
			w.events[i].at, w.events[i].advert = c, a.id
			if maps.Equal(w.printed(documents, e.skill, 0), want) {
				return true
			}
			w.events[i] = e
		}
	}
	return false
}

// hashes are what may differ in a manifest.
var hashes = regexp.MustCompile(`"(hmac|partners)_sha256": "[0-9a-f]+"|` +
	`"path": "report.json",\s*"sha256": "[0-9a-f]+",\s*"bytes": \d+`)

// filesOf makes the first release and reads every file that is released, without what may differ.
func (w *world) filesOf(t *testing.T) map[string][]byte {
	t.Helper()
	dir, files := t.TempDir(), map[string][]byte{}
	w.writeFeed(t, dir, 0)
	snapshot := runPipeline(t, dir, releasedOn(0))
	for _, pattern := range []string{"*.parquet", "*/*.parquet", "manifest.json", "datapackage.json"} {
		names, err := filepath.Glob(filepath.Join(snapshot, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(snapshot, name) // it is below
			files[rel] = hashes.ReplaceAll(text, nil)
		}
	}
	return files
}
