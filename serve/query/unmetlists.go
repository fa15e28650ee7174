package query

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// list describes a stored ranking of skills for one combination of filters. A combination has a
// ranking only if enough adverts match it.
type list struct {
	Number             int
	Place, Sector, SOC int // numbers that stand for the filter values in the tables; 0 = no filter
	// number of months from the month of the list to the current month; a quarter counts as its
	// first month
	Back              int
	Adverts           int64
	InCouncil, InArea int64
	Sources           api.Keys
}

// skillDemand is a number of adverts that require a skill. Bucket is the number of that skill. In a
// breakdown of one skill, it is the number of a stored ranking, a level or a month instead.
type skillDemand struct{ Bucket, Adverts int32 }

// SkillsUnmet ranks the skills that adverts require and residents lack. If q has a skill and a
// breakdown, it ranks the places, sectors or other values of the breakdown instead. With a
// breakdown by sector but no skill, it returns the top skill of each sector.
func (s *Snapshot) SkillsUnmet(ctx context.Context,
	q api.SkillsUnmetQuery) (page api.Page[api.SkillsUnmetRow], err error) {
	page.People = s.peopleOf(q)
	if q.By == api.BySector && q.Skill == "" {
		return s.addTopBySector(ctx, q, page)
	}
	arguments := s.filter(q)
	if arguments == nil {
		page.TooFewAdverts = true
		return page, ctx.Err()
	}
	lists, err := all[list](ctx, s, listsOf, arguments)
	if q.By == api.BySOC { // only unit groups are buckets
		lists = slices.DeleteFunc(lists, func(l list) bool { return l.SOC%10 != fullDigits })
	}
	if page.TooFewAdverts = err == nil && len(lists) == 0; err != nil || page.TooFewAdverts {
		return page, err
	}
	rows, err := s.rows(ctx, q, arguments, lists)
	if err != nil || len(rows) == 0 {
		return page, err
	}
	rows, page.More = s.page(q, rows)
	if err := s.addAPIRows(ctx, q, rows, &page); err != nil {
		return api.Page[api.SkillsUnmetRow]{}, err
	}
	if q.By == "" && len(rows) > 0 {
		page.Placed = placement(rows[0].list)
	}
	return page, nil
}

// rows returns the unsorted rows of a ranking. There is one row for each skill that matches the
// query. In a breakdown there is one row for each place, sector, occupation, level or month
// instead. lists holds the stored rankings for the filters of the query, at least one.
func (s *Snapshot) rows(ctx context.Context, q api.SkillsUnmetQuery, arguments map[string]any,
	lists []list) ([]rankedRow, error) {
	found, err := s.demandOf(ctx, q, arguments, &lists[0])
	if err != nil {
		return nil, err
	}
	if q.By != "" && q.By != api.ByLevel {
		return s.buckets(q, arguments, lists, found), nil
	}
	rows := make([]rankedRow, 0, len(found))
	for _, a := range found {
		r := rankedRow{skill: int(a.Bucket), list: &lists[0], level: int(q.Level)}
		if q.By == api.ByLevel {
			r.skill = arguments["skill"].(int)
			r.level = int(a.Bucket)
			r.bucket = strconv.Itoa(int(a.Bucket))
		}
		rows = append(rows, s.addShares(r, int64(a.Adverts), lists[0].Place))
	}
	return rows, nil
}

// demandOf returns the number of adverts that require each skill. In a breakdown it returns the
// number of adverts in each place, sector, occupation, level or month that require the skill of the
// query. first is the first stored ranking that matches the query.
func (s *Snapshot) demandOf(ctx context.Context, q api.SkillsUnmetQuery, arguments map[string]any,
	first *list) ([]skillDemand, error) {
	switch {
	case q.Level != 0 || q.By == api.ByLevel || q.By == api.ByMonth:
		return all[skillDemand](ctx, s, advertsAsking, arguments)
	case q.By == "":
		return all[skillDemand](ctx, s, ranking, map[string]any{"list": first.Number})
	}
	return all[skillDemand](ctx, s, breakdown, arguments)
}

// buckets returns one row for each stored ranking in lists: a place, sector, occupation or month in
// the breakdown of a skill. found holds the numbers of adverts that require the skill. A row
// without such adverts is left out, unless q.Zeros is true or the breakdown is by month.
func (s *Snapshot) buckets(q api.SkillsUnmetQuery, arguments map[string]any, lists []list,
	found []skillDemand) (rows []rankedRow) {
	adverts := make(map[int]int32, len(found))
	for _, a := range found {
		adverts[int(a.Bucket)] = a.Adverts
	}
	for i := range lists {
		l := &lists[i]
		number, bucket := s.bucketOf(q.By, l)
		if q.Level == 0 && q.By != api.ByMonth {
			number = l.Number
		}
		n, ok := adverts[number]
		hasZero := q.By == api.ByMonth || q.Zeros
		if !ok && !hasZero {
			continue
		}
		r := rankedRow{skill: arguments["skill"].(int), bucket: bucket, list: l, level: int(q.Level),
			isArea: q.By == api.ByPlace && s.isArea(bucket)}
		rows = append(rows, s.addShares(r, int64(n), l.Place))
	}
	return rows
}

// bucketOf returns the place, sector, month or occupation of a stored ranking, as its number in the
// tables and as its value.
func (s *Snapshot) bucketOf(by api.Breakdown, l *list) (int, string) {
	switch by {
	case api.ByPlace:
		return l.Place, s.values[api.Places][l.Place-1]
	case api.BySector:
		return l.Sector, s.values[api.Sectors][l.Sector-1]
	case api.ByMonth:
		return l.Back, s.monthBack(l.Back).Format("2006-01")
	}
	return l.SOC, groupOf(l.SOC)
}

// addShares returns the row r with its shares of adverts and of residents. adverts is the number of
// adverts that require the skill. place is the number of the place in the tables. If r has no
// level, addShares sets the usual level of the skill.
func (s *Snapshot) addShares(r rankedRow, adverts int64, place int) rankedRow {
	if r.level == 0 {
		r.level = s.namedValues[api.Skills][r.skill-1].Level
	}
	r.advertSample = figure.AdvertSample{Requiring: adverts, Adverts: r.list.Adverts}
	r.share = figure.ShareTenths(adverts, r.list.Adverts)
	r.belowShare = s.belowShares[placeLevel{place, r.level}][r.skill-1]
	return r
}

// placement returns how precisely the adverts are located: the shares with a known borough, with
// only a larger area, and with neither.
func placement(l *list) *api.AdvertsPlaced {
	share := func(n int64) api.Percent { t := figure.ShareTenths(n, l.Adverts); return api.Percent{Tenths: &t} }
	return &api.AdvertsPlaced{InBorough: share(l.InCouncil), InAreaOnly: share(l.InArea),
		NotPlaced: share(l.Adverts - l.InCouncil - l.InArea)}
}

// addTopBySector adds to page one row for each sector, with the sector's top unmet skill, and
// returns page.
func (s *Snapshot) addTopBySector(ctx context.Context, q api.SkillsUnmetQuery,
	page api.Page[api.SkillsUnmetRow]) (api.Page[api.SkillsUnmetRow], error) {
	used := map[string]bool{}
	page.TooFewAdverts = true
	for _, sector := range s.namedValues[api.Sectors] {
		if q.Sector != "" && q.Sector != sector.Value {
			continue
		}
		if len(page.Rows) == q.Limit {
			page.More = true
			break
		}
		of := q
		of.By = ""
		of.Sector = sector.Value
		of.Limit = 1
		of.After = nil
		first, err := s.SkillsUnmet(ctx, of)
		if err != nil {
			return api.Page[api.SkillsUnmetRow]{}, err
		}
		page.TooFewAdverts = page.TooFewAdverts && first.TooFewAdverts
		for _, r := range first.Rows {
			r.Bucket, r.BucketName = &sector.Value, &sector.Name
			page.Rows = append(page.Rows, r)
		}
		for _, source := range first.Sources {
			used[source.Key] = true
		}
	}
	page.Sources = s.sourcesOf(used)
	return page, nil
}

// addAPIRows converts ranked rows to API rows and appends them to page. It adds the figures about
// people and the data sources.
func (s *Snapshot) addAPIRows(ctx context.Context, q api.SkillsUnmetQuery, rows []rankedRow,
	page *api.Page[api.SkillsUnmetRow]) error {
	if len(rows) == 0 {
		return nil
	}
	people, err := s.peopleIn(ctx, q)
	if err != nil {
		return err
	}
	used := map[string]bool{api.PlatformKey: true}
	for i := range rows {
		r := &rows[i]
		row, err := s.apiRow(q, r, people)
		if err != nil {
			return err
		}
		page.Rows = append(page.Rows, row)
		for _, key := range r.list.Sources {
			used[key] = true
		}
	}
	page.Sources = s.sourcesOf(used)
	return nil
}

// apiRow converts a ranked row to an API row. people maps skills, or the values of a breakdown, to
// figures about people.
func (s *Snapshot) apiRow(q api.SkillsUnmetQuery, r *rankedRow,
	people map[string]peopleRow) (row api.SkillsUnmetRow, err error) {
	skill := &s.namedValues[api.Skills][r.skill-1]
	row = api.SkillsUnmetRow{Rank: r.rank, Skill: skill.Value, SkillName: skill.Name, Level: r.level,
		LevelName: s.levelName(skill, r.level),
		SourceKey: api.PlatformKey, AdvertsShare: api.Share{Tenths: r.share}, AdvertsSample: r.advertSample}
	base := figure.BaseOf(r.list.Adverts)
	row.AdvertsBase, row.AdvertsMargin.Tenths = base.Band, s.manifest.CodingErrors.Margin(r.share, base)
	if r.belowShare != notPublished {
		below, score := r.belowShare, r.score()
		row.PeopleBelow.Tenths, row.Score.TenThousandths = &below, &score
	}
	key := skill.Value
	if q.By != "" {
		bucket, name := r.bucket, s.bucketName(q.By, skill, r)
		row.Bucket = &bucket
		row.BucketName = &name
		key = bucket
	}
	if q.By == api.ByPlace {
		kind := snapshots.AreaKindBorough
		if r.isArea {
			kind = snapshots.AreaKindServed
		}
		row.AreaKind = &kind
	}
	p, ok := people[key]
	if !ok {
		return row, nil
	}
	if row.TurnedDown.Count, err = figure.ParseCount(p.TurnedDown, p.Status); err != nil {
		return row, fmt.Errorf("people of %s: %w", skill.Value, err)
	}
	row.HiredWith, row.TurnedDownWith = p.HiredWith, p.TurnedDownWith
	if p.HiredWith.Tenths != nil && p.TurnedDownWith.Tenths != nil {
		difference := *p.HiredWith.Tenths - *p.TurnedDownWith.Tenths
		row.Difference.Tenths = &difference
	}
	return row, nil
}

// levelName returns the display name of a skill's level. A licence has only one level, "held".
func (s *Snapshot) levelName(skill *api.Named, level int) string {
	if skill.Kind == snapshots.SkillKindLicence {
		return snapshots.LicenceLevelName
	}
	return s.nameOf(api.Levels, strconv.Itoa(level))
}

// bucketName returns the display name of the place, sector, occupation, level or month of a row.
func (s *Snapshot) bucketName(by api.Breakdown, skill *api.Named, r *rankedRow) string {
	switch by {
	case api.ByPlace:
		return s.nameOf(api.Places, r.bucket)
	case api.BySector:
		return s.nameOf(api.Sectors, r.bucket)
	case api.BySOC:
		return s.nameOf(api.Occupations, r.bucket)
	case api.ByLevel:
		return s.levelName(skill, r.level)
	}
	return s.monthBack(r.list.Back).Format("January 2006")
}
