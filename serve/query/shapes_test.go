package query

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestEveryShapeOfQuestion asks every combination of filters and breakdowns once, each with one
// value, and walks through its pages. Each filter and each breakdown has an answer.
func TestEveryShapeOfQuestion(t *testing.T) {
	const asOf = "2026-11-20"
	content := snaptest.DefaultContent(t, asOf)
	s, o := mountOnce(t, asOf, content), oracleOf(t, asOf, content)
	answered := map[string]int{}
	for _, q := range everyShape() {
		want, sources := o.answer(q)
		sameRows(t, fmt.Sprintf("%+v", q), walk(t, s, q, sources), want)
		if len(want) > 0 {
			answered["by "+string(q.By)]++
			answered["place "+q.Place]++
			answered["sector "+q.Sector]++
			answered["soc "+q.SOC]++
			answered["source "+q.Source]++
			answered[fmt.Sprint("level ", q.Level)]++
		}
	}
	if len(answered) != 6+3+2+3+2+2 {
		t.Errorf("without an answer are some of the filters or breakdowns: %v", answered)
	}
}

func everyShape() (all []api.SkillsUnmetQuery) {
	q := api.SkillsUnmetQuery{Window: 12, Limit: 4}
	for _, q.Place = range []string{"", "camden", "central-london"} {
		for _, q.Sector = range []string{"", "digital"} {
			for _, q.SOC = range []string{"", "2134", "21"} {
				for _, q.Source = range []string{"", "employer_boards"} {
					for _, q.Level = range []int{0, 2} {
						for _, q.By = range []api.Breakdown{"", api.ByPlace, api.BySector, api.BySOC, api.ByLevel,
							api.ByMonth} {
							if q.Skill = ""; q.By != "" {
								q.Skill = "sql"
							}
							all = append(all, q)
						}
					}
				}
			}
		}
	}
	return all
}

// TestMonthsWithoutAFind: a month in which adverts match and none asks has a row with 0.0; a
// month of too few adverts has none.
func TestMonthsWithoutAFind(t *testing.T) {
	const asOf = "2026-11-20"
	c := snaptest.DefaultContent(t, asOf)
	first := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	c.Adverts = slices.DeleteFunc(c.Adverts, func(r snapshots.AdvertsRow) bool {
		return r.Skill == "sql" && r.Month.Equal(first.AddDate(0, -2, 0))
	})
	c.AdvertsTotal = slices.DeleteFunc(c.AdvertsTotal,
		func(r snapshots.AdvertsTotalRow) bool { return r.Month.Equal(first.AddDate(0, -1, 0)) })
	s := mountOnce(t, asOf, c)
	page, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 3, Limit: 50, Skill: "sql",
		By: api.ByMonth})
	if err != nil || len(page.Rows) != 2 {
		t.Fatalf("%d rows, %v", len(page.Rows), err)
	}
	if r := page.Rows[0]; *r.Bucket != "2026-09" || r.AdvertsShare.Tenths != 0 || r.Rank != 1 {
		t.Errorf("%+v", r)
	}
	if r := page.Rows[1]; *r.Bucket != "2026-11" || r.AdvertsShare.Tenths == 0 || r.Rank != 2 {
		t.Errorf("%+v", r)
	}
}

// TestOneLevelASkill: a skill is measured at one level in every place, sector, occupation and
// month, whatever is asked there most; under level at that one, by level at the bucket's. A
// licence is held.
func TestOneLevelASkill(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	for i := range c.Skills {
		if c.Skills[i].Skill == "sql" {
			c.Skills[i].Kind = snapshots.SkillKindLicence
		}
	}
	s := mountOnce(t, "2026-11-20", c)
	levels := map[string]map[int]bool{}
	rows := 0
	for _, q := range everyShape() {
		q.Limit = 200
		page, err := s.SkillsUnmet(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Rows {
			rows++
			switch {
			case q.By == api.ByLevel:
				if fmt.Sprint(r.Level) != *r.Bucket {
					t.Errorf("%+v: level %d in bucket %s", q, r.Level, *r.Bucket)
				}
			case q.Level != 0:
				if r.Level != int(q.Level) {
					t.Errorf("%+v: level %d", q, r.Level)
				}
			default:
				if levels[r.Skill] == nil {
					levels[r.Skill] = map[int]bool{}
				}
				levels[r.Skill][r.Level] = true
			}
			if (r.Skill == "sql") != (r.LevelName == "held") {
				t.Errorf("%s is %s", r.Skill, r.LevelName)
			}
		}
	}
	for skill, of := range levels {
		if len(of) != 1 {
			t.Errorf("%s has the levels %v", skill, of)
		}
	}
	if len(levels) != 4 || rows < 500 {
		t.Errorf("%d skills in %d rows", len(levels), rows)
	}
}

// TestSourceWithoutAList: a source of too few adverts for a list has adverts all the same, and they are
// not counted with those of another source.
func TestSourceWithoutAList(t *testing.T) {
	const asOf = "2026-11-20"
	c := snaptest.DefaultContent(t, asOf)
	i := slices.IndexFunc(c.Adverts, func(r snapshots.AdvertsRow) bool {
		return r.Skill == "sql" && r.AreaKind == snapshots.AreaKindAll && r.Source == "platform" && r.Month.Year() == 2026
	})
	c.Adverts[i].Source = "dfe_apprenticeships"
	s, o := mountOnce(t, asOf, c), oracleOf(t, asOf, c)
	for _, source := range []string{"employer_boards", "find_an_apprenticeship", "platform"} {
		q := api.SkillsUnmetQuery{Skill: "sql", By: api.ByMonth, Source: source, Window: 12, Limit: 20}
		want, sources := o.answer(q)
		sameRows(t, source, walk(t, s, q, sources), want)
	}
}
