package query

import (
	"context"
	"slices"
	"time"

	"labour/serve/api"
)

// cellMonths is the number of past months whose adverts can be counted month by month.
const cellMonths = 24

// monthAsking is the number of adverts of one month that require a skill. Back counts months before
// the current one, from 0.
type monthAsking struct{ Skill, Back, Adverts int32 }

// quarterMonths is the length of a quarter in months.
const quarterMonths = 3

// SkillsUnmetByQuarter returns one row for each calendar quarter in which enough adverts match the
// filters of q, oldest first. A quarter's adverts are the sum over its months.
func (s *Snapshot) SkillsUnmetByQuarter(ctx context.Context,
	q api.SkillsUnmetQuery) (page api.Page[api.Quarter], err error) {
	q.By, q.Window = api.ByMonth, cellMonths
	arguments := s.filter(q)
	if arguments == nil {
		return page, ctx.Err()
	}
	arguments["window"] = quarterMonths
	shown, err := all[list](ctx, s, listsOf, arguments)
	if err != nil || len(shown) == 0 {
		return page, err
	}
	found, err := all[monthAsking](ctx, s, demandByMonth, arguments)
	if err != nil {
		return page, err
	}
	used := map[string]bool{ownSource: true}
	quarters := map[time.Time]*api.Quarter{}
	for _, l := range shown {
		from := s.monthBack(l.Back)
		quarters[from] = &api.Quarter{From: from, Adverts: l.Adverts, AdvertsBySkill: map[string]int64{}}
		for _, key := range l.Sources {
			used[key] = true
		}
	}
	for _, a := range found {
		if quarter := quarters[api.QuarterStart(s.monthBack(int(a.Back)))]; quarter != nil {
			quarter.AdvertsBySkill[s.namedValues[api.Skills][a.Skill-1].Value] += int64(a.Adverts)
		}
	}
	for _, quarter := range quarters {
		page.Rows = append(page.Rows, *quarter)
	}
	slices.SortFunc(page.Rows, func(a, b api.Quarter) int { return a.From.Compare(b.From) })
	page.Sources = s.entries(used)
	return page, nil
}

// monthBack returns the first day of the month that lies the given number of months before the
// month of AsOf.
func (s *Snapshot) monthBack(months int) time.Time { return monthOf(s.AsOf()).AddDate(0, -months, 0) }
