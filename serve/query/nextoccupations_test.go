package query

import (
	"context"
	"slices"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// excessOf is how far the printed shares of a unit group of at least 20 adverts are above those of all
// adverts, by skill, of the skills that count for next jobs: not transferable, asked for in at least a
// tenth of its adverts, and at least twice as often as in all.
func excessOf(t *testing.T, s *Snapshot, soc string, everywhere map[string]figure.Tenths) map[string]figure.Tenths {
	t.Helper()
	excess := sharesOf(t, s, soc, 20)
	for skill, share := range excess {
		if share < 100 || share < 2*everywhere[skill] {
			delete(excess, skill)
			continue
		}
		excess[skill] = share - everywhere[skill]
	}
	return excess
}

// sharesOf are the printed shares of a group of at least so many adverts, by skill, without transferable
// skills.
func sharesOf(t *testing.T, s *Snapshot, soc string, least int64) map[string]figure.Tenths {
	t.Helper()
	p, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{SOC: soc, Window: 12, Limit: 5000})
	if err != nil {
		t.Fatal(err)
	}
	shares := map[string]figure.Tenths{}
	for _, r := range p.Rows {
		kind := ""
		for _, n := range s.NamedValues(api.Skills) {
			if n.Value == r.Skill {
				kind = n.Kind
			}
		}
		if r.AdvertsSample.Adverts >= least && kind != "transferable" {
			shares[r.Skill] = r.AdvertsShare.Tenths
		}
	}
	return shares
}

// carersWhoPlan is the default content whose care workers are asked for project management instead
// of care planning, so that they share two skills with construction.
func carersWhoPlan(t *testing.T) snaptest.Content {
	t.Helper()
	c := snaptest.DefaultContent(t, "2026-11-20")
	for i := range c.Adverts {
		if r := &c.Adverts[i]; r.SOC == "6135" && r.Skill == "care-planning" {
			r.Skill = "project-management"
		}
	}
	for i := range c.Skills {
		if c.Skills[i].Skill != "sql" {
			c.Skills[i].Kind = "technical"
		}
	}
	return c
}

// The next jobs of every unit group are those that plain Go finds from the printed shares. A skill
// that nearly all occupations ask for makes no two of them alike.
func TestNextOccupations(t *testing.T) {
	if n := nextOccupationsFound(t, carersWhoPlan(t)); n != 0 {
		t.Errorf("%d next jobs share only what is asked for nearly everywhere", n)
	}
	if nextOccupationsFound(t, carersWhoPlan(t).WithoutOtherOccupations([]string{"6135", "5319"}, "project-management",
		"customer-service")) == 0 {
		t.Error("no next job was compared")
	}
}

// advertsFor are so many adverts for a unit group in November 2026, of three employers.
func advertsFor(soc string, adverts int32) snapshots.AdvertsTotalRow {
	two, three := int32(2), int32(3)
	return snapshots.AdvertsTotalRow{AreaKind: snapshots.AreaKindAll, Sector: "care-services", SOC: soc,
		Source: "platform", Month: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Adverts: adverts, Employer1: 1,
		Employer2: &two, Employer3: &three}
}

// TestNextOccupationsOfFewAdverts: a unit group has next jobs, and is one, from 20 adverts on.
func TestNextOccupationsOfFewAdverts(t *testing.T) {
	base := carersWhoPlan(t).WithoutOtherOccupations([]string{"6135", "5319"}, "project-management", "customer-service")
	for adverts, has := range map[int32]bool{19: false, 20: true} {
		c := base
		c.AdvertsTotal = slices.DeleteFunc(slices.Clone(base.AdvertsTotal), func(r snapshots.AdvertsTotalRow) bool {
			return r.SOC == "6135"
		})
		c.AdvertsTotal = append(c.AdvertsTotal, advertsFor("6135", adverts))
		if n := nextOccupationsFound(t, c); (n > 0) != has {
			t.Errorf("with %d adverts: %d next jobs", adverts, n)
		}
	}
}

// TestNextOccupationsOfATenth: a skill is shared from a tenth of the adverts on. 36 adverts for care workers
// ask for customer service; all other adverts are so many that few of them do.
func TestNextOccupationsOfATenth(t *testing.T) {
	base := carersWhoPlan(t).WithoutOtherOccupations([]string{"6135", "5319"}, "project-management", "customer-service")
	for adverts, has := range map[int32]bool{366: false, 360: true} {
		c := base
		c.AdvertsTotal = slices.DeleteFunc(slices.Clone(base.AdvertsTotal), func(r snapshots.AdvertsTotalRow) bool {
			return r.SOC == "6135"
		})
		c.AdvertsTotal = append(c.AdvertsTotal, advertsFor("6135", adverts), advertsFor("2134", 5000))
		if n := nextOccupationsFound(t, c); (n > 0) != has {
			t.Errorf("36 of %d adverts: %d next jobs", adverts, n)
		}
	}
}

// nextOccupationsFound compares the next jobs of a content with the oracle's, and returns their number.
func nextOccupationsFound(t *testing.T, c snaptest.Content) (compared int) {
	t.Helper()
	s := mountOnce(t, "2026-11-20", c)
	shares, everywhere := map[string]map[string]figure.Tenths{}, sharesOf(t, s, "", 0)
	for _, soc := range s.Values(api.Occupations) {
		if len(soc) == fullDigits {
			shares[soc] = excessOf(t, s, soc, everywhere)
		}
	}
	for soc, mine := range shares {
		got, err := s.NextOccupations(context.Background(), api.NextOccupationsQuery{SOC: soc, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		sums := map[string]figure.Tenths{}
		for other, theirs := range shares {
			var both int
			var sum figure.Tenths
			for skill, share := range theirs {
				if mine[skill] > 0 {
					both++
					sum += min(share, mine[skill])
				}
			}
			if other != soc && both >= 2 {
				sums[other] = sum
			}
		}
		if len(got) != len(sums) {
			t.Errorf("%s has %d next jobs, want %d", soc, len(got), len(sums))
		}
		for i, next := range got {
			compared++
			if i > 0 && sums[got[i-1].SOC] < sums[next.SOC] {
				t.Errorf("%s: %s stands before %s, which shares more", soc, got[i-1].SOC, next.SOC)
			}
			for _, skill := range next.Skills {
				if mine[skill] == 0 || shares[next.SOC][skill] == 0 {
					t.Errorf("%s and %s do not share %s", soc, next.SOC, skill)
				}
			}
			if !slices.Equal(next.Skills, slices.Compact(slices.Clone(next.Skills))) || len(next.Skills) < 2 {
				t.Errorf("%s and %s share %v", soc, next.SOC, next.Skills)
			}
		}
	}
	for _, soc := range []string{"61", ""} {
		rows, err := s.NextOccupations(context.Background(), api.NextOccupationsQuery{SOC: soc, Limit: 5})
		if err != nil || len(rows) != 0 {
			t.Errorf("%q, which is no unit group, has %v, %v", soc, rows, err)
		}
	}
	return compared
}

// TestNextOccupationsStandByWhatBothAskFor: care workers are nearer to the group that asks for their own main
// skill less often than they do than to one that asks much more often for what they hardly need.
func TestNextOccupationsStandByWhatBothAskFor(t *testing.T) {
	c := carersWhoPlan(t)
	c.Adverts, c.AdvertsTotal = nil, nil
	add := func(soc string, adverts int32, skills map[string]int32) {
		total := advertsFor(soc, adverts)
		c.AdvertsTotal = append(c.AdvertsTotal, total)
		for skill, n := range skills {
			c.Adverts = append(c.Adverts, snapshots.AdvertsRow{Skill: skill, Level: 3, AreaKind: snapshots.AreaKindAll,
				Sector: "care-services", SOC: soc, Source: "platform", Month: total.Month, Adverts: n})
		}
	}
	add("6135", 100, map[string]int32{"project-management": 100, "customer-service": 20})
	add("5319", 100, map[string]int32{"project-management": 20, "customer-service": 100})
	add("2134", 100, map[string]int32{"project-management": 60, "customer-service": 20})
	add("9223", 9000, map[string]int32{"sql": 10})
	table, _ := snapshots.FindTable("adverts")
	c.Adverts = snapshots.SortedRows(table, c.Adverts)
	if n := nextOccupationsFound(t, c); n < 6 {
		t.Errorf("%d next jobs, want 2 of each of three groups", n)
	}
}
