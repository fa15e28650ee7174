package ranking

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

func entryGenerator() *rapid.Generator[Entry] {
	return rapid.Custom(func(t *rapid.T) Entry {
		all := rapid.Int64Range(1, 6).Draw(t, "all")
		var below *figure.Tenths
		if rapid.Bool().Draw(t, "published") {
			share := figure.Tenths(rapid.SampledFrom([]int{0, 450, 455, 1000}).Draw(t, "below"))
			below = &share
		}
		e := New(rapid.Int64Range(1, all).Draw(t, "adverts"), all, below)
		e.Skill = rapid.StringMatching("[a-d]{1,2}").Draw(t, "skill")
		return e
	})
}

func position(e Entry) *labourdata.SkillsUnmetPosition {
	return &labourdata.SkillsUnmetPosition{Rank: e.Rank, Score: e.Score, AdvertsShare: int64(e.Share), Skill: e.Skill, Bucket: e.Bucket}
}

func TestWalkGivesEveryEntryOnceInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfNDistinct(entryGenerator(), 0, 20, func(e Entry) string { return e.Skill }).Draw(t, "entries")
		Order(entries, false)
		limit := rapid.IntRange(1, 7).Draw(t, "limit")
		var walked []Entry
		var after *labourdata.SkillsUnmetPosition
		for {
			page, more := Page(entries, after, limit, false)
			walked = append(walked, page...)
			if !more {
				break
			}
			after = position(page[len(page)-1])
		}
		if !slices.EqualFunc(walked, entries, func(a, b Entry) bool { return a.Rank == b.Rank && a.Skill == b.Skill }) {
			t.Fatalf("walked %v, want %v", walked, entries)
		}
		for i := 1; i < len(entries); i++ {
			a, b := entries[i-1], entries[i]
			switch {
			case a.Score == nil && b.Score != nil:
				t.Fatal("a score after a null")
			case a.Score != nil && b.Score != nil && *a.Score < *b.Score:
				t.Fatal("scores ascend")
			case sortable(a.Score) == sortable(b.Score) && (a.Share < b.Share || a.Share == b.Share && a.Skill >= b.Skill):
				t.Fatalf("tie out of order: %+v, %+v", a, b)
			}
		}
	})
}

func TestPositionOfAnotherListFindsItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfNDistinct(entryGenerator(), 0, 20, func(e Entry) string { return e.Skill }).Draw(t, "entries")
		Order(entries, false)
		foreign := entryGenerator().Draw(t, "foreign")
		page, _ := Page(entries, position(foreign), len(entries)+1, false)
		for _, e := range entries[:len(entries)-len(page)] {
			if compare(e, foreign, false) > 0 {
				t.Fatalf("%+v was left out", e)
			}
		}
		for _, e := range page {
			if compare(e, foreign, false) <= 0 {
				t.Fatalf("%+v comes before the position", e)
			}
		}
	})
}

func TestScoreIsThatOfPrintedShares(t *testing.T) {
	below := figure.Tenths(450)
	// 1 of 3 is printed 33.3 %; 33.3 × 45.0 / 100 = 14.985, half away from zero.
	if e := New(1, 3, &below); e.Share != 333 || *e.Score != 1499 {
		t.Errorf("share %d, score %d", e.Share, *e.Score)
	}
	if e := New(1, 3, nil); e.Score != nil {
		t.Error("a score without a share of people")
	}
}

func TestCalendarOrder(t *testing.T) {
	entries := []Entry{{Bucket: "2026-11", Share: 900}, {Bucket: "2025-12", Share: 100}, {Bucket: "2026-02", Share: 500}}
	Order(entries, true)
	page, more := Page(entries, &labourdata.SkillsUnmetPosition{Bucket: "2025-12"}, 1, true)
	if !more || len(page) != 1 || page[0].Bucket != "2026-02" || page[0].Rank != 2 {
		t.Errorf("after December: %+v, %v", page, more)
	}
}

func BenchmarkOrder(b *testing.B) {
	below := figure.Tenths(450)
	list := make([]Entry, 600)
	for i := range list {
		list[i] = New(int64(1+i*7%500), 1000, &below)
		list[i].Skill = string(rune('a' + i%26))
	}
	for b.Loop() {
		Order(slices.Clone(list), false)
	}
}
