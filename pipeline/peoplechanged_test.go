package pipeline

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"testing"

	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/snapshots/snaptest"
)

// said returns what a run that is whole says of a changed setting: its remarks, which must be in
// the sealed report and in its log too.
func (s *small) said() (Result, string) {
	s.t.Helper()
	var logged bytes.Buffer
	s.log = slog.New(slog.NewTextHandler(&logged, nil))
	r := s.run()
	sealed, err := report.Read(s.store().SnapshotDir(r.ID))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, remark := range r.Report.Remarks {
		if !strings.Contains(strings.Join(sealed.Remarks, "\n"), remark) || !strings.Contains(logged.String(), remark) {
			s.t.Errorf("the sealed report or the log has no %q", remark)
		}
	}
	return r, strings.Join(r.Report.Remarks, "\n")
}

// loseSecret removes the secret of people.
func (s *small) loseSecret() {
	s.t.Helper()
	if err := os.Remove(protected.RoundingSecretFile(s.data)); err != nil {
		s.t.Fatal(err)
	}
}

// "Lost or changed: what is printed is carried on, and the next quarter is drawn anew, which gives
// a patient reader two draws; the run says so": one that is lost between two quarters too.
func TestSecretLostBetweenQuarters(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(43)
	first, words := s.said()
	if strings.Contains(words, "secret") {
		t.Errorf("the first run: %s", words)
	}
	s.clock = s.clock.AddDate(0, 2, 0)
	s.loseSecret()
	next, words := s.said()
	if s.manifest(first).People.SecretSHA256 == s.manifest(next).People.SecretSHA256 {
		t.Fatal("both quarters have one secret, so nothing is tried")
	}
	if !strings.Contains(words, "the figures to 2026-09-30 were rounded") || !strings.Contains(words, "two roundings") {
		t.Errorf("another secret in the next quarter: %q", words)
	}
	if _, words = s.said(); strings.Contains(words, "secret") {
		t.Errorf("the day after: %s", words)
	}
	s.clock = s.clock.AddDate(0, 3, 0)
	if _, words = s.said(); strings.Contains(words, "secret") {
		t.Errorf("a quarter with the same secret: %s", words)
	}
}

// A change of people.protection changes nothing in the quarter, and the run says when it does, and what
// stops exact figures now.
func TestProtectionChangedWithinAQuarter(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(43)
	snaptest.MakeRemovable(t, s.data)
	want := s.peopleFiles(s.run())
	s.drift = "people: {protection: plain}\n"
	r, words := s.said()
	if s.peopleFiles(r) != want || !strings.Contains(words, "exact from the next quarter on") {
		t.Errorf("from rounded to plain: %q", words)
	}
	s.clock = s.clock.AddDate(0, 2, 0)
	r, words = s.said()
	if words != "" {
		t.Errorf("the next quarter: %q", words)
	}
	want, s.drift = s.peopleFiles(r), ""
	s.loseSecret() // which decided nothing of exact figures
	r, words = s.said()
	if s.peopleFiles(r) != want || !strings.Contains(words, "rounded from the next quarter on") ||
		!strings.Contains(words, "labour people withdraw") || strings.Contains(words, "secret") {
		t.Errorf("from plain to rounded: %q", words)
	}
	s.withdrawPeople("")
	if _, words = s.said(); words != "" {
		t.Errorf("all figures are withdrawn: %q", words)
	}
}
