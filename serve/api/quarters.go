package api

import (
	"time"

	"labour/snapshots/figure"
)

// Quarter holds the numbers of adverts of a calendar quarter that match a query. Only significance
// tests use these exact numbers; pages show shares.
type Quarter struct {
	From           time.Time // first day of the quarter
	Adverts        int64
	AdvertsBySkill map[string]int64 // adverts that require a skill, by slug; a skill that is missing has none
}

// AdvertsRequiring returns how many of the adverts of the quarter require a skill.
func (q Quarter) AdvertsRequiring(skill string) figure.Sample {
	return figure.Sample{Requiring: q.AdvertsBySkill[skill], Adverts: q.Adverts}
}

// LastDay returns the last day of the quarter.
func (q Quarter) LastDay() time.Time { return q.From.AddDate(0, 3, -1) }

// QuarterStart returns the first day of the quarter that contains a day.
func QuarterStart(day time.Time) time.Time {
	first := day.Month() - (day.Month()-1)%3
	return time.Date(day.Year(), first, 1, 0, 0, 0, 0, time.UTC)
}
