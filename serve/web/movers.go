package web

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"

	"labour/serve/api"
	"labour/snapshots"
)

// moversView is which skills adverts ask for more and less often than the publication
// before said, by the values that both print.
type moversView struct {
	Before     snapshots.ID
	BeforeAsOf api.Date
	AfterAsOf  api.Date
	Up, Down   []mover
	Waiting    bool // the publication before is being opened
}

type mover struct {
	Skill, Name string
	Was, Is     api.Share // of adverts
	URL         string
}

// Change is the move in percentage points.
func (m mover) Change() string { return percent("_points", m.Is.Tenths-m.Was.Tenths).text }

const mostMovers = 8

// before is the publication before one, of an earlier date; empty = there is none.
func (s *Site) before(id string) (snapshots.ID, error) {
	ids, err := s.published()
	if err != nil {
		return "", err
	}
	for _, other := range ids { // the newest first
		if other.Date().Before(snapshots.ID(id).Date()) && !s.Store.Withdrawn(other) {
			return other, nil
		}
	}
	return "", nil
}

// moversOf compares the lists of a filter in the publication of the visit and in the one
// before it. now is the list of the visit's, or nil to ask for it. The answer is nil when
// there is no publication before.
func (s *Site) moversOf(v *request, f filter, now []api.SkillsUnmetRow) *moversView {
	id, err := s.before(v.snapshot.ID())
	if v.fail(err); v.err != nil || id == "" {
		return nil
	}
	m := &moversView{Before: id, AfterAsOf: api.DateOf(v.snapshot.AsOf())}
	was, err := s.earlierSkills(v, f, m)
	switch {
	case errors.Is(err, api.ErrSnapshotGone):
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		m.Waiting, v.tag = true, "" // the page is another one soon
		return m
	}
	if v.fail(err); now == nil {
		now = ask(v, "The list now", skillsPath, api.Snapshot.SkillsUnmet, f.everySkill()).Rows
	}
	m.compare(v, was, now)
	v.callsOf(string(m.Before), "The list of the publication before", skillsPath, f.everySkill())
	return m
}

// earlierSkills is the list of a filter in the publication before, whose date it notes.
func (s *Site) earlierSkills(v *request, f filter, m *moversView) ([]api.SkillsUnmetRow, error) {
	earlier, release, err := s.Live.AcquireID(v.ctx, string(m.Before), false)
	if err != nil {
		return nil, err
	}
	defer release()
	m.BeforeAsOf = api.DateOf(earlier.AsOf())
	p, err := earlier.SkillsUnmet(v.ctx, f.everySkill())
	took(v, p)
	return p.Rows, err
}

// compare lists the largest moves of skills that both publications print.
func (m *moversView) compare(v *request, before, now []api.SkillsUnmetRow) {
	was := map[string]api.SkillsUnmetRow{}
	for _, r := range before {
		was[r.Skill] = r
	}
	var all []mover
	for _, r := range now {
		if old, ok := was[r.Skill]; ok && old.AdvertsShare != r.AdvertsShare {
			all = append(all, mover{Skill: r.Skill, Name: r.SkillName, Was: old.AdvertsShare, Is: r.AdvertsShare,
				URL: address("/skills/"+r.Skill, url.Values{"place": {v.place}})})
		}
	}
	slices.SortStableFunc(all, func(a, b mover) int { return cmp.Compare(b.Is.Tenths-b.Was.Tenths, a.Is.Tenths-a.Was.Tenths) })
	for i, one := range all {
		last := all[len(all)-1-i]
		if one.Is.Tenths > one.Was.Tenths && len(m.Up) < mostMovers {
			m.Up = append(m.Up, one)
		}
		if last.Is.Tenths < last.Was.Tenths && len(m.Down) < mostMovers {
			m.Down = append(m.Down, last)
		}
	}
}

type changesNowView struct {
	Place  string
	Places []optionGroup
	Movers *moversView
	ID     snapshots.ID
}

func (s *Site) changesNow(v *request) view {
	f := filterOf(v)
	d := changesNowView{Place: f.where(v.snapshot), Places: placeGroups(v.snapshot, f.Place), ID: snapshots.ID(v.snapshot.ID()), Movers: s.moversOf(v, f, nil)}
	v.stamp.Snapshot, v.stamp.Notice = v.snapshot, pageNotice
	return view{template: "movers", title: "What changed: " + d.Place, section: "/changes", data: d}
}
