package web

import (
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

func shareOf(share, margin figure.Tenths, base string) api.SkillsUnmetRow {
	return api.SkillsUnmetRow{AdvertsShare: api.Share{Tenths: share}, AdvertsMargin: api.Share{Tenths: margin}, AdvertsBase: base}
}

// A share is a whole per cent, with its margin where it is of fewer than 250 adverts, and what
// it is a share of is said in words.
func TestAdvertsShare(t *testing.T) {
	for _, c := range []struct {
		row         api.SkillsUnmetRow
		share, base string
	}{
		{shareOf(667, 639, "5-19"), "67% ±64", "a handful of adverts (5 to 19)"},
		{shareOf(225, 130, "50-99"), "23% ±13", "50 to 99 adverts"},
		{shareOf(224, 96, "100-249"), "22% ±10", "100 to 249 adverts"},
		{shareOf(4, 3, "100-249"), "&lt;1% ±1", "100 to 249 adverts"},
		{shareOf(0, 0, "100-249"), "0%", "100 to 249 adverts"},
		{shareOf(1000, 20, "250-999"), "100%", "250 to 999 adverts"},
		{shareOf(9, 10, "1000+"), "1%", "1,000 adverts or more"},
	} {
		if got := withoutTags(string(advertsShare(c.row))); got != c.share {
			t.Errorf("%v is %q, want %q", c.row.AdvertsShare, got, c.share)
		}
		if got := withoutTags(string(advertsBase(c.row))); got != c.base {
			t.Errorf("%s is %q, want %q", c.row.AdvertsBase, got, c.base)
		}
	}
}

func withoutTags(markup string) (text string) {
	for part := range strings.SplitSeq(markup, "<") {
		if _, after, ok := strings.Cut(part, ">"); ok {
			part = after
		}
		text += part
	}
	return text
}

// Two places are told apart only where their shares differ by more than chance.
func TestCompared(t *testing.T) {
	measured := figure.CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	for _, c := range []struct {
		here, there api.SkillsUnmetRow
		want        string
	}{
		{shareOf(667, 0, "5-19"), shareOf(333, 0, "5-19"), "no clear difference"},
		{shareOf(223, 0, "250-999"), shareOf(200, 0, "250-999"), "no clear difference"},
		{shareOf(300, 0, "250-999"), shareOf(153, 0, "250-999"), "+15"},
		{shareOf(20, 0, "1000+"), shareOf(105, 0, "250-999"), "−9"},
	} {
		r := comparedRow{SkillsUnmetRow: c.here, There: &c.there}
		r.compare(measured)
		if r.More != c.want || r.Unclear != (c.want == "no clear difference") {
			t.Errorf("%v and %v: %q, unclear %t", c.here.AdvertsShare, c.there.AdvertsShare, r.More, r.Unclear)
		}
	}
}

// A month without a find is a point at 0, and one that is not shown is a gap.
func TestMonthsUnderTheFloorAreGaps(t *testing.T) {
	month := func(bucket string, share figure.Tenths) bucketRow {
		r := shareOf(share, 0, "20-49")
		r.Bucket = &bucket
		return bucketRow{SkillsUnmetRow: r}
	}
	var got []string
	for _, p := range pointsOf([]bucketRow{month("2025-11", 50), month("2025-12", 0), month("2026-03", 70)}) {
		value := "gap"
		if p.Value != nil {
			value = shareInWords(*p.Value)
		}
		got = append(got, p.Label+" "+value)
	}
	if want := "Nov 25 5%, Dec 25 0%, Jan 26 gap, Feb 26 gap, Mar 26 7%"; strings.Join(got, ", ") != want {
		t.Errorf("the points are %s, want %s", strings.Join(got, ", "), want)
	}
}
