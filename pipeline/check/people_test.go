package check

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/check/limits"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// ofPeople is a sample with so many residents, of whom so many have a skill on record, and
// the figures of people of every keep-th row only.
func ofPeople(t *testing.T, asOf string, residents, onRecord int64, keep int) snaptest.Content {
	c := snaptest.DefaultContent(t, asOf)
	c.Candidates = []snapshots.CandidatesRow{{Dimension: snapshots.CandidatesTotal},
		{Dimension: snapshots.CandidatesByLevel, Value: "1"}}
	c.Candidates[0].SetResidents(figure.RoundedCount(residents, false))
	c.Candidates[1].SetResidents(figure.RoundedCount(onRecord, false))
	for i := range c.People {
		if r := &c.People[i]; r.Signature == snapshots.Unfiltered {
			r.SetTurnedDown(figure.RoundedCount(int64(1000/keep), false))
		}
		if i%keep != 0 {
			c.People[i].HiredWithSkillPct, c.People[i].TurnedDownWithSkillPct = nil, nil
		}
	}
	return c
}

// TestGatesOfPeople holds that a feed that lost residents, their skills or applications is
// seen by what is printed of people, in a new quarter only.
func TestGatesOfPeople(t *testing.T) {
	root := t.TempDir()
	before := snaptest.BuildSnapshot(t, root, "2026-07-20", ofPeople(t, "2026-07-20", 1000, 600, 1))
	for _, c := range []struct {
		name  string
		asOf  string
		after snaptest.Content
		want  int
	}{
		{"as many", "2026-11-20", ofPeople(t, "2026-11-20", 600, 360, 1), 0},
		{"fewer residents", "2026-11-20", ofPeople(t, "2026-11-20", 595, 360, 1), 1},
		{"no skills on record", "2026-11-20", ofPeople(t, "2026-11-20", 1000, 0, 1), 2}, // of level 1 too
		{"a third of the applications", "2026-11-20", ofPeople(t, "2026-11-20", 1000, 600, 3), 3},
		{"the same quarter", "2026-07-21", ofPeople(t, "2026-07-21", 0, 0, 2), 0},
	} {
		after := snaptest.SealSnapshot(t, root, c.asOf, c.after)
		if got := faultsOfPeople(t, root, before, after); len(got) != c.want {
			t.Errorf("%s: %v; want %d faults", c.name, got, c.want)
		}
	}
}

// TestWithdrawnSkillsAreNotCompared holds that a withdrawal of a skill between two quarters, or its
// end, is no fall or rise of the figures, and that the figures of the other skills are compared.
func TestWithdrawnSkillsAreNotCompared(t *testing.T) {
	without := func(c snaptest.Content, skill string) snaptest.Content {
		c.PeopleWithdrawn = []snapshots.PeopleWithdrawal{{Skill: skill, By: "data board", Reason: "wrong"}}
		c.People = slices.DeleteFunc(c.People, func(r snapshots.PeopleRow) bool { return r.Skill == skill })
		c.Residents = slices.DeleteFunc(c.Residents, func(r snapshots.ResidentsRow) bool { return r.Skill == skill })
		return c
	}
	mostly := func(c snaptest.Content, skill string) snaptest.Content {
		for i := range c.People {
			if r := &c.People[i]; r.Skill != skill && r.Signature == snapshots.Unfiltered {
				r.SetTurnedDown(figure.RoundedCount(50, false))
			}
		}
		return c
	}
	whole := func(asOf string) snaptest.Content { return mostly(ofPeople(t, asOf, 1000, 600, 1), "sql") }
	noApplications := without(whole("2026-11-20"), "sql")
	noApplications.People = nil
	fewer := without(mostly(ofPeople(t, "2026-11-20", 90, 600, 1), "sql"), "sql")
	for _, c := range []struct {
		name          string
		before, after snaptest.Content
		want          int
	}{
		{"withdrawn", whole("2026-07-20"), without(whole("2026-11-20"), "sql"), 0},
		{"withdrawn before", without(whole("2026-07-20"), "sql"), whole("2026-11-20"), 0},
		{"no applications", whole("2026-07-20"), noApplications, 3},
		{"fewer residents", whole("2026-07-20"), fewer, 1},
	} {
		root := t.TempDir()
		before := snaptest.BuildSnapshot(t, root, "2026-07-20", c.before)
		after := snaptest.SealSnapshot(t, root, "2026-11-20", c.after)
		if got := faultsOfPeople(t, root, before, after); len(got) != c.want {
			t.Errorf("%s: %v; want %d faults", c.name, got, c.want)
		}
	}
}

// faultsOfPeople returns the faults that the check of figures of people finds in a snapshot that
// follows another one.
func faultsOfPeople(t *testing.T, root string, before, after snapshots.ID) []Fault {
	t.Helper()
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := FindSuccessionFaults(context.Background(), store.SnapshotDir(before), store.SnapshotDir(after),
		defaults)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(UnacknowledgedFaults(faults),
		func(f Fault) bool { return f.Check != limits.CheckPeopleCounts || f.Subject != "platform" })
}

// TestPrintedOfPeopleIsAddedUp holds the totals that the gates compare against sums by hand: of every
// row without filters, and 0 where nothing is printed.
func TestPrintedOfPeopleIsAddedUp(t *testing.T) {
	root := t.TempDir()
	totals := func(asOf string, c snaptest.Content) [len(printedTotals)]int64 {
		t.Helper()
		id := snaptest.SealSnapshot(t, root, asOf, c)
		store, err := store.Open(root)
		got, readErr := readPrinted(context.Background(), store.SnapshotDir(id), nil)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		return got
	}
	c := ofPeople(t, "2026-11-20", 1000, 600, 1)
	c.Candidates = append(c.Candidates, snapshots.CandidatesRow{Dimension: snapshots.CandidatesByLevel, Value: "2"})
	c.Candidates[2].SetResidents(figure.CountOf(250))
	first := slices.IndexFunc(c.People, func(r snapshots.PeopleRow) bool { return r.HiredWithSkillPct != nil })
	c.People[first].HiredWithSkillPct = nil // so that there are more shares of turned-down than of hired applicants
	want := [len(printedTotals)]int64{1000, 850, 600, 250}
	for _, r := range c.Residents {
		if r.PeopleBelowSharePct != nil {
			want[7]++
		}
	}
	for _, r := range c.People {
		if r.Signature == snapshots.Unfiltered {
			want[8] += int64(*r.PeopleTurnedDown)
		}
		if r.HiredWithSkillPct != nil {
			want[9]++
		}
		if r.TurnedDownWithSkillPct != nil {
			want[10]++
		}
	}
	if got := totals("2026-11-20", c); got != want || want[8] <= 1000 || want[9] != want[10]-1 {
		t.Errorf("%v, want %v of several rows", got, want)
	}
	c.People, c.Candidates, c.Residents = nil, nil, nil
	if got := totals("2026-11-21", c); got != ([len(printedTotals)]int64{}) {
		t.Errorf("of nothing printed: %v", got)
	}
}

// TestQuarterIsPublishedOnce: a snapshot that was built before the published one, or after it, and made
// figures of people of the same quarter, would print the same people twice.
func TestQuarterIsPublishedOnce(t *testing.T) {
	data := t.TempDir()
	content := snaptest.DefaultContent(t, "2026-11-20")
	early := snaptest.SealSnapshot(t, data, "2026-11-20", content)
	published := snaptest.BuildSnapshot(t, data, "2026-11-20", content)
	late := snaptest.SealSnapshot(t, data, "2026-11-20", content)
	content.PeopleMadeBy = published
	copied := snaptest.SealSnapshot(t, data, "2026-11-20", content)
	content.PeopleMadeBy, content.PeopleAsOf = "", "2026-06-30"
	otherQuarter := snaptest.SealSnapshot(t, data, "2026-11-20", content)
	content.PeopleAsOf = ""
	none := snaptest.SealSnapshot(t, data, "2026-11-20", content)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	holds := func(when string, cases map[snapshots.ID]bool) {
		t.Helper()
		for id, want := range cases {
			m, err := folder.Manifest(id)
			if err != nil {
				t.Fatal(err)
			}
			faults := quarterMadeAgain(folder, published, m)
			isNamed := len(faults) == 1 && strings.Contains(faults[0].Text,
				"of the quarter to 2026-09-30, and "+string(published)+" has published others")
			if isNamed != want || len(faults) > 1 {
				t.Errorf("%s, %s: %v; want a fault: %t", when, id, faults, want)
			}
		}
	}
	cases := map[snapshots.ID]bool{early: true, late: true, copied: false, otherQuarter: false, none: false,
		published: false}
	holds("published", cases)
	w := store.Withdrawal{At: time.Now(), By: "me", Reason: "wrong"}
	if _, err := folder.Withdraw(t.Context(), published, w); err != nil {
		t.Fatal(err)
	}
	holds("withdrawn", cases)
	if _, err := CheckPromotion(t.Context(), folder, early, defaults, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "has published others") {
		t.Errorf("the earlier build is promoted after a withdrawal: %v", err)
	}
	index := filepath.Join(data, snapshots.SnapshotsDirName, snapshots.IndexFileName)
	if err := os.WriteFile(index, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	holds("without an index", cases)
}

// TestWithdrawnQuarterOfAnotherStore: a snapshot that was published in another store has printed its
// quarter, even if it was withdrawn and never the current one here.
func TestWithdrawnQuarterOfAnotherStore(t *testing.T) {
	from, data := t.TempDir(), t.TempDir()
	content := snaptest.DefaultContent(t, "2026-11-20")
	pulled := snaptest.BuildSnapshot(t, from, "2026-11-20", content)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	err = folder.AddFromOtherStore(t.Context(), pulled, func(dir string) error {
		return os.CopyFS(dir, os.DirFS(filepath.Join(snapshots.SnapshotsDir(from), string(pulled))))
	})
	if err != nil {
		t.Fatal(err)
	}
	snaptest.MakeRemovable(t, data)
	m, err := folder.Manifest(snaptest.SealSnapshot(t, data, "2026-11-21", content))
	if err != nil {
		t.Fatal(err)
	}
	holds := func(when string) {
		t.Helper()
		faults := quarterMadeAgain(folder, "", m)
		if len(faults) != 1 || !strings.Contains(faults[0].Text, string(pulled)+" has published others") {
			t.Errorf("%s: %v, want a fault that names %s", when, faults, pulled)
		}
	}
	holds("pulled")
	w := store.Withdrawal{At: m.CreatedAt, By: "me", Reason: "wrong"}
	if _, err := folder.Withdraw(t.Context(), pulled, w); err != nil {
		t.Fatal(err)
	}
	holds("withdrawn")
}

// TestMakerOfAQuarterIsPromotedAgain: copies of a snapshot's own figures do not keep it from being
// promoted, even if it was not published itself.
func TestMakerOfAQuarterIsPromotedAgain(t *testing.T) {
	data := t.TempDir()
	content := snaptest.DefaultContent(t, "2026-11-20")
	maker := snaptest.SealSnapshot(t, data, "2026-11-20", content)
	content.PeopleMadeBy = maker
	snaptest.BuildSnapshot(t, data, "2026-11-20", content)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := folder.Manifest(maker)
	if faults := quarterMadeAgain(folder, "", m); err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", faults, err)
	}
}
