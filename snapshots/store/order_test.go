package store

import (
	"slices"
	"testing"
	"time"

	"labour/snapshots"
)

// made is an entry of a snapshot that follows before; "" = it is the first.
func made(id, before snapshots.ID) IndexEntry {
	e := IndexEntry{ID: id, ManifestSHA256: "of " + string(id)}
	if before != "" {
		e.Previous = &snapshots.PreviousSnapshot{ID: before, ManifestSHA256: "of " + string(before)}
	}
	return e
}

const (
	day1, day2, day3, day4, day5 = snapshots.ID("2026-11-01.1"), snapshots.ID("2026-11-02.1"),
		snapshots.ID("2026-11-03.1"), snapshots.ID("2026-11-04.1"), snapshots.ID("2026-11-05.1")
	absent = snapshots.ID("2026-10-31.1")
)

// TestOrderOfSnapshots follows the chain of manifests, not the days.
func TestOrderOfSnapshots(t *testing.T) {
	line := []IndexEntry{made(day1, ""), made(day2, day1), made(day3, day2), made(day4, day3)}
	for name, c := range map[string]struct {
		entries   []IndexEntry
		id, other snapshots.ID
		want      SnapshotOrder
	}{
		"next":               {line, day2, day1, SnapshotOrderLater},
		"before":             {line, day1, day2, SnapshotOrderEarlier},
		"far later":          {line, day4, day1, SnapshotOrderLater},
		"far earlier":        {line, day1, day4, SnapshotOrderEarlier},
		"days turned around": {[]IndexEntry{made(day1, day2), made(day2, "")}, day1, day2, SnapshotOrderLater},
		"a fork": {[]IndexEntry{made(day1, ""), made(day2, day1), made(day3, day1)},
			day2, day3, SnapshotOrderForked},
		"a long and a short": {[]IndexEntry{made(day1, ""), made(day2, day1), made(day3, day2), made(day4, day1)},
			day3, day4, SnapshotOrderForked},
		"two beginnings": {[]IndexEntry{made(day1, ""), made(day2, "")}, day1, day2, SnapshotOrderUnknown},
		"two after two": {[]IndexEntry{made(day1, ""), made(day2, ""), made(day3, day1), made(day4, day2)},
			day3, day4, SnapshotOrderUnknown},
		"one not known":        {line, day2, absent, SnapshotOrderUnknown},
		"a fork of the absent": {[]IndexEntry{made(day2, absent), made(day3, absent)}, day2, day3, SnapshotOrderUnknown},
		"nothing known":        {nil, day1, day2, SnapshotOrderUnknown},
	} {
		if got := (Index{Snapshots: c.entries}).Order(c.id, c.other); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestLastNotWithdrawn is the snapshot itself, or the nearest before it that was not withdrawn.
func TestLastNotWithdrawn(t *testing.T) {
	x := Index{Snapshots: []IndexEntry{made(day1, ""), made(day2, day1), made(day3, day2), made(day4, day3),
		made(day5, "")}}
	for _, i := range []int{1, 2, 4} {
		x.Snapshots[i].Withdrawn = &Withdrawal{Reason: "wrong"}
	}
	for id, want := range map[snapshots.ID]snapshots.ID{day1: day1, day2: day1, day3: day1, day4: day4, day5: "", "": "",
		absent: absent} {
		if got := x.LastNotWithdrawn(id); got != want {
			t.Errorf("of %q it is %q, want %q", id, got, want)
		}
	}
}

// TestBreaksOfAChain holds every message about the manifests and the numbers of runs.
func TestBreaksOfAChain(t *testing.T) {
	published := func(e IndexEntry) IndexEntry {
		e.PublishedAt = []time.Time{asOfTest}
		return e
	}
	adopted := func(e IndexEntry) IndexEntry {
		e.FromOtherStore = true
		return e
	}
	withdrawn := func(e IndexEntry) IndexEntry {
		e.Withdrawn = &Withdrawal{Reason: "wrong"}
		return e
	}
	other := made(day2, day1)
	other.Previous.ManifestSHA256 = "xy"
	for name, c := range map[string]struct {
		entries []IndexEntry
		want    []ManifestChainMessage
	}{
		"sound": {[]IndexEntry{published(made(day1, "")), published(made(day2, day1))}, nil},
		"follows nothing": {[]IndexEntry{made(day2, absent)},
			[]ManifestChainMessage{{day2, true, "a gap: it follows 2026-10-31.1, which is unknown here"}}},
		"adopted, and follows": {[]IndexEntry{adopted(made(day2, absent))},
			[]ManifestChainMessage{{day2, false, "not taken over: it follows 2026-10-31.1, which is unknown here"}}},
		"follows another": {[]IndexEntry{made(day1, ""), other}, []ManifestChainMessage{{day2, true,
			"it follows another 2026-11-01.1 than the one that is known: SHA-256 xy"}}},
		"two firsts": {[]IndexEntry{published(made(day1, "")), published(made(day2, ""))},
			[]ManifestChainMessage{{day2, false, "a fork: 2026-11-01.1 was published after nothing too"}}},
		"three after one": {[]IndexEntry{published(made(day1, "")), published(made(day2, day1)),
			published(made(day3, day1)),
			published(made(day4, day1))},
			[]ManifestChainMessage{{day3, false, "a fork: 2026-11-02.1 was published after 2026-11-01.1 too"},
				{day4, false, "a fork: 2026-11-02.1 was published after 2026-11-01.1 too"}}},
		"one of two published": {[]IndexEntry{made(day1, ""), published(made(day2, day1)), made(day3, day1)}, nil},
		"one of two withdrawn": {[]IndexEntry{made(day1, ""), withdrawn(published(made(day2, day1))),
			published(made(day3, day1))}, nil},
		"first run missing": {[]IndexEntry{made("2026-11-01.2", "")},
			[]ManifestChainMessage{{"2026-11-01.2", true, "a gap: nothing is known of 2026-11-01.1"}}},
		"middle run missing": {[]IndexEntry{made(day1, ""), made("2026-11-01.3", "")},
			[]ManifestChainMessage{{"2026-11-01.3", true, "a gap: nothing is known of 2026-11-01.2"}}},
		"runs of two days": {[]IndexEntry{made(day1, ""), made("2026-11-01.2", ""), made(day2, ""),
			made("2026-11-02.2", "")}, nil},
		"run missing of a second day": {[]IndexEntry{made(day1, ""), made("2026-11-02.2", "")},
			[]ManifestChainMessage{{"2026-11-02.2", true, "a gap: nothing is known of 2026-11-02.1"}}},
	} {
		if got := (Index{Snapshots: c.entries}).breaks(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestEntriesOfAnIndex are found by their ID and put in at their place.
func TestEntriesOfAnIndex(t *testing.T) {
	x := Index{Snapshots: []IndexEntry{made(day1, ""), made(day3, day1)}}
	if e, ok := x.FindEntry(day2); ok || e.ID != "" {
		t.Errorf("an entry that is not there: %+v", e)
	}
	if e := x.entry(day2); e.ID != day2 || e.PublishedAt == nil || x.Snapshots[1].ID != day2 || len(x.Snapshots) != 3 {
		t.Errorf("%+v in %+v", e, x.Snapshots)
	}
	if e := x.entry(day3); e.Previous == nil || len(x.Snapshots) != 3 {
		t.Errorf("an entry that is there: %+v in %+v", e, x.Snapshots)
	}
}
