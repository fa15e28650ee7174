package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// october is a day after the third quarter on which its figures of people are due.
var october = time.Date(2026, 10, 5, 6, 0, 0, 0, time.UTC)

// TestDirectoryWithAnIndex: an index.json in the directory of the feed says what is in the feed, and
// until when it is complete.
func TestDirectoryWithAnIndex(t *testing.T) {
	const files = `"files":["boroughs.ndjson","adverts.ndjson","residents.ndjson","applications.ndjson"]}`
	for until, want := range map[string]string{"2026-09-10": "2026-06-30", "2026-10-01": "2026-09-30"} {
		s := newSmall(t)
		s.clock = october
		s.turnedDown(40)
		s.feed["index.json"] = `{"complete_until":"` + until + `T00:00:00Z",` + files
		if p := s.manifest(s.run()).People; p == nil || p.To.String() != want {
			t.Errorf("complete until %s: the figures are %+v, want those to %s", until, p, want)
		}
	}
}

// TestQuarterWaitsForEveryFile: a file of applications or adverts that cannot be fetched on the day on
// which the figures are due lets them wait. The next day they count everybody.
func TestQuarterWaitsForEveryFile(t *testing.T) {
	for _, late := range []string{"applications-2.ndjson", "adverts-2.ndjson"} {
		s := newSmall(t)
		s.clock = time.Date(2026, 9, 20, 6, 0, 0, 0, time.UTC)
		s.turnedDown(40)
		s.run()
		s.clock = october
		s.turnedDown(90)
		first, second := s.feed["applications.ndjson"], ""
		if late == "applications-2.ndjson" {
			lines := strings.SplitAfter(first, "\n")
			first, second = strings.Join(lines[:40], ""), strings.Join(lines[40:], "")
		}
		s.feed["applications.ndjson"] = first
		s.feed["index.json"] = `{"files":["boroughs.ndjson","adverts.ndjson","residents.ndjson",` +
			`"applications.ndjson","` + late + `"]}`
		r, err := s.runOnly("")
		if err != nil || len(r.FailedSources) != 1 {
			t.Fatalf("without %s: %v, failed %v", late, err, r.FailedSources)
		}
		if p := s.manifest(r).People; p == nil || p.To.String() != "2026-06-30" {
			t.Errorf("without %s the figures are %+v, want those to June", late, p)
		}
		s.clock = s.clock.AddDate(0, 0, 1)
		s.feed[late] = second
		r = s.run()
		if p := s.manifest(r).People; p == nil || p.To.String() != "2026-09-30" {
			t.Errorf("with %s the figures are %+v, want those to September", late, p)
		}
		if n := s.candidates(r)["all"]; n != "90" {
			t.Errorf("with %s %s people are candidates, want 90: %v", late, n, s.candidates(r))
		}
	}
}

// TestUnusableKindsAreRefused: a kind of records without a usable one is refused, however few they
// are and however many others are right.
func TestUnusableKindsAreRefused(t *testing.T) {
	var idle strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&idle, `{"id":"q-%d","borough":"camden","seeking_work":false}`+"\n", i)
	}
	for name, spoil := range map[string]func(*small){
		"applications": func(s *small) {
			s.feed["residents.ndjson"] += idle.String()
			s.feed["applications.ndjson"] = strings.ReplaceAll(s.feed["applications.ndjson"], `"outcome":`, `"result":`)
		},
		"adverts": func(s *small) { s.feed["adverts.ndjson"] = strings.Repeat("{}\n", 500) },
	} {
		s := newSmall(t)
		s.turnedDown(900)
		spoil(s)
		var refused *RefusedError
		if _, err := s.runOnly(""); !errors.As(err, &refused) || !strings.Contains(err.Error(), "fault") {
			t.Errorf("unusable %s: %v", name, err)
		}
	}
}
