package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"labour/pipeline/coding"
	"labour/pipeline/counting"
	"labour/sources"
)

// newVacancy makes the vacancy of an advert, without places. kept is the number of the advert that is kept
// for the vacancy.
func (o *oracle) newVacancy(a *sources.Advert, coded *coding.CodedAdvert, kept int) *vacancy {
	v := &vacancy{source: firstPosted(*a), sector: coded.Sector, soc: coded.SOC,
		employer: counting.NormaliseEmployer(a.Employer), boroughs: map[string]bool{}, areas: map[string]bool{},
		asked: map[string]int{}}
	for _, k := range coded.Skills {
		v.asked[k.Skill] = int(cmp.Or(k.Level, o.skills[k.Skill].Level))
	}
	if v.employer == "" {
		v.employer = fmt.Sprint("advert ", kept)
	}
	return v
}

// addPlaces adds the places of an advert to those of its vacancy.
func (v *vacancy) addPlaces(coded *coding.CodedAdvert, slugs map[string]string) {
	for _, code := range coded.Place.Councils {
		if slug, ok := slugs[code]; ok {
			v.boroughs[slug] = true
		}
	}
	for _, area := range coded.Place.ServedAreas {
		v.areas[area] = true
	}
}

// countedMonth is a month in which a vacancy counts, with the adverts that count in it, by number.
type countedMonth struct {
	month   int
	adverts []int
}

// monthsOf are the months in which a vacancy counts: a vacancy that is advertised again counts in each
// month. But adverts of a month that all follow those of the months before by less than 14 days count
// in the month before.
func monthsOf(adverts []sources.Advert, members []int) (counted []countedMonth) {
	months := map[int][]int{}
	for _, i := range members {
		month := monthNumber(adverts[i].Posted)
		months[month] = append(months[month], i)
	}
	var before sources.Date
	for _, month := range slices.Sorted(maps.Keys(months)) {
		last := adverts[months[month][0]].Posted
		for _, i := range months[month] {
			if last.Before(adverts[i].Posted) {
				last = adverts[i].Posted
			}
		}
		if n := len(counted); n > 0 && last.Before(before.AddDays(14)) {
			counted[n-1].adverts = append(counted[n-1].adverts, months[month]...)
		} else {
			counted = append(counted, countedMonth{month, months[month]})
		}
		before = last
	}
	return counted
}

// firstOfMonth is the advert that stands for a vacancy in a month without the advert that is kept: the
// first by source, day and id.
func firstOfMonth(adverts []sources.Advert, members []int) int {
	rank := func(a sources.Advert) int { return slices.Index(advertPrecedence, a.Source) }
	return slices.MinFunc(members, func(x, y int) int {
		a, b := adverts[x], adverts[y]
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Posted.Time().Compare(b.Posted.Time()), cmp.Compare(a.ID, b.ID))
	})
}
