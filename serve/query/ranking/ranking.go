// Package ranking orders the rows of skills not met and finds the page after a
// row. It knows no database: what it is given are counts and printed shares, and
// everything it computes can be computed again from the printed row.
package ranking

import (
	"cmp"
	"slices"
	"strings"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

// Entry is one skill, or one bucket of a skill, before it is named in full.
type Entry struct {
	Code    int32  // what the caller finds it again by
	Skill   string // skill slug
	Bucket  string // bucket slug; empty without a breakdown
	Usual   int    // level usually asked, 0 = none stated
	Sources uint64 // mask of the sources of its adverts

	Share figure.Tenths  // adverts_share_pct
	Below *figure.Tenths // people_below_share_pct; nil = not published
	Score *int64         // hundredths; nil when Below is
	Rank  int            // from 1, set by Order
}

// New is the entry of a count of adverts among all that match, which must be
// above 0. The score comes from the printed shares: "score = adverts_share_pct ×
// people_below_share_pct / 100".
func New(adverts, all int64, below *figure.Tenths) Entry {
	e := Entry{Share: figure.ShareTenths(adverts, all), Below: below}
	if below != nil {
		score := figure.ScoreHundredths(e.Share, *below)
		e.Score = &score
	}
	return e
}

// Order sorts and numbers the entries: "score descending, nulls last, then
// adverts_share_pct descending, then skill", then bucket. In calendar order only
// the bucket counts. Nothing that is not printed has a part in it (R9).
func Order(entries []Entry, calendar bool) {
	slices.SortFunc(entries, func(a, b Entry) int { return compare(a, b, calendar) })
	for i := range entries {
		entries[i].Rank = i + 1
	}
}

func compare(a, b Entry, calendar bool) int {
	if calendar {
		return strings.Compare(a.Bucket, b.Bucket)
	}
	return cmp.Or(cmp.Compare(sortable(b.Score), sortable(a.Score)), cmp.Compare(b.Share, a.Share),
		strings.Compare(a.Skill, b.Skill), strings.Compare(a.Bucket, b.Bucket))
}

// sortable puts a score that is not published below every score.
func sortable(score *int64) int64 {
	if score == nil {
		return -1
	}
	return *score
}

// Page is the entries after a row, at most limit, and whether more follow. The
// row is found by its sort key, not by its rank, so that it also has its place in
// a list with other filters. Entries must be in order.
func Page(entries []Entry, after *labourdata.SkillsUnmetPosition, limit int, calendar bool) (page []Entry, more bool) {
	if after != nil {
		last := Entry{Skill: after.Skill, Bucket: after.Bucket, Share: figure.Tenths(after.AdvertsShare), Score: after.Score}
		first, _ := slices.BinarySearchFunc(entries, last, func(e, last Entry) int {
			if compare(e, last, calendar) > 0 {
				return 1
			}
			return -1
		})
		entries = entries[first:]
	}
	if len(entries) > limit {
		return entries[:limit], true
	}
	return entries, false
}
