package query

import (
	"context"
	"slices"
	"time"

	"labour/serve/api"
)

// cellMonths is how many months of cells and lists of single months there are.
const cellMonths = 24

// monthAsking is how many adverts of a month ask for a skill. The types are those of the columns.
type monthAsking struct{ Skill, Back, Adverts int32 }

// Quarters sums the months that have a list into calendar quarters. A quarter in which no month
// has one is left out.
func (s *Snapshot) Quarters(ctx context.Context, q api.SkillsUnmetQuery) (page api.Page[api.Quarter], err error) {
	q.By, q.Window = api.ByMonth, cellMonths
	arguments := s.filter(q)
	if arguments == nil {
		return page, ctx.Err()
	}
	months, err := all[list](ctx, s, listsOf, arguments)
	if err != nil || len(months) == 0 {
		return page, err
	}
	found, err := all[monthAsking](ctx, s, askedByMonth, arguments)
	if err != nil {
		return page, err
	}
	used := map[string]bool{ownSource: true}
	quarters, shown := map[time.Time]*api.Quarter{}, map[int]*api.Quarter{} // shown is by months back
	for _, m := range months {
		from := api.QuarterOf(monthOf(s.AsOf()).AddDate(0, -m.Back, 0))
		if quarters[from] == nil {
			quarters[from] = &api.Quarter{From: from, Asking: map[string]int64{}}
		}
		quarters[from].Adverts += m.Adverts
		shown[m.Back] = quarters[from]
		for _, key := range m.Sources {
			used[key] = true
		}
	}
	for _, a := range found {
		if quarter := shown[int(a.Back)]; quarter != nil {
			quarter.Asking[s.named[api.Skills][a.Skill-1].Value] += int64(a.Adverts)
		}
	}
	for _, quarter := range quarters {
		page.Rows = append(page.Rows, *quarter)
	}
	slices.SortFunc(page.Rows, func(a, b api.Quarter) int { return a.From.Compare(b.From) })
	page.Sources = s.entries(used)
	return page, nil
}
