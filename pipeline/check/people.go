package check

import (
	"fmt"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources/platform"
)

// How many records about people a feed holds is published nowhere, so that one which lost half
// of its applications shows only in what is printed of people. These totals are sums of printed
// values, and tell nothing that those do not.

// printed are totals of what a snapshot prints of people.
type printed struct {
	residents  int64 // all
	onRecord   int64 // residents with a skill on record
	turnedDown int64 // people turned down for a skill, over all skills
	hiredPct   int64 // shares of hired applicants
	deniedPct  int64 // shares of turned-down applicants
}

// peopleChanges finds figures of people that fell or rose past the limits of the platform
// from one month to the next. Within a month they are carried.
func peopleChanges(previousDir, nextDir string, previous, next snapshots.Manifest, l Limits) ([]Fault, error) {
	if !newPeople(previous, next) {
		return nil, nil
	}
	before, err := readPrinted(previousDir)
	if err != nil {
		return nil, err
	}
	now, err := readPrinted(nextDir)
	limits := l.Sources[platform.Key].WithDefaults()
	j := judge{of: platform.Key}
	j.change(People, "printed counts of residents", before.residents, now.residents, limits)
	j.change(People, "printed counts of residents with a skill on record", before.onRecord, now.onRecord, limits)
	j.change(People, "printed counts of people turned down for a skill", before.turnedDown, now.turnedDown, limits)
	j.change(People, "shares of hired applicants", before.hiredPct, now.hiredPct, limits)
	j.change(People, "shares of turned-down applicants", before.deniedPct, now.deniedPct, limits)
	return j.found, err
}

// newPeople reports whether the next snapshot has figures of people of its own, and the
// previous one some to compare them with.
func newPeople(previous, next snapshots.Manifest) bool {
	if previous.FormatVersion != next.FormatVersion || previous.People == nil || next.People == nil ||
		previous.PeopleAsOf == nil || next.PeopleAsOf == nil {
		return false
	}
	return !previous.PeopleAsOf.Equal(next.PeopleAsOf.Time) || *previous.People != *next.People
}

// peopleShares are the columns of people that totals are made of.
type peopleShares struct {
	Signature              string         `col:"signature"`
	WindowMonths           int8           `col:"window_months"`
	PeopleTurnedDown       *int32         `col:"people_turned_down"`
	HiredWithSkillPct      *figure.Tenths `col:"hired_with_skill_pct"`
	TurnedDownWithSkillPct *figure.Tenths `col:"turned_down_with_skill_pct"`
}

func readPrinted(dir string) (printed, error) {
	var p printed
	err := parquetio.Read(snapshots.TablePath(dir, "candidates"), func(r snapshots.CandidatesRow) error {
		switch {
		case r.Residents == nil:
		case r.Dimension == snapshots.CandidatesAll:
			p.residents += int64(*r.Residents)
		case r.Dimension == snapshots.CandidatesLevel:
			p.onRecord += int64(*r.Residents)
		}
		return nil
	})
	if err == nil {
		err = parquetio.Read(snapshots.TablePath(dir, "people"), func(r peopleShares) error {
			p.add(r)
			return nil
		})
	}
	if err != nil {
		return p, fmt.Errorf("add up what is printed of people: %w", err)
	}
	return p, nil
}

func (p *printed) add(r peopleShares) {
	if r.PeopleTurnedDown != nil && r.Signature == snapshots.SigNone && r.WindowMonths == 24 {
		p.turnedDown += int64(*r.PeopleTurnedDown)
	}
	if r.HiredWithSkillPct != nil {
		p.hiredPct++
	}
	if r.TurnedDownWithSkillPct != nil {
		p.deniedPct++
	}
}
