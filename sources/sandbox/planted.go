package sandbox

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"labour/sources"
)

var (
	placesAbroad  = []string{"Paris", "Berlin, Germany", "New York, NY", "Dublin, Ireland"}
	placesNowhere = []string{"Remote", "EMEA", "Multiple locations"}
)

// plant is one way in which adverts are made so that a rule excludes them, or counts
// them for a reason of their own.
type plant struct {
	share  float64
	change func(*World, chance, *vacancy)
}

// What is planted among the adverts that the platform alone has, on boards and at
// the apprenticeship service. The last one of the platform is counted: adverts from
// boards that are not read.
var (
	onPlatform = []plant{
		{0.05, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginJobBoard }},
		{0.025, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginAggregator }},
		{0.02, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginUnknown }},
		{0.02, func(_ *World, _ chance, v *vacancy) { v.unlisted = true }},
		{0.0003, func(w *World, c chance, v *vacancy) { v.postedOn(w.asOf.AddDays(c.between(1, 10))) }},
		{0.002, func(w *World, c chance, v *vacancy) { v.postedOn(w.windowStart().AddDays(-c.between(1, 60))) }},
		{0.06, func(_ *World, _ chance, v *vacancy) { v.origin = sources.OriginEmployerBoard }},
	}
	onBoards = []plant{
		{0.06, func(_ *World, c chance, v *vacancy) { v.place, v.boroughs, v.remote = c.pick(placesAbroad), nil, false }},
		{0.03, func(_ *World, c chance, v *vacancy) { v.place, v.boroughs, v.remote = c.pick(placesNowhere), nil, true }},
		{0.03, func(_ *World, _ chance, v *vacancy) { v.unlisted = true }},
		{0.004, func(_ *World, _ chance, v *vacancy) { v.posted = sources.Date{} }},
		{0.001, func(_ *World, _ chance, v *vacancy) { v.unreadable = true }},
	}
	onService = []plant{
		{0.03, func(_ *World, _ chance, v *vacancy) { v.imported, v.origin = true, sources.OriginJobBoard }},
	}
)

// postedOn moves an advert to another day.
func (v *vacancy) postedOn(day sources.Date) { v.posted, v.closes = day, day.AddDays(30) }

// plantAmong changes some of the adverts of a source, by each kind its share of those
// that are left, and at least one, so that every kind occurs in every world.
func (w *World) plantAmong(c chance, all []vacancy, kinds []plant) {
	left := c.Perm(len(all))
	for _, k := range kinds {
		n := min(max(int(k.share*float64(len(left))), 1), len(left))
		for _, i := range left[:n] {
			k.change(w, c, &all[i])
			all[i].planted = true
		}
		left = left[n:]
	}
}

// The starts of a borough in the last year that are corrected: one is printed ten times
// too large, the other was withdrawn by its publisher after it was out.
const (
	misprinted = "E09000007"
	tooLarge   = "Business, Administration and Law"
	withdrawn  = "Health, Public Services and Care"
)

// Corrections is a file of corrections for what is wrong with the statistics.
func (w *World) Corrections() []byte {
	last := w.lastStatistics()
	printed := string(w.table(last, "starts", startsInEngland))
	var b bytes.Buffer
	b.WriteString("corrections:\n")
	for _, subject := range []string{tooLarge, withdrawn} {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^%d.*,%s,.*,%q,Total,Total,([0-9]+)$`, last-1, misprinted, subject)).FindStringSubmatch(printed)
		if row == nil { // the figure is held back
			continue
		}
		right, reason := "null", "The publisher withdrew the figure."
		if subject == tooLarge {
			right, reason = strings.TrimSuffix(row[1], "0"), "The publisher printed a digit too many."
		}
		fmt.Fprintf(&b, "  - {source: dfe_apprenticeships, kind: statistic, record: \"apprenticeship_starts %s %d-07-31 %s\", field: value, old: \"%s\", new: \"%s\", reason: %s, by: Sandbox, decided: %s}\n",
			misprinted, last, subject, row[1], right, reason, w.asOf)
	}
	return b.Bytes()
}
