package web

import (
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// The occupation of a sector is one with many adverts, not a small one with a larger share.
func TestOccupationOfMostAdverts(t *testing.T) {
	row := func(soc, base string, tenths int64) api.SkillsUnmetRow {
		return api.SkillsUnmetRow{Bucket: &soc, AdvertsBase: base, AdvertsShare: api.Share{Tenths: figure.Tenths(tenths)}}
	}
	for want, rows := range map[string][]api.SkillsUnmetRow{
		"6135": {row("1233", "5-19", 1000), row("6135", "250-999", 700), row("2231", "20-49", 990)},
		"2231": {row("6135", "250-999", 700), row("2231", "250-999", 710)},
		"1233": {row("1233", "1000+", 10), row("6135", "250-999", 700)},
	} {
		if got := *ofMostAdverts(rows).Bucket; got != want {
			t.Errorf("the occupation of most adverts is %s, want %s", got, want)
		}
	}
}
