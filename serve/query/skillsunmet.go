package query

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// ownSource is the key of the service's own figures; every row of skills not met
// carries it.
const ownSource = "platform"

// SkillsUnmet ranks the skills that adverts ask for and people do not yet meet,
// or the buckets of one skill, or by sector without a skill the one that leads the list of
// each sector. Rank is the position in the whole list for the
// filters: a question that names one skill without a breakdown gets its row with
// the rank that it has among all skills, and by month the rank is the calendar's.
// Place, Sector, Source and Skill must be known values; an unknown one gives no rows.
func (s *Snapshot) SkillsUnmet(ctx context.Context, q api.SkillsUnmetQuery) (page api.Page[api.SkillsUnmetRow], err error) {
	arguments, ok := s.filter(q)
	if !ok {
		page.People = s.peopleOf(q)
		return page, ctx.Err()
	}
	s.setPeople(arguments, q)
	s.setPage(arguments, q)
	defer func() { page.People = s.peopleOf(q) }()
	if q.By == "" {
		var placed *api.AdvertsPlaced
		page, err = collect(ctx, s, skillsUnmetRanked, arguments, q.Limit, func(rows *sql.Rows) (api.SkillsUnmetRow, []string, error) {
			return s.scanSkill(rows, &placed)
		})
		page.Placed = placed
		return page, err
	}
	asked, skill := skillsUnmetBy, s.codes[code{ofSkill, q.Skill}]
	var more []any
	if q.Skill == "" {
		asked, more = skillsUnmetLeading, []any{&skill}
	}
	return collect(ctx, s, asked, arguments, q.Limit, func(rows *sql.Rows) (api.SkillsUnmetRow, []string, error) {
		row, number, keys, err := s.scanSkillsUnmet(rows, more...)
		if err == nil {
			s.nameSkill(&row, skill)
			bucket := s.bucketNamed(q.By, number)
			row.Bucket, row.BucketName = &bucket.Value, &bucket.Name
			if q.By == api.ByPlace {
				row.AreaKind = &bucket.Kind
			}
		}
		return row, keys, err
	})
}

// bucketNamed is the bucket of a number; one that the snapshot does not name is named
// by its number.
func (s *Snapshot) bucketNamed(by api.By, number int) api.Named {
	switch by {
	case api.ByPlace, api.BySector:
		return s.named[buckets[by]][number-1]
	case api.ByMonth:
		month := monthOf(s.AsOf()).AddDate(0, number, 0)
		return api.Named{Value: month.Format("2006-01"), Name: month.Format("January 2006")}
	}
	text := strconv.Itoa(number)
	list := s.named[buckets[by]]
	at, found := slices.BinarySearchFunc(list, text, func(n api.Named, text string) int { return strings.Compare(n.Value, text) })
	if !found {
		return api.Named{Value: text, Name: text}
	}
	return list[at]
}

// buckets list those of a breakdown.
var buckets = map[api.By]api.Vocabulary{api.ByPlace: api.Places, api.BySector: api.Sectors,
	api.BySOC: api.Occupations, api.ByLevel: api.Levels}

// scanSkill reads a row of the ranking, and how exactly the places of all its adverts are
// known, which is the same in every row and null where the snapshot does not say it.
func (s *Snapshot) scanSkill(rows *sql.Rows, placed **api.AdvertsPlaced) (api.SkillsUnmetRow, []string, error) {
	var adverts int64
	var inCouncil, inArea *int64
	row, number, keys, err := s.scanSkillsUnmet(rows, &adverts, &inCouncil, &inArea)
	if err != nil {
		return row, nil, err
	}
	s.nameSkill(&row, number)
	if inCouncil != nil && inArea != nil {
		percent := func(n int64) api.Percent { return api.Percent{Tenths: new(figure.ShareTenths(n, adverts))} }
		*placed = &api.AdvertsPlaced{InBorough: percent(*inCouncil), InAreaOnly: percent(*inArea), NotPlaced: percent(adverts - *inCouncil - *inArea)}
	}
	return row, keys, nil
}

func (s *Snapshot) nameSkill(row *api.SkillsUnmetRow, number int) {
	skill := s.named[api.Skills][number-1]
	row.Skill, row.SkillName = skill.Value, skill.Name
	row.LevelName = s.bucketNamed(api.ByLevel, row.Level).Name
}

// scanSkillsUnmet reads a row, the number of its skill or bucket, and the keys of its
// sources, and more columns into more. The difference is that of the printed shares.
func (s *Snapshot) scanSkillsUnmet(rows *sql.Rows, more ...any) (r api.SkillsUnmetRow, number int, keys []string, err error) {
	var sources int64
	columns := []any{&r.Rank, &number, &r.Level, &r.AdvertsShare, &r.PeopleBelow, &r.Score, &sources, &r.TurnedDown, &r.HiredWith, &r.TurnedDownWith}
	if err := scan(rows, append(columns, more...)...); err != nil {
		return r, 0, nil, err
	}
	r.SourceKey = ownSource
	if hired, turned := r.HiredWith.Tenths, r.TurnedDownWith.Tenths; hired != nil && turned != nil {
		r.Difference.Tenths = new(*hired - *turned)
	}
	keys = []string{ownSource}
	for bit, key := range s.adverts { // the sources of adverts are bits
		if sources&(1<<bit) != 0 {
			keys = append(keys, key)
		}
	}
	return r, number, keys, nil
}
