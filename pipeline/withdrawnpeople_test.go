package pipeline

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/decisions"
	"labour/pipeline/options"
	"labour/pipeline/previous"
	"labour/pipeline/rebuild"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// withdrawPeople withdraws the figures of people of a skill, or all of them.
func (s *small) withdrawPeople(skill string) {
	s.t.Helper()
	w := snapshots.PeopleWithdrawal{At: s.clock, Skill: skill, By: "a board", Reason: "The feed was wrong."}
	if err := decisions.WithdrawPeople(s.data, w); err != nil {
		s.t.Fatal(err)
	}
}

// withdrawnRows counts the rows of people and residents that are in one snapshot and not in the other
// by whether they are of the skill.
func withdrawnRows(s *small, before, after Result, skill string) (of, others int) {
	for _, name := range []string{"people", "residents"} {
		table, _ := snapshots.FindTable(name)
		left := map[string]int{}
		for line := range strings.Lines(s.rowsText(before, table)) {
			left[line]++
		}
		for line := range strings.Lines(s.rowsText(after, table)) {
			left[line]--
		}
		for line, n := range left {
			if strings.Contains(line, skill) {
				of += n
			} else {
				others += n * n
			}
		}
	}
	return of, others
}

// sound verifies a snapshot and makes it again.
func (s *small) sound(r Result) {
	s.t.Helper()
	report, err := verify.VerifyDir(s.t.Context(), s.store().SnapshotDir(r.ID), verify.Options{})
	if err != nil || !report.HasNoFaults() {
		s.t.Errorf("verify %s: %v, %v", r.ID, err, report.Err())
	}
	tables, err := Rebuild(s.t.Context(), *s.last, r.ID)
	if err != nil || slices.ContainsFunc(tables, func(r rebuild.Result) bool { return !r.Equal() }) {
		s.t.Errorf("rebuild %s: %v, %v", r.ID, err, tables)
	}
}

// reasonsOf are how many changed keys of each table have the reason withdrawal, and the reason in words.
func reasonsOf(s *small, r Result) (keys map[string]int64, words []snapshots.PeopleWithdrawal) {
	s.t.Helper()
	file := snapshots.JoinPath(s.store().SnapshotDir(r.ID), snapshots.ChangesFileName)
	rows, err := parquetio.ReadAll[snapshots.ChangesRow](file)
	if err != nil {
		s.t.Fatal(err)
	}
	keys = map[string]int64{}
	for _, row := range rows {
		if row.Reason == snapshots.ReasonWithdrawal {
			keys[row.Table] += row.Keys
			if row.Old == nil || *row.Old != "{}" || row.New != nil {
				s.t.Errorf("the list of changes repeats what was withdrawn: %+v", row)
			}
		}
	}
	about, err := parquetio.ReadFooter(file)
	if err != nil {
		s.t.Fatal(err)
	}
	if text := about.Metadata[snapshots.MetaPeopleWithdrawn]; text != "" {
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			s.t.Fatal(err)
		}
	}
	return keys, words
}

// "`labour people withdraw` makes the figures of a skill, or all of them, null from the next snapshot
// on, with the reason in changes.parquet": the others stay as printed, and what is withdrawn stays so.
func TestWithdrawnPeople(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(43)
	snaptest.MakeRemovable(t, s.data)
	first := s.run()
	if shownPeople(s, first) == "" {
		t.Fatal("no figure of people of the skill is shown, so nothing is tried")
	}
	s.withdrawPeople("team-working")
	s.clock = s.clock.AddDate(0, 0, 1)
	if _, err := s.runOnly(options.OnlyPlatform); !errors.Is(err, previous.ErrWholeRunNeeded) {
		t.Errorf("a light run before the whole one: %v", err)
	}
	second := s.run()
	of, others := withdrawnRows(s, first, second, "team-working")
	if of == 0 || others != 0 || strings.Contains(s.peopleText(second), "team-working") {
		t.Errorf("%d rows of the skill are gone, and %d others differ", of, others)
	}
	keys, words := reasonsOf(s, second)
	if keys["people"]+keys["residents"] != int64(of) || len(keys) != 2 {
		t.Errorf("withdrawn by the list of changes: %v, want %d", keys, of)
	}
	for where, list := range map[string][]snapshots.PeopleWithdrawal{"changes.parquet": words,
		"the manifest": s.manifest(second).PeopleWithdrawn,
		"the report":   second.Report.PeopleWithdrawn} {
		if len(list) != 1 || list[0].Skill != "team-working" || list[0].Reason != "The feed was wrong." ||
			list[0].By != "a board" {
			t.Errorf("%s has %+v", where, list)
		}
	}
	if second.Report.People["number"] >= first.Report.People["number"] {
		t.Errorf("the report counts what is withdrawn: %v, before %v", second.Report.People, first.Report.People)
	}
	third := s.run()
	if s.peopleFiles(third) != s.peopleFiles(second) || s.peopleFiles(s.light()) != s.peopleFiles(second) {
		t.Error("a later run of the quarter has other files")
	}
	s.clock = s.clock.AddDate(0, 2, 0)
	next := s.run()
	if strings.Contains(s.peopleText(next), "team-working") ||
		len(rowsOf[snapshots.ResidentsRow](s, next, "residents")) == 0 {
		t.Error("the next quarter has figures of the skill, or none of others")
	}
	for _, r := range []Result{first, second, third, next} {
		s.sound(r)
	}
}

// peopleText is what the tables of people by skill print.
func (s *small) peopleText(r Result) string {
	people, _ := snapshots.FindTable("people")
	residents, _ := snapshots.FindTable("residents")
	return s.rowsText(r, people) + s.rowsText(r, residents)
}

// All figures of people are withdrawn, and the run is promoted all the same.
func TestAllPeopleWithdrawn(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(5) // a multiple of 5 prints as itself, so that the group is small under every secret
	snaptest.MakeRemovable(t, s.data)
	first := s.run()
	s.withdrawPeople("")
	second := s.run()
	want := map[string]int64{}
	for _, name := range snapshots.PeopleTables() {
		before, _ := s.manifest(first).Table(name)
		after, _ := s.manifest(second).Table(name)
		if before.Rows == 0 || after.Rows != 0 {
			t.Errorf("%s has %d rows, before %d", name, after.Rows, before.Rows)
		}
		want[name] = before.Rows
	}
	if keys, _ := reasonsOf(s, second); !maps.Equal(keys, want) {
		t.Errorf("withdrawn by the list of changes: %v, want %v", keys, want)
	}
	if first.Report.WithheldInSmallGroupsCount() == 0 {
		t.Error("nothing is below a small group, so nothing is tried")
	}
	s.clock = s.clock.AddDate(0, 2, 0)
	next := s.run()
	for _, r := range []Result{second, next} {
		if r.Report.People["number"]+r.Report.People["under_5"]+r.Report.WithheldInSmallGroupsCount() != 0 {
			t.Errorf("the report counts %v and %v", r.Report.People, r.Report.Withheld)
		}
	}
	s.sound(second)
	const remark = "not compared with earlier ones"
	if said := strings.Join(next.Report.Remarks, "\n"); strings.Contains(said, remark) {
		t.Errorf("all new figures are withdrawn too: %s", said)
	}
	if err := os.Remove(s.data + "/" + decisions.PeopleWithdrawalsFileName); err != nil {
		t.Fatal(err)
	}
	s.clock = s.clock.AddDate(0, 3, 0)
	if said := strings.Join(s.run().Report.Remarks, "\n"); !strings.Contains(said, remark) {
		t.Errorf("figures after a withdrawal of all, which nothing is compared with: %s", said)
	}
	if said := strings.Join(s.run().Report.Remarks, "\n"); strings.Contains(said, remark) {
		t.Errorf("the day after: %s", said)
	}
}

// "To end it, remove its line: the figures return with the next quarter that is made", and not
// before. That holds for figures that were shown, and for those of a quarter that was counted while
// all were withdrawn.
func TestEndedWithdrawal(t *testing.T) {
	for skill, wasShown := range map[string]bool{"team-working": true, "": false} {
		s := newSmall(t)
		s.turnedDown(43)
		snaptest.MakeRemovable(t, s.data)
		if wasShown {
			s.run()
		}
		s.withdrawPeople(skill)
		withdrawn := s.run()
		if err := os.Remove(s.data + "/" + decisions.PeopleWithdrawalsFileName); err != nil {
			t.Fatal(err)
		}
		s.clock = s.clock.AddDate(0, 0, 1)
		light := s.light()
		ended := s.run()
		for _, r := range []Result{light, ended} {
			if s.peopleFiles(r) != s.peopleFiles(withdrawn) {
				t.Errorf("withdrawn %q: the figures return in the same quarter", skill)
			}
			if list := s.manifest(r).PeopleWithdrawn; len(list) != 1 || len(r.Report.PeopleWithdrawn) != 1 {
				t.Errorf("withdrawn %q: the manifest has %v, the report %v", skill, list, r.Report.PeopleWithdrawn)
			}
		}
		s.clock = s.clock.AddDate(0, 2, 0)
		next := s.run()
		if !strings.Contains(s.peopleText(next), "team-working") || len(s.manifest(next).PeopleWithdrawn) != 0 {
			t.Errorf("withdrawn %q: the figures do not return in the next quarter", skill)
		}
		for _, r := range []Result{withdrawn, ended, next} {
			s.sound(r)
		}
	}
}

// What the record does not say is not guessed: no run shows what may be withdrawn.
func TestUnreadableWithdrawals(t *testing.T) {
	s := newSmall(t)
	s.run()
	if err := os.WriteFile(s.data+"/"+decisions.PeopleWithdrawalsFileName,
		[]byte("{\"at\":\"2026-11-20T00:00:00Z\",\"by\":\"a board\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.runOnly(""); err == nil ||
		!strings.Contains(err.Error(), decisions.PeopleWithdrawalsFileName+" line 1") {
		t.Errorf("%v", err)
	}
}
