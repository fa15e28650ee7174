package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// withShares returns a sample in which the shares of the six skills for the whole platform are
// those given, in per cent.
func withShares(t *testing.T, asOf string, hired, turnedDown, below [6]int) snaptest.Content {
	c := ofPeople(t, asOf, 1000, 600, 1)
	share := func(pct int) *figure.Tenths {
		tenths := figure.Tenths(pct * 10)
		return &tenths
	}
	skill := 0
	for i := range c.People {
		if r := &c.People[i]; r.Signature == snapshots.Unfiltered {
			r.HiredWithSkillPct, r.TurnedDownWithSkillPct = share(hired[skill]), share(turnedDown[skill])
			skill++
		}
	}
	order := map[string]int{}
	for i := range c.Residents {
		r := &c.Residents[i]
		if r.Place != "" {
			continue
		}
		if _, known := order[r.Skill]; !known {
			order[r.Skill] = len(order)
		}
		r.PeopleBelowSharePct = share(below[order[r.Skill]])
	}
	return c
}

// TestChangedSharesAreFaults holds that shares that change over all skills at once are refused, and
// that those that change by chance, or of a few skills, are not.
func TestChangedSharesAreFaults(t *testing.T) {
	all := func(pct int) [6]int { return [6]int{pct, pct, pct, pct, pct, pct} }
	const hired, turnedDown, below = "shares of hired applicants", "shares of turned-down", "shares of residents"
	usual := withShares(t, "2026-07-20", all(50), all(40), all(70))
	low := withShares(t, "2026-07-20", all(10), all(40), all(70))
	for _, c := range []struct {
		name                     string
		before                   snaptest.Content
		hired, turnedDown, below [6]int
		want                     []string
	}{
		{name: "as before", before: usual, hired: all(50), turnedDown: all(40), below: all(70)},
		{name: "no levels", before: usual, hired: all(0), turnedDown: all(0), below: all(70),
			want: []string{hired + " with a skill change by 50.0 points on average over 6 skills", turnedDown}},
		{name: "all levels", before: usual, hired: all(100), turnedDown: all(100), below: all(70),
			want: []string{hired, turnedDown}},
		{name: "by chance", before: usual, hired: [6]int{80, 20, 70, 30, 75, 25}, turnedDown: all(70), below: all(51)},
		{name: "one skill", before: usual, hired: [6]int{0, 50, 50, 50, 50, 50}, turnedDown: all(40),
			below: [6]int{100, 70, 70, 70, 70, 0}},
		{name: "in both directions", before: usual, hired: [6]int{85, 15, 85, 15, 85, 15}, turnedDown: all(40),
			below: all(70), want: []string{hired}},
		{name: "low shares to 0", before: low, hired: all(0), turnedDown: all(40), below: all(70),
			want: []string{hired + " with a skill have become 0 or 100 for 6 of 6 skills, more than 90 %"}},
		{name: "low shares but one to 0", before: low, hired: [6]int{0, 0, 0, 0, 0, 10}, turnedDown: all(40),
			below: all(70)},
		{name: "residents", before: usual, hired: all(50), turnedDown: all(40), below: all(92), want: []string{below}},
	} {
		after := withShares(t, "2026-11-20", c.hired, c.turnedDown, c.below)
		checkShares(t, c.name, c.before, after, c.want)
	}
}

// TestFewSharesAreNotCompared holds that the shares of fewer than five skills, and of fewer than
// 100 residents, are not compared.
func TestFewSharesAreNotCompared(t *testing.T) {
	before := withShares(t, "2026-07-20", [6]int{}, [6]int{}, [6]int{})
	after := withShares(t, "2026-11-20", [6]int{90, 90, 90, 90, 90, 90}, [6]int{}, [6]int{90, 90, 90, 90, 90, 90})
	checkShares(t, "six skills", before, after, []string{"shares of residents", "shares of hired"})
	for i := range before.Candidates {
		before.Candidates[i].SetResidents(figure.RoundedCount(100, false))
	}
	checkShares(t, "just enough residents", before, after, []string{"shares of residents", "shares of hired"})
	for i := range before.Candidates {
		before.Candidates[i].SetResidents(figure.RoundedCount(95, false))
	}
	checkShares(t, "few residents", before, after, []string{"shares of hired"})
	after.People = slices.DeleteFunc(after.People, func(r snapshots.PeopleRow) bool { return r.Skill == "sql" })
	checkShares(t, "five skills", before, after, []string{"shares of hired"})
	after.People = slices.DeleteFunc(after.People, func(r snapshots.PeopleRow) bool { return r.Skill == "python" })
	checkShares(t, "four skills", before, after, nil)
}

// TestWhichSharesOfResidentsAreCompared holds that the floor of 100 is for all residents, not for those of a
// level, and that only the shares below the levels that the snapshot shows are compared.
func TestWhichSharesOfResidentsAreCompared(t *testing.T) {
	same, low := [6]int{50, 50, 50, 50, 50, 50}, [6]int{10, 10, 10, 10, 10, 10}
	before, after := withShares(t, "2026-07-20", same, same, same), withShares(t, "2026-11-20", same, same, low)
	for _, c := range []snaptest.Content{before, after} {
		c.Candidates[1].SetResidents(figure.RoundedCount(95, false))
	}
	checkShares(t, "few of a level", before, after, []string{"shares of residents"})
	after = withShares(t, "2026-11-20", same, same, low)
	const shown = 3
	for i := range after.Skills {
		after.Skills[i].Level = shown
	}
	for i := range after.Residents {
		if r := &after.Residents[i]; r.Place == "" && r.Level == shown {
			half := figure.Tenths(500)
			r.PeopleBelowSharePct = &half
		}
	}
	checkShares(t, "below other levels", before, after, nil)
}

// TestSharesOfEverybodyAreNotNew holds that the skills that nobody has do not hinder a platform that
// grows: a share of fewer than 265 residents is at most 99, and 100 from 265 on.
func TestSharesOfEverybodyAreNotNew(t *testing.T) {
	same, all := [6]int{50, 50, 50, 50, 50, 50}, [6]int{100, 100, 100, 100, 100, 100}
	after := withShares(t, "2026-11-20", same, same, all)
	for _, c := range []struct {
		residents int64
		below     int
		isRefused bool
	}{{260, 97, false}, {260, 96, true}, {265, 97, true}} {
		before := withShares(t, "2026-07-20", same, same, [6]int{c.below, c.below, c.below, c.below, c.below, c.below})
		for i := range before.Candidates {
			before.Candidates[i].SetResidents(figure.RoundedCount(c.residents, false))
		}
		var want []string
		if c.isRefused {
			want = []string{"shares of residents"}
		}
		checkShares(t, fmt.Sprintf("%d %% of %d residents", c.below, c.residents), before, after, want)
	}
}

func checkShares(t *testing.T, name string, before, after snaptest.Content, want []string) {
	t.Helper()
	root := t.TempDir()
	previous := snaptest.BuildSnapshot(t, root, "2026-07-20", before)
	got := faultsOfPeople(t, root, previous, snaptest.SealSnapshot(t, root, "2026-11-20", after))
	if len(got) != len(want) {
		t.Errorf("%s: %v; want %q", name, got, want)
		return
	}
	for i, f := range got {
		text := f.String()
		if !strings.Contains(text, want[i]) || !strings.Contains(text, " in the feed; if that is right, acknowledge it "+
			"in checks.exceptions (check: people, of: platform)") {
			t.Errorf("%s: %s; want %s", name, text, want[i])
		}
	}
}

// TestHighestLevelsAreCompared holds that a feed in which one of the levels of residents is lost is
// refused, although as many residents have a skill on record.
func TestHighestLevelsAreCompared(t *testing.T) {
	content := func(asOf, level string) snaptest.Content {
		c := ofPeople(t, asOf, 1000, 600, 1)
		c.Candidates[1].Value = level
		return c
	}
	for level, other := range map[string]string{"1": "5", "2": "1", "3": "1", "4": "1", "5": "1"} {
		root := t.TempDir()
		before := snaptest.BuildSnapshot(t, root, "2026-07-20", content("2026-07-20", level))
		got := faultsOfPeople(t, root, before, snaptest.SealSnapshot(t, root, "2026-11-20", content("2026-11-20", other)))
		want := "residents whose highest level is " + level + " fall from 600 to 0"
		if len(got) != 1 || !strings.Contains(got[0].Text, want) {
			t.Errorf("%v; want that %s", got, want)
		}
	}
}
