package retention_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/retention"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// stores draws stores of up to 40 snapshots over three years.
func stores() *rapid.Generator[[]retention.Snapshot] {
	return rapid.Custom(func(t *rapid.T) []retention.Snapshot {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		current := rapid.IntRange(-1, n).Draw(t, "current")
		seen := map[snapshots.ID]bool{}
		var list []retention.Snapshot
		for i := range n {
			day := now.AddDate(0, 0, -rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 1000)).Draw(t, "days back"))
			s := retention.Snapshot{ID: snapshots.NewID(day, rapid.IntRange(1, 3).Draw(t, "run")),
				Current:  i == current,
				SealedAt: now.Add(-time.Duration(rapid.IntRange(0, 60).Draw(t, "hours old")) * time.Hour),
				Damaged:  rapid.IntRange(0, 20).Draw(t, "damaged") == 0}
			if !s.Current && rapid.Bool().Draw(t, "published") {
				s.SupersededAt = now.Add(-time.Duration(rapid.IntRange(-5, 100).Draw(t, "hours")) * time.Hour)
			}
			if !seen[s.ID] {
				seen[s.ID] = true
				list = append(list, s)
			}
		}
		return list
	})
}

// wanted is the rule said again, slowly: it looks at every other snapshot.
func wanted(s retention.Snapshot, list []retention.Snapshot, schedule retention.Schedule) bool {
	newest, promoted, newer := true, false, false
	for _, o := range list {
		newest = newest && o.ID.Compare(s.ID) <= 0
		promoted = promoted || o.Current
		newer = newer || o.Current && s.ID.Compare(o.ID) > 0
	}
	if now.Sub(s.SealedAt) < 24*time.Hour || s.Current || s.Damaged || newest || newer || !promoted {
		return true
	}
	if s.SupersededAt.IsZero() {
		return false
	}
	if now.Sub(s.SupersededAt) < 24*time.Hour {
		return true
	}
	for layout, n := range map[string]int{"2006-01-02": schedule.Daily, "2006-01": schedule.Monthly,
		"2006": schedule.Yearly} {
		period, later, last := s.ID.Date().Format(layout), map[string]bool{}, true
		for _, o := range list {
			if (o.Current || !o.SupersededAt.IsZero()) && o.ID.Compare(s.ID) > 0 {
				p := o.ID.Date().Format(layout)
				last = last && p != period
				later[p] = true
			}
		}
		if last && len(later) < n {
			return true
		}
	}
	return false
}

func TestPlanIsAPartitionThatKeepsWhatIsNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := stores().Draw(t, "store")
		schedule := retention.Schedule{Daily: rapid.IntRange(0, 8).Draw(t, "daily"),
			Monthly: rapid.IntRange(0, 8).Draw(t, "monthly"), Yearly: rapid.IntRange(0, 3).Draw(t, "yearly")}
		before := slices.Clone(list)
		verdicts := retention.Plan(list, now, schedule)
		if !slices.Equal(before, list) || len(verdicts) != len(list) {
			t.Fatalf("%d verdicts on %d snapshots, or the list was changed", len(verdicts), len(list))
		}
		for i, v := range verdicts {
			at := slices.IndexFunc(list, func(s retention.Snapshot) bool { return s.ID == v.ID })
			if at < 0 || i > 0 && verdicts[i-1].ID.Compare(v.ID) <= 0 {
				t.Fatalf("%s is unknown, twice or out of order", v.ID)
			}
			if i == 0 && !v.Keep {
				t.Errorf("the newest, %s, is not kept", v.ID)
			}
			if want := wanted(list[at], list, schedule); v.Keep != want || len(v.Reasons) == 0 {
				t.Errorf("%+v: %+v, want keep %v", list[at], v, want)
			}
		}
		after := slices.DeleteFunc(slices.Clone(list), func(s retention.Snapshot) bool {
			return slices.ContainsFunc(verdicts, func(v retention.KeepDecision) bool { return v.ID == s.ID && !v.Keep })
		})
		for _, v := range retention.Plan(after, now, schedule) {
			if !v.Keep {
				t.Errorf("pruning again would remove %s", v.ID)
			}
		}
	})
}

// A withdrawn snapshot does not stand for its day, month or year: the newest one that was not withdrawn does.
func TestAWithdrawnSnapshotDoesNotStandForItsMonth(t *testing.T) {
	long := now.AddDate(0, 0, -3)
	list := []retention.Snapshot{
		{ID: "2026-11-20.1", Current: true},
		{ID: "2026-10-31.2", Withdrawn: true}, // SupersededAt is zero if it was withdrawn
		{ID: "2026-10-31.1", SupersededAt: long},
		{ID: "2026-10-30.1", SupersededAt: long},
	}
	var kept []string
	for _, v := range retention.Plan(list, now, retention.Schedule{Monthly: 2}) {
		if v.Keep {
			kept = append(kept, string(v.ID))
		}
	}
	if want := []string{"2026-11-20.1", "2026-10-31.1"}; !slices.Equal(kept, want) {
		t.Errorf("kept are %q, want %q", kept, want)
	}
}

func TestReasons(t *testing.T) {
	long := now.AddDate(0, 0, -3)
	list := []retention.Snapshot{
		{ID: "2026-11-20.1", Current: true},
		{ID: "2026-11-19.2", SupersededAt: now.Add(-23 * time.Hour)},
		{ID: "2026-11-19.1", SupersededAt: long},
		{ID: "2026-11-18.3", Withdrawn: true},
		{ID: "2026-11-18.2"},
		{ID: "2026-11-18.1", SupersededAt: long},
		{ID: "2026-10-31.1", SupersededAt: long},
		{ID: "2025-12-31.1", SupersededAt: long},
	}
	var got []string
	for _, v := range retention.Plan(list, now, retention.Schedule{Daily: 2, Monthly: 2, Yearly: 2}) {
		got = append(got, map[bool]string{true: "+ ", false: "- "}[v.Keep]+string(v.ID)+": "+strings.Join(v.Reasons,
			", "))
	}
	want := []string{
		"+ 2026-11-20.1: current, newest, last of the day 2026-11-20, last of the month 2026-11, last of the year 2026",
		"+ 2026-11-19.2: superseded less than 24 hours ago, last of the day 2026-11-19",
		"- 2026-11-19.1: no longer in the schedule",
		"- 2026-11-18.3: withdrawn",
		"- 2026-11-18.2: never promoted, and older than the current one",
		"- 2026-11-18.1: no longer in the schedule",
		"+ 2026-10-31.1: last of the month 2026-10",
		"+ 2025-12-31.1: last of the year 2025",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
