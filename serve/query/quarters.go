package query

import (
	"context"
	"slices"
	"time"

	"labour/serve/api"
	"labour/snapshots/periods"
)

// monthDemand is the number of adverts in one month that require a skill. Skill is the number of
// the skill in the tables. Back is how many months the month is before the current one; 0 means the
// current month.
type monthDemand struct{ Skill, Back, Adverts int32 }

// quarterMonths is the length of a quarter in months.
const quarterMonths = 3

// SkillsUnmetByQuarter returns one row for each calendar quarter, the oldest first. A quarter has a
// row if enough of its adverts match the filters of q, even if a single month of it has too few.
func (s *Snapshot) SkillsUnmetByQuarter(ctx context.Context,
	q api.SkillsUnmetQuery) (page api.Page[api.Quarter], err error) {
	q.By, q.Window = api.ByMonth, periods.LongestWindow
	arguments := s.filter(q)
	if arguments == nil {
		return page, ctx.Err()
	}
	arguments["window"] = quarterMonths
	shown, err := all[list](ctx, s, listsOf, arguments)
	if err != nil || len(shown) == 0 {
		return page, err
	}
	found, err := all[monthDemand](ctx, s, advertsAskingByMonth, arguments)
	if err != nil {
		return page, err
	}
	used := map[string]bool{api.PlatformKey: true}
	quarters := map[time.Time]*api.Quarter{}
	for _, l := range shown {
		from := s.monthBack(l.Back)
		quarters[from] = &api.Quarter{From: from, Adverts: l.Adverts, AdvertsBySkill: map[string]int64{}}
		for _, key := range l.Sources {
			used[key] = true
		}
	}
	for _, a := range found {
		if quarter := quarters[periods.QuarterStart(s.monthBack(int(a.Back)))]; quarter != nil {
			quarter.AdvertsBySkill[s.namedValues[api.Skills][a.Skill-1].Value] += int64(a.Adverts)
		}
	}
	for _, quarter := range quarters {
		page.Rows = append(page.Rows, *quarter)
	}
	slices.SortFunc(page.Rows, func(a, b api.Quarter) int { return a.From.Compare(b.From) })
	page.Sources = s.sourcesOf(used)
	return page, nil
}

// monthBack returns the first day of the month that is the given number of months before the month
// of the snapshot. The number 0 means the month of the snapshot.
func (s *Snapshot) monthBack(months int) time.Time {
	return periods.MonthStart(s.AsOf()).AddDate(0, -months, 0)
}
