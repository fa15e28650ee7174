package employerboards

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"labour/sources"
)

// failingSink is a sink that cannot keep a record.
type failingSink struct{ err error }

// Emit fails.
func (f failingSink) Emit(sources.Record) error { return f.err }

// Fault ignores a fault.
func (f failingSink) Fault(sources.Fault) {}

// TestReadingOfBoardsStops with the run, or at a sink that fails, which names the board.
func TestReadingOfBoardsStops(t *testing.T) {
	s := connector(t, Config{Boards: []Board{{Vendor: "lever", Token: "b", Employer: "B"}}})
	x := sources.Extract{Source: Key, Objects: []sources.ArchivedObject{{Name: "lever/b"}}}
	from := bodies{"lever/b": []byte(`[{"id":"1","text":"x"}]`)}
	full := failingSink{errors.New("the disk is full")}
	if err := s.Read(t.Context(), x, from, full); !errors.Is(err, full.err) ||
		!strings.HasPrefix(err.Error(), "read lever/b: ") {
		t.Errorf("a sink that fails: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.Read(ended, x, from, discard{}); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "read employer_boards: ") {
		t.Errorf("a run that has ended: %v", err)
	}
}

// TestNamesOfBoards are those that are still fetched.
func TestNamesOfBoards(t *testing.T) {
	s := connector(t, Config{Boards: []Board{{Vendor: "lever", Token: "b", Employer: "B"},
		{Vendor: "ashby", Token: "old", Employer: "C", Retired: true}, {Vendor: "greenhouse", Token: "d", Employer: "D"}}})
	got := s.PartNames()
	slices.Sort(got)
	if want := []string{"greenhouse/d", "lever/b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPostingsHaveAnID: an object without one, and one that is no JSON, are no posting.
func TestPostingsHaveAnID(t *testing.T) {
	for body, want := range map[string]sources.FaultCode{`{"id":"7"}`: "", `{}`: sources.FaultWrongFormat,
		"<html>": sources.FaultWrongFormat, `{"id":{}}`: sources.FaultSchema} {
		a, err := posting([]byte(body))
		if sources.FaultCodeOf(err) != want || (a.ID == "7") != (want == "") {
			t.Errorf("%s: %+v, %v; want %q", body, a.ID, err, want)
		}
	}
}

// TestFeedOfPositionsIsWhole: XML that breaks off or has another root is refused, without its text.
func TestFeedOfPositionsIsWhole(t *testing.T) {
	for _, body := range []string{"<workzag-jobs><position><id>1</id>", "<workzag-jobs><position></workzag-jobs>"} {
		found, faults := readOne(t, "personio", "personio/board", []byte(body))
		if len(found) > 0 || len(faults) != 1 || faults[0].Code != sources.FaultWrongFormat ||
			!strings.Contains(faults[0].Detail, "the XML breaks off, is malformed or is no list of positions") {
			t.Errorf("%s: %d adverts, %+v", body, len(found), faults)
		}
	}
}
