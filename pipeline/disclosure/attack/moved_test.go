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

// TestPersonBeyondTheAdverts hires one person for a role that asked for a skill at a level that no advert
// asks for. Nothing that is released differs, whether there is such a person, or where.
func TestPersonBeyondTheAdverts(t *testing.T) {
	w := newWorld(traits{seed: 3, skills: 2, crowd: 8, outcomes: []string{turnedDownFor}})
	without := w.filesOf(t)
	known := w.events[0]
	tried := map[string]bool{}
	for _, a := range w.adverts {
		if tried[a.place] || len(tried) == 2 || a.quarter > 1 {
			continue
		}
		tried[a.place] = true
		one := event{resident: known.resident, skill: known.skill, outcome: hiredHad, quarter: 2,
			at:   synthtest.Person{Place: a.place, Sector: a.sector, SOC: a.soc, Level: "5", Source: "platform"},
			when: quarterStart(2).AddDate(0, 0, 50), advert: a.id, employer: a.employer}
		with := *w
		with.events = append(slices.Clone(w.events), one)
		for name, released := range with.filesOf(t) {
			if !bytes.Equal(released, without[name]) {
				t.Errorf("%s differs where one person is hired in %s at a level that no advert asks for", name, a.place)
			}
		}
	}
	if len(tried) != 2 {
		t.Fatalf("tried in %d places", len(tried))
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
