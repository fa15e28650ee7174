package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/protected"
	"labour/pipeline/rebuild"
	"labour/snapshots"
	"labour/snapshots/store"
)

// peopleFiles are the bytes of the tables of people.
func (s *small) peopleFiles(r Result) string {
	s.t.Helper()
	var all bytes.Buffer
	for _, name := range snapshots.PeopleTables() {
		b, err := os.ReadFile(snapshots.TablePath(s.store().SnapshotDir(r.ID), name))
		if err != nil {
			s.t.Fatal(err)
		}
		all.Write(b)
	}
	return all.String()
}

// TestQuarterIsCarried holds that the figures of a quarter are made once and carried byte by byte, on
// every later day, after a withdrawal too, and that the next quarter has its own.
func TestQuarterIsCarried(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	first := s.run()
	if shownPeople(s, first) == "" {
		t.Fatal("no figure of people is shown, so nothing is tried")
	}
	want := s.peopleFiles(first)
	s.turnedDown(90)
	s.clock = s.clock.AddDate(0, 0, 1)
	second := s.run()
	if s.peopleFiles(second) != want {
		t.Error("a second run of the quarter has other figures")
	}
	m := s.manifest(second)
	if m.People == nil || m.People.FirstSnapshot != first.ID || m.People.From.String() != "2025-10-01" ||
		m.People.To.String() != "2026-09-30" {
		t.Errorf("%+v", m.People)
	}
	if _, err := s.store().Withdraw(t.Context(), second.ID, store.Withdrawal{Reason: "a wrong advert", By: "tester",
		At: s.clock}); err != nil {
		t.Fatal(err)
	}
	if s.peopleFiles(s.run()) != want {
		t.Error("a run after a withdrawal has other figures")
	}
	if s.peopleFiles(s.light()) != want {
		t.Error("a light run has other figures")
	}
	s.clock = s.clock.AddDate(0, 2, 0)
	next := s.run()
	if s.peopleFiles(next) == want || s.manifest(next).People.FirstSnapshot != next.ID {
		t.Error("the next quarter has the figures of the one before")
	}
}

// TestPeopleCountForOldAdverts holds that people are counted for an advert however old, and that
// such an advert counts nowhere else.
func TestPeopleCountForOldAdverts(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.feed["adverts.ndjson"] += strings.Replace(advertLine("old", ""), `"2026-`, `"2022-`, 1)
	before := s.run()
	s = newSmall(t)
	s.turnedDown(40)
	s.feed["adverts.ndjson"] += strings.Replace(advertLine("old", ""), `"2026-`, `"2022-`, 1)
	if !strings.Contains(s.feed["adverts.ndjson"], `"2022-`) {
		t.Fatal("no advert is old")
	}
	s.feed["applications.ndjson"] = strings.ReplaceAll(s.feed["applications.ndjson"], `"advert":"ad-1"`,
		`"advert":"old"`)
	after := s.run()
	of := func(r Result) string {
		for _, row := range rowsOf[snapshots.PeopleRow](s, r, "people") {
			if row.Signature == snapshots.Unfiltered && row.Skill == "team-working" && row.PeopleTurnedDown != nil {
				return fmt.Sprint(*row.PeopleTurnedDown)
			}
		}
		return "nothing"
	}
	if got := of(after); got != "40" {
		t.Errorf("40 people, some for an old advert, print %s", got)
	}
	if x, y := sourceReport(t, before, "platform").Adverts.Counted, sourceReport(t, after,
		"platform").Adverts.Counted; x != y {
		t.Errorf("%d adverts are counted, without people of the old one %d", y, x)
	}
}

// TestEmployersOfTheFloor holds that spellings of one employer are one for the floor of three.
func TestEmployersOfTheFloor(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	for i, name := range []string{"Acme Ltd", "Acme Ltd.", "ACME, Ltd"} {
		s.feed["adverts.ndjson"] = renameEmployer(s.feed["adverts.ndjson"], i, name)
	}
	s.boards = map[string]string{"acme": s.boards["acme"], "bolt": s.boards["bolt"]}
	if got := shownPeople(s, s.run()); got != "" {
		t.Errorf("figures of people of one employer:\n%s", got)
	}
}

// renameEmployer names the employer of every third line of adverts, from line at.
func renameEmployer(lines string, at int, name string) string {
	list := strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	for i := at; i < len(list); i += 3 {
		before, after, ok := strings.Cut(list[i], `"employer":"`)
		if ok {
			_, rest, _ := strings.Cut(after, `"`)
			list[i] = before + `"employer":"` + name + `"` + rest
		}
	}
	return strings.Join(list, "\n") + "\n"
}

// TestSecretOfPeople holds what the secret must be, and that one that is changed within a quarter
// changes nothing until the quarter ends, and is noted.
func TestSecretOfPeople(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(43)
	want := s.peopleFiles(s.run())
	file := protected.RoundingSecretFile(s.data)
	if about, err := os.Stat(file); err != nil || about.Mode().Perm() != 0o600 {
		t.Fatalf("the secret: %v, %v", about, err)
	}
	secret, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := s.runOnly(""); err == nil || !strings.Contains(err.Error(), "chmod 600 "+file) {
		t.Errorf("a secret that others may read: %v", err)
	}
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.runOnly(""); err == nil || !strings.Contains(err.Error(), file+" is a directory") {
		t.Errorf("a directory in place of the secret: %v", err)
	}
	if err := errors.Join(os.Remove(file), os.WriteFile(file, secret[:20], 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.runOnly(""); err == nil || !strings.Contains(err.Error(), "rm "+file) {
		t.Errorf("a secret of 10 bytes: %v", err)
	}
	s.secret = strings.Repeat("1f", 31)
	if _, err := s.runOnly(""); err == nil || !strings.Contains(err.Error(), "openssl rand -hex 32") {
		t.Errorf("a secret of the environment of 31 bytes: %v", err)
	}
	s.secret = ""
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	s.log = slog.New(slog.NewTextHandler(&said, nil))
	if s.peopleFiles(s.run()) != want || !strings.Contains(said.String(), "will be rounded with the new one") {
		t.Errorf("another secret within a quarter: %s", said.String())
	}
}

// TestDayOfAnOutcome holds that an outcome counts in the quarter of its day as the feed prints it.
func TestDayOfAnOutcome(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	inside, outside := "2026-09-30T23:30:00-05:00", "2026-10-01T00:30:00+01:00" // in UTC it is the other way round
	s.feed["applications.ndjson"] = strings.ReplaceAll(s.feed["applications.ndjson"], "2026-08-01T09:00:00Z", inside)
	if shownPeople(s, s.run()) == "" {
		t.Error("an outcome of the last day of the quarter counts nowhere")
	}
	s = newSmall(t)
	s.turnedDown(40)
	s.feed["applications.ndjson"] = strings.ReplaceAll(s.feed["applications.ndjson"], "2026-08-01T09:00:00Z", outside)
	if got := shownPeople(s, s.run()); got != "" {
		t.Errorf("an outcome of the day after the quarter counts:\n%s", got)
	}
}

// TestRebuildNeedsTheSecret holds that a snapshot that made its figures of people is rebuilt whole
// with the secret, and without it takes them by their hash.
func TestRebuildNeedsTheSecret(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(43)
	made := s.run()
	carried := s.run()
	for _, lost := range []bool{false, true} {
		if lost {
			if err := os.Remove(protected.RoundingSecretFile(s.data)); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range []snapshots.ID{made.ID, carried.ID} {
			tables, err := Rebuild(t.Context(), *s.last, id)
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(tables, func(r rebuild.Result) bool { return !r.Equal() }) {
				t.Errorf("%s, secret lost %v: %v", id, lost, tables)
			}
		}
	}
}
