package check

import (
	"context"
	"slices"
	"testing"

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
		if r := &c.People[i]; r.Signature == snapshots.SignatureNone {
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
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		asOf  string
		after snaptest.Content
		want  int
	}{
		{"as many", "2026-11-20", ofPeople(t, "2026-11-20", 600, 360, 1), 0},
		{"fewer residents", "2026-11-20", ofPeople(t, "2026-11-20", 595, 360, 1), 1},
		{"no skills on record", "2026-11-20", ofPeople(t, "2026-11-20", 1000, 0, 1), 1},
		{"a third of the applications", "2026-11-20", ofPeople(t, "2026-11-20", 1000, 600, 3), 3},
		{"the same quarter", "2026-07-21", ofPeople(t, "2026-07-21", 0, 0, 2), 0},
	} {
		after := snaptest.SealSnapshot(t, root, c.asOf, c.after)
		faults, err := FindSuccessionFaults(context.Background(), store.SnapshotDir(before), store.SnapshotDir(after),
			defaults)
		got := slices.DeleteFunc(UnacknowledgedFaults(faults),
			func(f Fault) bool { return f.Check != CheckPeopleCounts || f.Subject != "platform" })
		if err != nil || len(got) != c.want {
			t.Errorf("%s: %v, %v; want %d faults", c.name, faults, err, c.want)
		}
	}
}
