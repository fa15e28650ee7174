package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"labour/pipeline/disclosure/synthtest"
)

// printedRow is what is printed of people in one row of skills not met.
type printedRow struct{ TurnedDown, HiredWith, TurnedDownWith string }

var printsNothing = printedRow{"null", "null", "null"}

// printedBelow is the key of a printed share of residents.
type printedBelow struct {
	Skill, Place, Level string
}

// crawledUnmet is everything that was printed of people in skills not met.
type crawledUnmet struct {
	Rows  map[string]map[synthtest.Cell]printedRow // by skill
	Below map[printedBelow]string
	// Faults are cells for which two answers print different figures, and figures outside
	// the published combinations; there must be none.
	Faults []string
	// NoScore are rows whose score is null.
	NoScore []string
}

const skillsUnmetPath = "/v1/labour/skills-unmet"

// crawlSpace is what is asked.
type crawlSpace struct {
	World  synthtest.TestWorld
	Skills []string
	// Broken are the skills that are broken down too; others are asked in lists only,
	// which print the same cells.
	Broken []string
	// Outside asks combinations of filters that are not published too.
	Outside bool
	// Without leaves occupations of a place out of the lists, which are most calls.
	Without bool
}

// crawlQuestion is one set of filters; "" is none.
type crawlQuestion struct {
	place, dim, value string
	more              [2]string
	skill, by         string
	window            int
}

func (q crawlQuestion) query() url.Values {
	limit := "200"
	if q.window == 24 && q.by == "" {
		limit = "100" // so that lists have pages
	}
	v := url.Values{"window": {strconv.Itoa(q.window)}, "limit": {limit}}
	for name, value := range map[string]string{"place": q.place, q.dim: q.value, q.more[0]: q.more[1], "skill": q.skill,
		"by": q.by} {
		if name != "" && value != "" {
			v.Set(name, value)
		}
	}
	return v
}

// skillsUnmet asks the whole space.
func (c *crawler) skillsUnmet(ctx context.Context, s crawlSpace) (*crawledUnmet, error) {
	out := &crawledUnmet{Rows: map[string]map[synthtest.Cell]printedRow{}, Below: map[printedBelow]string{}}
	for _, q := range s.questions() {
		rows, err := c.walk(ctx, skillsUnmetPath, q.query())
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out.addRow(q, r)
		}
	}
	return out, nil
}

// questions are every place or none, with one other filter or none, in two windows, as
// a list of all skills and as breakdowns of some.
func (s crawlSpace) questions() (out []crawlQuestion) {
	for _, place := range s.places() {
		for _, f := range s.filters() {
			if s.Without && place != "" && f.dim == "soc" {
				continue
			}
			for _, w := range []int{12, 24} { // people are the same in both
				q := f
				q.place, q.window = place, w
				out = append(out, q)
				out = append(out, s.breakdowns(q)...)
			}
		}
	}
	return out
}

func (s crawlSpace) places() []string {
	places := append([]string{""}, s.World.Places...)
	for area := range s.World.Areas {
		places = append(places, area)
	}
	slices.Sort(places)
	return places
}

// filters are no filter, every value of every filter but place, and every group of
// occupations.
func (s crawlSpace) filters() []crawlQuestion {
	filters := []crawlQuestion{{}}
	add := func(dim, value string) { filters = append(filters, crawlQuestion{dim: dim, value: value}) }
	for dim, values := range map[string][]string{"sector": s.World.Sectors, "level": s.World.Levels,
		"source": s.World.Sources} {
		for _, v := range values {
			add(dim, v)
		}
	}
	seen := map[string]bool{}
	for _, soc := range s.World.SOCs {
		for digits := range len(soc) {
			if group := soc[:digits+1]; !seen[group] {
				seen[group] = true
				add("soc", group)
			}
		}
	}
	if s.Outside {
		for _, sector := range s.World.Sectors {
			for _, level := range s.World.Levels {
				filters = append(filters, crawlQuestion{dim: "sector", value: sector, more: [2]string{"level", level}})
			}
			for _, soc := range s.World.SOCs {
				filters = append(filters, crawlQuestion{dim: "sector", value: sector, more: [2]string{"soc", soc}})
			}
		}
	}
	slices.SortFunc(filters, func(a, b crawlQuestion) int {
		return cmp.Or(cmp.Compare(a.dim, b.dim), cmp.Compare(a.value, b.value),
			cmp.Compare(a.more[0]+a.more[1], b.more[0]+b.more[1]))
	})
	return filters
}

func (s crawlSpace) breakdowns(q crawlQuestion) (out []crawlQuestion) {
	for _, skill := range s.Broken {
		for _, by := range []string{"place", "sector", "soc", "level", "month"} {
			if q.skill, q.by = skill, by; s.Outside || q.dim == "" || by == "place" && q.place == "" {
				out = append(out, q)
			}
		}
	}
	return out
}

// addRow keeps one row under its cell.
func (u *crawledUnmet) addRow(q crawlQuestion, row map[string]any) {
	if q.by != "" && (q.by == q.dim || q.by == q.more[0]) {
		return // a breakdown by its own filter may or may not be published
	}
	r := printedRow{token(row["people_turned_down"]), token(row["hired_with_skill_pct"]),
		token(row["turned_down_with_skill_pct"])}
	skill := token(row["skill"])
	cell, inside := cellOf(q, token(row["bucket"]))
	below := printedBelow{skill, cell.Place, token(row["level"])}
	share := token(row["people_below_share_pct"])
	if known, ok := u.Below[below]; ok && known != share {
		u.Faults = append(u.Faults, fmt.Sprintf("%+v is %s and, to %+v, %s", below, known, q, share))
	}
	u.Below[below] = share
	if row["score"] == nil {
		u.NoScore = append(u.NoScore, fmt.Sprintf("%s in %q, to %+v", skill, cell.Place, q))
	}
	if !inside {
		if r != printsNothing {
			u.Faults = append(u.Faults, fmt.Sprintf("%s: %+v prints %+v outside the published combinations", skill, q,
				r))
		}
		return
	}
	if u.Rows[skill] == nil {
		u.Rows[skill] = map[synthtest.Cell]printedRow{}
	}
	if known, ok := u.Rows[skill][cell]; ok && known != r {
		u.Faults = append(u.Faults, fmt.Sprintf("%s %+v prints %+v and, to %+v, %+v", skill, cell, known, q, r))
	}
	u.Rows[skill][cell] = r
}

// cellOf returns the published cell that a row stands in: no filter, one, or place with
// one other, no month, by counting as a filter.
func cellOf(q crawlQuestion, bucket string) (synthtest.Cell, bool) {
	filters := map[string]string{}
	for name, value := range map[string]string{q.dim: q.value, q.more[0]: q.more[1]} {
		if value != "" {
			filters[name] = value
		}
	}
	c := synthtest.Cell{Place: q.place}
	if q.by == "place" {
		c.Place = bucket
	} else if q.by != "" {
		filters[q.by] = bucket
	}
	if len(filters) > 1 {
		return c, false
	}
	for c.Filter, c.Value = range filters { // one at most
	}
	return c, c.Filter != "month"
}
