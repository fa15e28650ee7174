package snaptest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/periods"
)

// shownLists computes the rows of the tables lists and rankings in Go, as FORMAT.md defines them.
// Thus test snapshots do not depend on the pipeline's SQL queries.
type shownLists struct {
	month     time.Time // first day of the month of the snapshot's date (as_of)
	byFilters map[filters]*matches
	Lists     []snapshots.FilterCombinationsRow
	Rankings  []snapshots.RankingsRow
}

// filters is one combination of filters and a period. window is the length of the period in months.
// back is -1 if the period ends with the month of as_of. Otherwise back is the number of months
// from the first month of the period to the month of as_of.
type filters struct {
	source, soc, sector, place string
	window, back               int
}

// matches counts the adverts that match one combination of filters.
type matches struct {
	snapshots.FilterCombinationsRow
	employers       map[int32]bool
	sources, skills map[string]int32
}

// lists computes the rows of the tables lists and rankings from the adverts of the content.
func (c Content) lists(asOf time.Time) *shownLists {
	l := &shownLists{month: periods.MonthStart(asOf), byFilters: map[filters]*matches{}}
	for _, t := range c.AdvertsTotal {
		for _, f := range l.matching(t.Source, t.SOC, t.Sector, t.Place, t.Month) {
			l.add(f, t)
		}
	}
	for _, a := range c.Adverts {
		for _, f := range l.matching(a.Source, a.SOC, a.Sector, a.Place, a.Month) {
			if of := l.byFilters[f]; of != nil {
				of.skills[a.Skill] += a.Adverts
			}
		}
	}
	l.number()
	return l
}

// matching returns every combination of filters that matches an advert with the given source,
// occupation, sector, place and month. It returns nil if the month is not in the longest window.
func (l *shownLists) matching(source, soc, sector, place string, month time.Time) (all []filters) {
	back := (l.month.Year()-month.Year())*12 + int(l.month.Month()) - int(month.Month())
	if back < 0 || back >= periods.LongestWindow {
		return nil
	}
	for _, ofSource := range withAny(source) {
		for _, ofSector := range withAny(sector) {
			for digits := range len(soc) + 1 {
				f := filters{ofSource, soc[:digits], ofSector, place, 1, back}
				all = append(all, f)
				if first := back + (int(month.Month())-1)%3; first < periods.LongestWindow {
					f.window, f.back = 3, first
					all = append(all, f)
				}
				for _, window := range periods.Windows() {
					if f.window, f.back = window, -1; back < window {
						all = append(all, f)
					}
				}
			}
		}
	}
	return all
}

// withAny returns the values of a filter that match value. These are "", which matches everything,
// and value itself. If value is "", the result is only "".
func withAny(value string) []string {
	return slices.Compact([]string{"", value})
}

// add adds the counts in a row of adverts_total to the counts for the combination of filters f.
func (l *shownLists) add(f filters, t snapshots.AdvertsTotalRow) {
	of := l.byFilters[f]
	if of == nil {
		of = &matches{employers: map[int32]bool{}, sources: map[string]int32{}, skills: map[string]int32{}}
		l.byFilters[f] = of
	}
	of.Adverts += t.Adverts
	of.InCouncil += t.InCouncil
	of.InArea += t.InArea
	of.sources[t.Source]++
	for _, e := range []*int32{&t.Employer1, t.Employer2, t.Employer3} {
		if e != nil {
			of.employers[*e] = true
		}
	}
}

// number sorts the combinations of filters, numbers them from 1, and adds their rankings. It leaves
// out combinations with fewer than 5 adverts or fewer than 3 employers.
func (l *shownLists) number() {
	shown := slices.DeleteFunc(slices.Collect(maps.Keys(l.byFilters)), func(f filters) bool {
		return l.byFilters[f].Adverts < 5 || len(l.byFilters[f].employers) < 3
	})
	slices.SortFunc(shown, func(a, b filters) int {
		return cmp.Or(a.window-b.window, b.back-a.back, strings.Compare(a.source, b.source),
			strings.Compare(a.soc, b.soc),
			strings.Compare(a.sector, b.sector), strings.Compare(a.place, b.place))
	})
	for i, f := range shown {
		of := l.byFilters[f]
		row := of.FilterCombinationsRow
		row.List = int32(i + 1)
		row.WindowMonths = int8(f.window)
		row.Source = f.source
		row.SOC = f.soc
		row.Sector = f.sector
		row.Place = f.place
		row.Sources = strings.Join(slices.Sorted(maps.Keys(of.sources)), ",")
		if f.back >= 0 {
			row.Month = ptr(l.month.AddDate(0, -f.back, 0))
		} else {
			for skill, adverts := range of.skills {
				l.Rankings = append(l.Rankings, snapshots.RankingsRow{List: row.List, Skill: skill, Adverts: adverts})
			}
		}
		l.Lists = append(l.Lists, row)
	}
}

// withLevels returns the rows of the table skills and fills in missing levels. A missing level
// becomes the one that adverts of the longest window require most often, or the lowest of several
// equally frequent ones. If no such advert requires the skill, it becomes the skill's reference
// level.
func (c Content) withLevels(asOf time.Time) []snapshots.SkillsRow {
	asked, skills := map[string]map[int8]int32{}, slices.Clone(c.Skills)
	since := periods.WindowStart(asOf, periods.LongestWindow)
	for _, a := range c.Adverts {
		if a.AreaKind == snapshots.AreaKindAll && !a.Month.Before(since) && !a.Month.After(asOf) {
			if asked[a.Skill] == nil {
				asked[a.Skill] = map[int8]int32{}
			}
			asked[a.Skill][a.Level] += a.Adverts
		}
	}
	for i := range skills {
		s := &skills[i]
		if s.Level != 0 {
			continue
		}
		s.Level = s.ReferenceLevel
		of := asked[s.Skill]
		for _, level := range slices.Sorted(maps.Keys(of)) {
			most := of[s.Level]
			isLowerOfEqual := of[level] == most && level < s.Level
			if most == 0 || of[level] > most || isLowerOfEqual {
				s.Level = level
			}
		}
	}
	return skills
}
