package platform

import (
	"errors"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/sourcetest"
)

// TestWholeNumbers: however a whole number is written in JSON, it is read; any other is not.
func TestWholeNumbers(t *testing.T) {
	zeros := strings.Repeat("0", 998)
	for raw, want := range map[string]int64{"7": 7, "-7": -7, "3.0": 3, "30e-1": 3, "3E2": 300, "0": 0, "-0.0": 0,
		"0e9999":              0,
		"9223372036854775807": 9223372036854775807, "1." + zeros: 1} {
		if got, ok := whole(raw); got != want || !ok {
			t.Errorf("%.20s: %d, %t; want %d", raw, got, ok, want)
		}
	}
	for _, raw := range []string{"3.5", "3e-1", "9223372036854775808", "1e1001", "1e-1001", "1e99999999999999999999",
		"1." + zeros + "0", "1e30"} {
		if got, ok := whole(raw); ok {
			t.Errorf("%.20s is read as %d", raw, got)
		}
	}
}

// TestEmptyFilesAreTaken: a file without records is one; a page of HTML is none.
func TestEmptyFilesAreTaken(t *testing.T) {
	if err := accept("application/x-ndjson", nil); err != nil {
		t.Errorf("an empty file: %v", err)
	}
	if err := accept("text/html", []byte("<!doctype html>")); sources.FaultCodeOf(err) != sources.FaultWrongFormat {
		t.Errorf("a page: %v", err)
	}
}

// failingOpener is an archive that cannot be read.
type failingOpener struct{ err error }

// Open fails.
func (f failingOpener) Open(sources.ArchivedObject) (sources.Body, error) { return nil, f.err }

// TestArchiveThatCannotBeReadStopsTheFeed: at its index, at a file, and at the time to which it is complete.
func TestArchiveThatCannotBeReadStopsTheFeed(t *testing.T) {
	failed := errors.New("the disk failed")
	for _, name := range []string{IndexObjectName, "boroughs.ndjson"} {
		x := sources.Extract{Source: Key, Objects: []sources.ArchivedObject{{Name: name}}}
		records, _, err := sourcetest.ReadExtract(New(Config{}), x, failingOpener{failed})
		if !errors.Is(err, failed) || len(records) > 0 {
			t.Errorf("%s: %d records, %v", name, len(records), err)
		}
	}
	index := sources.Extract{Source: Key, Objects: []sources.ArchivedObject{{Name: IndexObjectName}}}
	if at, err := ReadCompleteUntil(failingOpener{failed}, index); !errors.Is(err, failed) || !at.IsZero() {
		t.Errorf("complete until %s, %v", at, err)
	}
	if at, err := ReadCompleteUntil(failingOpener{failed}, sources.Extract{}); err != nil || !at.IsZero() {
		t.Errorf("without an index: complete until %s, %v", at, err)
	}
}

// TestTimeThatIsNoneIsAFault of the index, and the files that it lists are read.
func TestTimeThatIsNoneIsAFault(t *testing.T) {
	x := sources.Extract{Source: Key, FetchedAt: time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC),
		Objects: []sources.ArchivedObject{{Name: IndexObjectName}, {Name: "boroughs.ndjson"}}}
	records, faults, err := sourcetest.ReadExtract(New(Config{}), x, memory{"boroughs.ndjson": good + "\n",
		IndexObjectName: `{"files":["boroughs.ndjson"],"complete_until":"yesterday"}`})
	bad := 0
	for _, f := range faults {
		if f.Object == IndexObjectName && f.Code == sources.FaultBadValue {
			bad++
		}
	}
	if err != nil || bad != 1 || len(records) != 1 {
		t.Errorf("%d records, %+v, %v", len(records), faults, err)
	}
}
