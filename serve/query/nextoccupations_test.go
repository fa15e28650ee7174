package query

import (
	"context"
	"slices"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// sharesOf are the printed shares of a unit group of at least 20 adverts, by skill, of those that
// count for next jobs.
func sharesOf(t *testing.T, s *Snapshot, soc string) map[string]figure.Tenths {
	t.Helper()
	p, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{SOC: soc, Window: 12, Limit: 5000})
	if err != nil {
		t.Fatal(err)
	}
	shares := map[string]figure.Tenths{}
	for _, r := range p.Rows {
		kind := ""
		for _, n := range s.Named(api.Skills) {
			if n.Value == r.Skill {
				kind = n.Kind
			}
		}
		few := r.AdvertsBase == "5-19"
		if !few && kind != "transferable" && r.AdvertsShare.Tenths >= 100 {
			shares[r.Skill] = r.AdvertsShare.Tenths
		}
	}
	return shares
}

// carersWhoPlan is the default content whose care workers are asked for project management instead
// of care planning, so that they share two skills with construction.
func carersWhoPlan(t *testing.T) snaptest.Content {
	t.Helper()
	c := snaptest.Default(t, "2026-11-20")
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

// The next jobs of every unit group are those that plain Go finds from the printed shares.
func TestNextOccupations(t *testing.T) {
	s := mountOnce(t, "2026-11-20", carersWhoPlan(t))
	shares := map[string]map[string]figure.Tenths{}
	for _, soc := range s.Values(api.Occupations) {
		if len(soc) == fullDigits {
			shares[soc] = sharesOf(t, s, soc)
		}
	}
	compared := 0
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
	if compared == 0 {
		t.Error("no next job was compared")
	}
	if rows, err := s.NextOccupations(context.Background(),
		api.NextOccupationsQuery{SOC: "61", Limit: 5}); err != nil || len(rows) != 0 {
		t.Errorf("a wider group has %v, %v", rows, err)
	}
}
