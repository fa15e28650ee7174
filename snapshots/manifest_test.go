package snapshots

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sampleManifest() Manifest {
	people := DateOf(time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC))
	at := time.Date(2026, 11, 20, 7, 0, 0, 5, time.FixedZone("x", 3600))
	return Manifest{
		Format: Format, ID: "2026-11-20.1", AsOf: DateOf(at), PeopleAsOf: &people, PlatformName: "London <Works>",
		Previous: &PreviousSnapshot{ID: "2026-11-19.2", ManifestSHA256: "ab"}, ToolVersion: "1", CreatedAt: at,
		Inputs: []ArchivedFetch{{Source: "b", FetchedAt: at},
			{Source: "a", FetchedAt: at, Objects: []ArchivedObject{{Name: "y"}, {Name: "x", SHA256: "00", Bytes: 3}}}},
		Embargoed: []EmbargoedState{{Name: "trends"}, {Name: "demand", Open: true, Evidence: "https://example.org"}},
		Files:     []File{{Path: "report.json"}, {Path: "changes.parquet"}},
	}
}

func TestManifestRoundTripsSorted(t *testing.T) {
	first, err := sampleManifest().Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeManifest(first)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Encode()
	if err != nil || !bytes.Equal(first, again) {
		t.Fatalf("not the same bytes, %v:\n%s", err, cmp.Diff(string(first), string(again)))
	}
	for _, want := range []string{`"as_of": "2026-11-20"`, `"created_at": "2026-11-20T06:00:00Z"`, `"London <Works>"`,
		`"tables": []`, `"objects": []`} {
		if !strings.Contains(string(first), want) {
			t.Errorf("no %s in\n%s", want, first)
		}
	}
	if back.Inputs[0].Source != "a" || back.Inputs[0].Objects[0].Name != "x" || back.Embargoed[0].Name != "demand" ||
		back.Files[0].Path != "changes.parquet" {
		t.Errorf("not sorted: %+v", back)
	}
}

func TestManifestOfTheUnknownIsRefused(t *testing.T) {
	whole, err := sampleManifest().Encode()
	if err != nil {
		t.Fatal(err)
	}
	newer := strings.Replace(string(whole), `"format": "labour/1"`, `"format": "labour/2", "x": 1`, 1)
	if _, err := DecodeManifest([]byte(newer)); !errors.Is(err, ErrUnsupportedFormat) {
		t.Errorf("another format: %v", err)
	}
	strange := strings.Replace(string(whole), `"format": "labour/1"`, `"format": "labour/1", "strange": 1`, 1)
	if _, err := DecodeManifest([]byte(strange)); err == nil || !strings.Contains(err.Error(), "strange") {
		t.Errorf("a field that is not known: %v", err)
	}
	const start = "start a new data directory and fetch again"
	for _, other := range []string{`{"format_version": 2}`, `{"format": ""}`, `{"format": "labour/0"}`} {
		if _, err := DecodeManifest([]byte(other)); !errors.Is(err, ErrUnsupportedFormat) ||
			!strings.HasSuffix(err.Error(), start) {
			t.Errorf("%s: %v", other, err)
		}
	}
	for _, bad := range []string{"", "{}", "[]", `{"format": "labour/1", "strange": 1}`,
		`{"format": "labour/1", "id": "../x"}`,
		`{"format": "labour/1", "as_of": "2026-02-30"}`, `{"format": "labour/1", "as_of": 5}`} {
		if _, err := DecodeManifest([]byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func FuzzDecodeManifest(f *testing.F) {
	whole, err := sampleManifest().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"format": "labour/1"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeManifest(b)
		if err != nil {
			return
		}
		once, err := m.Encode()
		if err != nil {
			t.Skip("a year beyond four digits, or text that is not UTF-8, is not written")
		}
		back, err := DecodeManifest(once)
		if err != nil {
			t.Fatalf("own output refused: %v\n%s", err, once)
		}
		if twice, err := back.Encode(); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("not stable: %v\n%s\n%s", err, once, twice)
		}
	})
}

// TestManifestNamesItsSnapshots holds that a manifest without its own id or day, or with a snapshot
// before it that has no id, is refused.
func TestManifestNamesItsSnapshots(t *testing.T) {
	for name, change := range map[string]func(m *Manifest){
		"id":                        func(m *Manifest) { m.ID = "" },
		"as_of":                     func(m *Manifest) { m.AsOf = Date{} },
		"the id of the one before":  func(m *Manifest) { m.Previous.ID = "" },
		"nothing":                   func(*Manifest) {},
		"nothing, and is the first": func(m *Manifest) { m.Previous = nil },
	} {
		m := sampleManifest()
		change(&m)
		whole, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = DecodeManifest(whole)
		if taken := err == nil; taken != strings.HasPrefix(name, "nothing") {
			t.Errorf("a manifest that lacks %s: %v", name, err)
		}
	}
}

// TestNamesOfASnapshot holds the order in which files are sent: the manifest, without which nothing is a
// snapshot, last.
func TestNamesOfASnapshot(t *testing.T) {
	m := Manifest{Tables: []TableFile{{Name: "adverts"}, {Name: "skills"}}, Files: []File{{Path: "report.json"}}}
	data := []string{TableFileName("adverts"), TableFileName("skills"), "report.json"}
	if got, want := m.FileNames(false), append(slices.Clone(data), SumsFileName, ManifestFileName); !slices.Equal(got,
		want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := m.FileNames(true), append(data, SumsFileName, SignatureFileName,
		ManifestFileName); !slices.Equal(got, want) {
		t.Errorf("signed: %q, want %q", got, want)
	}
}

// TestOnlyRoundedCountsAreMultiples holds that counts of people count as rounded only if they are
// there and the manifest says so.
func TestOnlyRoundedCountsAreMultiples(t *testing.T) {
	for name, c := range map[string]struct {
		people *People
		want   bool
	}{"none": {nil, false}, "plain": {&People{Protection: "plain"}, false}, "unsaid": {&People{}, false},
		"rounded": {&People{Protection: "rounded"}, true}} {
		if got := (Manifest{People: c.people}).RoundsPeople(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestKnownUntilTheLastFetch or, in a manifest that does not state it, until the snapshot was made.
func TestKnownUntilTheLastFetch(t *testing.T) {
	made := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	fetched := made.Add(-time.Hour)
	if got := (Manifest{CreatedAt: made}).FetchCutoff(); !got.Equal(made) {
		t.Errorf("not stated: %s", got)
	}
	if got := (Manifest{CreatedAt: made, FetchedUntil: fetched}).FetchCutoff(); !got.Equal(fetched) {
		t.Errorf("stated: %s", got)
	}
}
