package query

import (
	"context"
	"database/sql"
	"fmt"

	"golang.org/x/sync/errgroup"

	"labour/serve/labourdata"
	"labour/serve/query/ranking"
	"labour/snapshots/figure"
)

// ownSource is the key of the service's own figures; every row of skills not met
// carries it.
const ownSource = "platform"

// SkillsUnmet ranks the skills that adverts ask for and people do not yet meet,
// or the buckets of one skill. Rank is the position in the whole list for the
// filters: a question that names one skill without a breakdown gets its row with
// the rank that it has among all skills, and by month the rank is the calendar's.
// Place, Sector, Source and Skill must be known values; an unknown one gives no rows.
func (s *Snapshot) SkillsUnmet(ctx context.Context, q labourdata.SkillsUnmetQuery) (page labourdata.Page[labourdata.SkillsUnmetRow], err error) {
	p, ok := s.plan(q)
	if !ok {
		return page, nil
	}
	entries, err := s.entriesOf(ctx, p, q)
	if err != nil {
		return page, err
	}
	calendar := q.By == labourdata.ByMonth
	ranking.Order(entries, calendar)
	if q.Skill != "" && q.By == "" {
		entries = only(entries, q.Skill)
	}
	entries, more := ranking.Page(entries, q.After, q.Limit, calendar)
	if len(entries) == 0 {
		return page, nil
	}
	people, err := s.peopleOf(ctx, p, entries)
	if err != nil {
		return page, err
	}
	used := map[string]bool{ownSource: true}
	for _, e := range entries {
		page.Rows = append(page.Rows, s.row(q, e, people[e.Code]))
		s.contributors(e.Sources, used)
	}
	page.More, page.Sources = more, s.entries(used)
	return page, nil
}

func only(entries []ranking.Entry, skill string) []ranking.Entry {
	for i, e := range entries {
		if e.Skill == skill {
			return entries[i : i+1]
		}
	}
	return nil
}

// total is how many adverts match, and the mask of their sources.
type total struct {
	adverts int64
	sources uint64
}

// counted is how many adverts ask for a skill or fall into a bucket.
type counted struct {
	code    int32
	adverts int64
	usual   int // level usually asked, 0 = none stated
}

// entriesOf asks for the adverts: every skill, or every bucket of one, with its
// shares. Both halves of the shares are asked for at once. Groups under the floor
// of R7 have no total and are left out.
func (s *Snapshot) entriesOf(ctx context.Context, p plan, q labourdata.SkillsUnmetQuery) ([]ranking.Entry, error) {
	totals := make(map[int32]total)
	var list []counted
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		return s.ask(ctx, p.total, p.arguments, func(rows *sql.Rows) error {
			var bucket int32
			var t total
			err := rows.Scan(&bucket, &t.adverts, &t.sources)
			totals[bucket] = t
			return err
		})
	})
	both.Go(func() error {
		return s.ask(ctx, p.asked, p.arguments, func(rows *sql.Rows) error {
			var c counted
			err := rows.Scan(&c.code, &c.adverts, &c.usual)
			list = append(list, c)
			return err
		})
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	entries := make([]ranking.Entry, 0, len(list))
	for _, c := range list {
		if e, ok := s.entry(q, totals, c); ok {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// entry is a counted skill or bucket; ok is false when nothing is counted or its
// group is under the floor.
func (s *Snapshot) entry(q labourdata.SkillsUnmetQuery, totals map[int32]total, c counted) (ranking.Entry, bool) {
	var group int32 // which total it is a share of
	if q.By != "" && q.By != labourdata.ByLevel {
		group = c.code
	}
	all, ok := totals[group]
	if !ok || c.adverts < 1 {
		return ranking.Entry{}, false
	}
	place, skill, slug := s.places[q.Place], uint32(c.code), ""
	if q.By != "" {
		skill, slug = s.skills[q.Skill], s.bucketNamed(q.By, c.code).slug
	}
	if q.By == labourdata.ByPlace {
		place = uint16(c.code)
	}
	e := ranking.New(c.adverts, all.adverts, s.residentsBelow(place, skill))
	e.Code, e.Bucket, e.Usual, e.Sources = c.code, slug, c.usual, all.sources
	e.Skill = s.values[labourdata.Skills][skill-1]
	return e, true
}

// person holds the printed people figures of a row; the zero value publishes none.
type person struct {
	turnedDown            figure.Count
	hired, turnedDownWith *figure.Tenths
}

// peopleOf asks for the people figures of a page, by the code of its entries.
func (s *Snapshot) peopleOf(ctx context.Context, p plan, page []ranking.Entry) (map[int32]person, error) {
	people := make(map[int32]person)
	if p.arguments["signature"] == uint8(0) { // outside the lattice
		return people, nil
	}
	codes := make([]any, len(page))
	for i, e := range page {
		codes[i] = uint32(e.Code)
	}
	p.arguments["skill_codes"] = codes
	return people, s.ask(ctx, p.people, p.arguments, func(rows *sql.Rows) error {
		var code int32
		var turnedDown, hired, turned *int64
		var status string
		if err := rows.Scan(&code, &turnedDown, &status, &hired, &turned); err != nil {
			return err
		}
		printed, err := figure.Parse(turnedDown, figure.Status(status))
		if err != nil {
			return fmt.Errorf("people turned down: %w", err)
		}
		people[code] = person{turnedDown: printed, hired: tenths(hired), turnedDownWith: tenths(turned)}
		return nil
	})
}

// row prints an entry. The difference is that of the printed shares.
func (s *Snapshot) row(q labourdata.SkillsUnmetQuery, e ranking.Entry, p person) labourdata.SkillsUnmetRow {
	skill := s.skillEntries[s.skills[e.Skill]-1]
	row := labourdata.SkillsUnmetRow{
		Rank: e.Rank, Skill: e.Skill, SkillName: skill.name, Level: e.Usual, SourceKey: ownSource,
		AdvertsShare: e.Share, PeopleBelow: e.Below, Score: e.Score,
		TurnedDown: p.turnedDown, HiredWith: p.hired, TurnedDownWith: p.turnedDownWith,
	}
	if row.Level == 0 { // no counted advert states one
		row.Level = skill.referenceLevel
	}
	row.LevelName = s.levels[row.Level]
	if p.hired != nil && p.turnedDownWith != nil {
		difference := *p.hired - *p.turnedDownWith
		row.Difference = &difference
	}
	if q.By != "" {
		b := s.bucketNamed(q.By, e.Code)
		row.Bucket, row.BucketName = &b.slug, &b.name
	}
	return row
}

// contributors adds the keys of a mask.
func (s *Snapshot) contributors(mask uint64, keys map[string]bool) {
	for code, key := range s.sourceKeys {
		if mask&(1<<code) != 0 {
			keys[key] = true
		}
	}
}

func tenths(v *int64) *figure.Tenths {
	if v == nil {
		return nil
	}
	t := figure.Tenths(*v)
	return &t
}

// count is a printed count of a published statistic; no status is no figure.
func count(value *int64, status *string) (figure.Count, error) {
	if status == nil {
		return figure.Count{}, nil
	}
	return figure.Parse(value, figure.Status(*status))
}
