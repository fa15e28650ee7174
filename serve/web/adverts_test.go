package web

import (
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

func shareOf(share, margin figure.Tenths, base string) api.SkillsUnmetRow {
	return api.SkillsUnmetRow{AdvertsShare: api.Share{Tenths: share}, AdvertsMargin: api.Share{Tenths: margin},
		AdvertsBase: base}
}

// A share is a whole per cent, with its margin where it is of 20 to 249 adverts, and what it is a share
// of is said in words: a handful has these words only.
func TestAdvertsShare(t *testing.T) {
	for _, c := range []struct {
		row         api.SkillsUnmetRow
		share, base string
	}{
		{shareOf(667, 639, "5-19"), "67%", "a handful of 5 to 19 adverts"},
		{shareOf(225, 130, "50-99"), "23% ±13", "50 to 99 adverts"},
		{shareOf(224, 96, "100-249"), "22% ±10", "100 to 249 adverts"},
		{shareOf(4, 3, "100-249"), "&lt;1% ±1", "100 to 249 adverts"},
		{shareOf(0, 0, "100-249"), "none", "100 to 249 adverts"},
		{shareOf(0, 0, "250-999"), "0%", "250 to 999 adverts"},
		{shareOf(1000, 594, "5-19"), "100%", "a handful of 5 to 19 adverts"},
		{shareOf(1000, 20, "250-999"), "100%", "250 to 999 adverts"},
		{shareOf(996, 20, "250-999"), "&gt;99%", "250 to 999 adverts"},
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

// askedOf is a row with a share of so many adverts.
func askedOf(asking, adverts int64) api.SkillsUnmetRow {
	sample := figure.AdvertSample{Requiring: asking, Adverts: adverts}
	r := shareOf(sample.Share(), 0, figure.BaseOf(adverts).Band)
	r.AdvertsSample = sample
	return r
}

// Two places differ only where their shares differ by more than chance.
func TestCompared(t *testing.T) {
	measured := figure.CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	for _, c := range []struct {
		here, there api.SkillsUnmetRow
		want        string
	}{
		{askedOf(6, 9), askedOf(3, 9), "no clear difference"},
		{askedOf(67, 300), askedOf(60, 300), "no clear difference"},
		{askedOf(90, 300), askedOf(46, 300), "+15"},
		{askedOf(20, 1000), askedOf(42, 400), "−9"},
	} {
		r := comparedRow{SkillsUnmetRow: c.here, OtherPlace: &c.there}
		r.compare(measured, c.there.AdvertsSample, &c.there)
		if r.More != c.want || r.Unclear != (c.want == "no clear difference") {
			t.Errorf("%v and %v: %q, unclear %t", c.here.AdvertsSample, c.there.AdvertsSample, r.More, r.Unclear)
		}
	}
}

// A share of adverts in whole per cents is rounded once, and not after it was rounded to tenths.
func TestSharesAreRoundedOnce(t *testing.T) {
	for _, c := range []struct {
		asking, adverts int64
		want            string
	}{{5, 11, "45%"}, {1, 8, "13%"}, {6, 11, "55%"}, {3, 22, "14%"}, {0, 11, "none"}, {9, 2000, "&lt;1%"}} {
		row := askedOf(c.asking, c.adverts)
		if got, _, _ := strings.Cut(withoutTags(string(advertsShare(row))), " "); got != c.want {
			t.Errorf("%d of %d is %q, want %q", c.asking, c.adverts, got, c.want)
		}
		whole := (2*100*c.asking + c.adverts) / (2 * c.adverts)
		if once := wholePoints(roundedOnce(row.AdvertsShare.Tenths, row.AdvertsSample)); once != whole {
			t.Errorf("%d of %d rounds to %d, want %d", c.asking, c.adverts, once, whole)
		}
	}
}
