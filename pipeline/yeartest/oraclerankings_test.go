package yeartest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// list is what a combination of filters matches.
type list struct {
	adverts, inCouncil, inArea int
	employers                  map[int]bool
	sources                    map[string]bool
	asking                     map[string]int // adverts by skill
}

// filters returns every combination of filters that matches an advert, in the order in which the
// table is sorted: window, month, source, occupation, sector, place.
func (a counted) filters(asOf string) []string {
	back := monthsBack(a.month, asOf)
	times := []string{line(1, a.month+"-01")}
	if first := firstOfQuarter(a.month); monthsBack(first, asOf) < 24 {
		times = append(times, line(3, first+"-01"))
	}
	for _, window := range []int{3, 6, 12, 24} {
		if back < window {
			times = append(times, line(window, "null"))
		}
	}
	var all []string
	for _, when := range times {
		for _, source := range []string{"", a.source} {
			for n := 0; n <= len(a.soc); n++ {
				for _, sector := range slices.Compact([]string{"", a.sector}) {
					for _, place := range a.places() {
						all = append(all, line(when, source, a.soc[:n], sector, place[1]))
					}
				}
			}
		}
	}
	return all
}

// firstOfQuarter returns the first month of the calendar quarter of a month.
func firstOfQuarter(month string) string {
	m := day(month + "-01")
	return m.AddDate(0, -(int(m.Month())-1)%3, 0).Format("2006-01")
}

// lists returns the combinations of filters that are shown, which are those of at least 5 adverts of
// at least 3 employers, and the skills that their adverts ask for.
func (k *known) lists(r rules, asOf string) (lists, rankings figures) {
	all := map[string]*list{}
	for _, a := range k.adverts(asOf) {
		if back := monthsBack(a.month, asOf); back < 0 || back >= 24 || len(a.skills) == 0 {
			continue
		}
		for _, of := range a.filters(asOf) {
			if all[of] == nil {
				all[of] = &list{employers: map[int]bool{}, sources: map[string]bool{}, asking: map[string]int{}}
			}
			all[of].add(a, r)
		}
	}
	lists, rankings = figures{}, figures{}
	for of, l := range all {
		if l.adverts < 5 || len(l.employers) < 3 {
			continue
		}
		lists[of] = line(l.adverts, l.inCouncil, l.inArea, strings.Join(slices.Sorted(maps.Keys(l.sources)), ","))
		for skill, n := range l.asking {
			if strings.Contains(of, "| null |") { // single months and quarters have no rankings
				rankings[line(of, skill)] = fmt.Sprint(n)
			}
		}
	}
	return lists, rankings
}

func (l *list) add(a counted, r rules) {
	l.adverts++
	l.employers[a.employer], l.sources[a.source] = true, true
	if len(a.boroughs) > 0 {
		l.inCouncil++
	}
	if a.areaOnly {
		l.inArea++
	}
	for _, s := range a.skills {
		if _, ok := r.skill(s.Skill); ok {
			l.asking[s.Skill]++
		}
	}
}

// levels returns the one level of each skill: what most counted adverts of 24 months ask for, the
// lower one on a tie, and the register's usual one where none asks.
func (k *known) levels(r rules, asOf string) figures {
	asked := map[string][6]int{}
	for _, a := range k.adverts(asOf) {
		if back := monthsBack(a.month, asOf); back < 0 || back >= 24 {
			continue
		}
		for _, s := range a.skills {
			n := asked[s.Skill]
			n[r.level(s)]++
			asked[s.Skill] = n
		}
	}
	table := figures{}
	for _, s := range r.skills {
		usual, most := r.level(ask{Skill: s.slug}), 0
		for level, n := range asked[s.slug] {
			if n > most {
				usual, most = level, n
			}
		}
		table[s.slug] = fmt.Sprint(usual)
	}
	return table
}
