package api

import (
	"time"

	"labour/snapshots/figure"
)

// Quarter holds the exact numbers of adverts of one calendar quarter that match a query. Only
// significance tests use them; pages show shares.
type Quarter struct {
	From    time.Time // first day of the quarter
	Adverts int64
	// number of adverts that require a skill, by skill slug; 0 if the slug is missing
	AdvertsBySkill map[string]int64
}

// AdvertsRequiring returns how many of the quarter's adverts require a skill, and how many adverts
// there are. skill is a slug.
func (q Quarter) AdvertsRequiring(skill string) figure.AdvertSample {
	return figure.AdvertSample{Requiring: q.AdvertsBySkill[skill], Adverts: q.Adverts}
}
