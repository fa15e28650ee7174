package query

import (
	"context"
	"fmt"

	"labour/serve/labourdata"
	"labour/serve/query/lattice"
	"labour/serve/query/ranking"
	"labour/serve/query/tally"
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
	f, ok := s.filter(q)
	if !ok || ctx.Err() != nil {
		return page, ctx.Err()
	}
	entries := s.entriesOf(f, q)
	calendar := q.By == labourdata.ByMonth
	ranking.Order(entries, calendar)
	if q.Skill != "" && q.By == "" {
		entries = only(entries, q.Skill)
	}
	entries, more := ranking.Page(entries, q.After, q.Limit, calendar)
	if len(entries) == 0 {
		return page, nil
	}
	used, cell := map[string]bool{ownSource: true}, lattice.Of(q)
	page.Rows = make([]labourdata.SkillsUnmetRow, 0, len(entries))
	for _, e := range entries {
		p, err := s.personOf(q, cell, e.Code)
		if err != nil {
			return page, err
		}
		page.Rows = append(page.Rows, s.row(q, e, p))
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

// entriesOf counts the adverts: every skill, or every bucket of one, with its
// shares. Groups under the floor of R7 have no total and are left out.
func (s *Snapshot) entriesOf(f tally.Filter, q labourdata.SkillsUnmetQuery) []ranking.Entry {
	totals := s.tally.Totals(f)
	if len(totals) == 0 {
		return nil
	}
	list := s.tally.Asked(f)
	entries := make([]ranking.Entry, 0, len(list))
	for _, c := range list {
		if e, ok := s.entry(q, totals, c); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

// entry is a counted skill or bucket; ok is false when nothing is counted or its
// group is under the floor.
func (s *Snapshot) entry(q labourdata.SkillsUnmetQuery, totals map[int32]tally.Total, c tally.Counted) (ranking.Entry, bool) {
	var group int32 // which total it is a share of
	if q.By != "" && q.By != labourdata.ByLevel {
		group = c.Code
	}
	all, ok := totals[group]
	if !ok {
		return ranking.Entry{}, false
	}
	place, skill, slug := s.places[q.Place], uint32(c.Code), ""
	if q.By != "" {
		skill, slug = s.skills[q.Skill], s.bucketNamed(q.By, c.Code).slug
	}
	if q.By == labourdata.ByPlace {
		place = uint16(c.Code)
	}
	e := ranking.New(c.Adverts, all.Adverts, s.residentsBelow(place, skill))
	e.Code, e.Bucket, e.Usual, e.Sources = c.Code, slug, c.Usual, all.Sources
	e.Skill = s.values[labourdata.Skills][skill-1]
	return e, true
}

// person holds the printed people figures of a row; the zero value publishes none.
type person struct {
	turnedDown            figure.Count
	hired, turnedDownWith *figure.Tenths
}

// personOf finds the people figures of a row; outside the lattice there are none.
func (s *Snapshot) personOf(q labourdata.SkillsUnmetQuery, cell lattice.Cell, code int32) (person, error) {
	if !cell.Published() {
		return person{}, nil
	}
	p, ok := s.tally.Person(s.cellOf(q, cell, code))
	if !ok {
		return person{}, nil
	}
	printed, err := figure.Parse(p.TurnedDown, figure.Status(p.Status))
	if err != nil {
		return person{}, fmt.Errorf("people turned down: %w", err)
	}
	return person{turnedDown: printed, hired: tenths(p.HiredWith), turnedDownWith: tenths(p.TurnedDownWith)}, nil
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
