package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/sources"
)

// reportText returns the sealed report of a snapshot.
func (s *small) reportText(id snapshots.ID) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.store().SnapshotDir(id), snapshots.ReportFileName))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// TestFiguresNeedAdverts: figures of people are not published if the adverts of too many applications are
// missing. The operator reads how many, the sealed report does not say.
func TestFiguresNeedAdverts(t *testing.T) {
	for _, n := range []int{40, 1300} {
		s := newSmall(t)
		s.turnedDown(n)
		s.feed["applications.ndjson"] = strings.ReplaceAll(s.feed["applications.ndjson"], `"advert":"ad-`, `"advert":"old-`)
		r, err := s.runOnly("")
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "100 % of its records about people are faulty") {
			t.Errorf("%d without their advert: %v", n, err)
			continue
		}
		s.onlyOperatorReads(r, sources.FaultUnknownReference, n)
	}
}

// TestApplicationsOfDeletedResidents are counted, and reported to the operator only.
func TestApplicationsOfDeletedResidents(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.feed["applications.ndjson"] = strings.ReplaceAll(s.feed["applications.ndjson"], `"resident":"p-`, `"resident":"q-`)
	r := s.run()
	s.onlyOperatorReads(r, sources.FaultUnknownResident, 40)
	if shownPeople(s, r) == "" {
		t.Error("their applications are not counted")
	}
}

// onlyOperatorReads checks that the report of a run tells of n faults, and the sealed one of none.
func (s *small) onlyOperatorReads(r Result, code sources.FaultCode, n int) {
	s.t.Helper()
	if told := r.Report.EnsureSource("platform").Faults[code]; told != int64(n) {
		s.t.Errorf("the operator reads of %d faults %s, want %d", told, code, n)
	}
	if text := s.reportText(r.ID); strings.Contains(text, string(code)) || strings.Contains(text, `"line `) {
		s.t.Errorf("the sealed report tells of %s:\n%s", code, text)
	}
}

// TestFewApplicationsWithoutAnAdvert are reported to the operator, and the others are counted.
func TestFewApplicationsWithoutAnAdvert(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.feed["applications.ndjson"] = strings.Replace(s.feed["applications.ndjson"], `"advert":"ad-1"`, `"advert":"x"`, 1)
	r := s.run()
	if n := r.Report.EnsureSource("platform").Faults[sources.FaultUnknownReference]; n != 1 {
		t.Errorf("the operator reads of %d applications, want 1", n)
	}
	if shownPeople(s, r) == "" {
		t.Error("the others are not counted")
	}
}

// TestFiguresNeedSkillsThatAreKnown: figures of people are not published if too many of the skills that
// residents or applications name are unknown. The operator reads how many, the sealed report does not say.
func TestFiguresNeedSkillsThatAreKnown(t *testing.T) {
	for _, file := range []string{"residents.ndjson", "applications.ndjson"} {
		s := newSmall(t)
		s.turnedDown(40)
		s.feed[file] = strings.ReplaceAll(s.feed[file], `"skill":"teamwork"`, `"skill":"glass-harmonica"`)
		r, err := s.runOnly("")
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "100 % of the skills that its records about people") {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if n := r.Report.EnsureSource("platform").UnknownSkills(); n != 40 {
			t.Errorf("%s: the operator reads of %d unknown skills, want 40", file, n)
		}
		text := s.reportText(r.ID)
		if strings.Contains(text, "glass-harmonica") || !strings.Contains(text, `"people_unknown_skills_pct": 100`) {
			t.Errorf("%s: the sealed report has\n%s", file, text)
		}
	}
}

// TestFewUnusableSites: if no site can be used, no figure is 0. If some can be used, the
// others are only reported.
func TestFewUnusableSites(t *testing.T) {
	for sites, refuse := range map[string]bool{"{}\n": true, "{}\n{}\n": true, oneSite + "{}\n": false} {
		s := newSmall(t)
		s.turnedDown(40)
		s.feed["s106.ndjson"] = sites
		_, err := s.runOnly("")
		var refused *RefusedError
		if errors.As(err, &refused) != refuse || (err != nil) != refuse {
			t.Errorf("%q: %v", sites, err)
		}
		if refuse && !strings.Contains(err.Error(), "all of the feed's s106 are faulty") {
			t.Errorf("%q: %v", sites, err)
		}
	}
}
