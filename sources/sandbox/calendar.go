package sandbox

import (
	"math"
	"time"

	"labour/sources"
)

// seasons are how many adverts a month has beside the average.
var seasons = [...]float64{time.January: 1.15, time.February: 1.05, time.March: 1.1, time.April: 1, time.May: 1.05, time.June: 1,
	time.July: 0.9, time.August: 0.75, time.September: 1.2, time.October: 1.15, time.November: 1, time.December: 0.6}

// calendar draws days on which adverts are posted.
type calendar struct {
	start sources.Date
	upTo  wheel // by day from start
}

// calendar is that of the 24 months: seasons, slow growth, few weekends.
func (w *World) calendar() calendar {
	start := w.windowStart()
	n := days(start, w.asOf) + 1
	return calendar{start: start, upTo: newWheel(n, func(i int) float64 {
		t := start.Time().AddDate(0, 0, i)
		weight := seasons[t.Month()] * (1 + 0.25*float64(i)/float64(n))
		if day := t.Weekday(); day == time.Saturday || day == time.Sunday {
			weight *= 0.15
		}
		return weight
	})}
}

func (d calendar) draw(c chance) sources.Date { return d.at(c.Float64()) }

// at is the day up to which a share of all adverts is posted; the share is 0 to 1.
func (d calendar) at(share float64) sources.Date { return d.start.AddDays(d.upTo.at(share)) }

// tides are occupations of the platform whose adverts grow or shrink over the 24 months
// against all others, so that the dataset trends has each direction.
var tides = map[string]float64{"2134": 1, "9252": 1, "7111": -1, "7211": -1}

// tide moves a share of all adverts later for a growing occupation and earlier for a
// shrinking one. Growing ones have 0.4 times the adverts of others at the beginning and
// 1.6 times at the end, shrinking ones the reverse.
func tide(soc string, share float64) float64 {
	const steep = 0.6
	at := tides[soc] * steep
	if at == 0 {
		return share
	}
	return (at - 1 + math.Sqrt((1-at)*(1-at)+4*at*share)) / (2 * at)
}
