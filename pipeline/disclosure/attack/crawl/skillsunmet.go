package crawl

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"labour/pipeline/disclosure/madeup"
)

// Figures are what was printed of one skill in one cell, as it was printed.
type Figures struct{ TurnedDown, HiredWith, TurnedDownWith string }

// nothing is a cell of which nothing is printed.
var nothing = Figures{"null", "null", "null"}

// SkillsUnmet is everything that was printed of people in skills not met.
type SkillsUnmet struct {
	Figures map[string]map[madeup.Cell]Figures // by skill
	// Disagree are cells of which two answers print different figures, and Outside
	// answers with figures outside the published lattice; there must be none.
	Disagree, Outside []string
}

// Space is what is asked.
type Space struct {
	madeup.World
	// Others are places that are in no tree, such as an area that cuts another; no
	// count of people may be printed of them.
	Others []string
	Skills []string
	// Broken are the skills that are broken down too; all others are asked in lists
	// alone, which print the same cells.
	Broken []string
	// Beyond asks combinations of filters outside the lattice too: every one with
	// every breakdown.
	Beyond bool
}

const skillsUnmetPath = "/v1/labour/skills-unmet"

// windows are all windows in months.
var windows = []int{3, 6, 12, 24}

// Discover finds the skills, and the values of every filter of which there are
// adverts. What an area is made of, and which ones are in no tree, is public and
// comes from elsewhere.
func (c *Client) Discover(ctx context.Context, areas map[string][]string, others []string) (Space, error) {
	s := Space{World: madeup.World{Areas: areas}, Others: others}
	rows, err := c.walk(ctx, skillsUnmetPath, url.Values{"window": {"24"}, "limit": {"200"}})
	if err != nil {
		return s, err
	}
	for _, r := range rows {
		s.Skills = append(s.Skills, token(r["skill"]))
	}
	slices.Sort(s.Skills)
	seen := map[[2]string]bool{}
	for _, f := range []struct {
		by   string
		into *[]string
	}{{"place", &s.Places}, {"sector", &s.Sectors}, {"soc", &s.SOCs}, {"level", &s.Levels}} {
		for _, skill := range s.Skills {
			rows, err := c.walk(ctx, skillsUnmetPath, url.Values{"window": {"24"}, "limit": {"200"}, "skill": {skill}, "by": {f.by}})
			if err != nil {
				return s, err
			}
			for _, r := range rows {
				bucket := token(r["bucket"])
				if _, area := areas[bucket]; !area && !slices.Contains(others, bucket) && !seen[[2]string{f.by, bucket}] {
					seen[[2]string{f.by, bucket}] = true
					*f.into = append(*f.into, bucket)
				}
			}
		}
		slices.Sort(*f.into)
	}
	rows, err = c.walk(ctx, "/v1/labour/sources", nil)
	for _, r := range rows {
		if r["adverts_counted"] == true {
			s.Sources = append(s.Sources, token(r["key"]))
		}
	}
	return s, err
}

// question is one set of filters; "" = none.
type question struct {
	place, dim, value string // dim is sector, soc, level or source
	more              [2]string
	skill, by         string
	window            int
}

func (q question) query() url.Values {
	limit := "60"
	if q.window == 24 && q.by == "" {
		limit = "10" // so that lists have pages
	}
	v := url.Values{"window": {strconv.Itoa(q.window)}, "limit": {limit}}
	for name, value := range map[string]string{"place": q.place, q.dim: q.value, q.more[0]: q.more[1], "skill": q.skill, "by": q.by} {
		if name != "" && value != "" {
			v.Set(name, value)
		}
	}
	return v
}

// SkillsUnmet asks the whole space.
func (c *Client) SkillsUnmet(ctx context.Context, s Space) (*SkillsUnmet, error) {
	out := &SkillsUnmet{Figures: map[string]map[madeup.Cell]Figures{}}
	for _, q := range s.questions() {
		rows, err := c.walk(ctx, skillsUnmetPath, q.query())
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out.take(s, q, r)
		}
	}
	return out, nil
}

// questions are every combination: place or none, one other filter or none, all
// windows, as a list of all skills and, inside the lattice, as breakdowns of some.
func (s Space) questions() (out []question) {
	filters := s.filters()
	if s.Beyond {
		filters = append(filters, s.beyond()...)
	}
	for _, place := range s.allPlaces() {
		for _, f := range filters {
			for _, w := range windows {
				q := f
				q.place, q.window = place, w
				out = append(out, q)
				out = append(out, s.breakdowns(q)...)
			}
		}
	}
	return out
}

// filters are no filter, and every value of every filter but place.
func (s Space) filters() []question {
	filters := []question{{}}
	for dim, values := range map[string][]string{"sector": s.Sectors, "soc": s.SOCs, "level": s.Levels, "source": s.Sources} {
		for _, v := range values {
			filters = append(filters, question{dim: dim, value: v})
		}
	}
	slices.SortFunc(filters, func(a, b question) int { return strings.Compare(a.dim+a.value, b.dim+b.value) })
	return filters
}

// breakdowns are those of a question that stay inside the lattice, or all.
func (s Space) breakdowns(q question) (out []question) {
	for _, skill := range s.Broken {
		for _, by := range []string{"place", "sector", "soc", "level", "month"} {
			q.skill, q.by = skill, by
			inside := (q.dim == "" || by == "place") && (q.place == "" || q.window >= 12)
			if s.Beyond || inside {
				out = append(out, q)
			}
		}
	}
	return out
}

// beyond are combinations outside the lattice: two filters beside place, and the
// groups of occupations.
func (s Space) beyond() (out []question) {
	for _, soc := range s.SOCs {
		out = append(out, question{dim: "soc", value: soc[:2]}, question{dim: "soc", value: soc[:3]})
		for _, sector := range s.Sectors {
			out = append(out, question{dim: "soc", value: soc, more: [2]string{"sector", sector}})
		}
		for _, level := range s.Levels {
			out = append(out, question{dim: "soc", value: soc, more: [2]string{"level", level}})
		}
	}
	for _, level := range s.Levels {
		for _, sector := range s.Sectors {
			out = append(out, question{dim: "level", value: level, more: [2]string{"sector", sector}})
		}
	}
	return out
}

// take keeps one row under its cell.
func (u *SkillsUnmet) take(s Space, q question, row map[string]any) {
	f := Figures{token(row["people_turned_down"]), token(row["hired_with_skill_pct"]), token(row["turned_down_with_skill_pct"])}
	cell, inside := cellOf(q, token(row["bucket"]))
	if !inside {
		if f != nothing {
			u.Outside = append(u.Outside, fmt.Sprintf("%+v prints %+v", q, f))
		}
		return
	}
	if slices.Contains(s.Others, cell.Place) {
		if f != nothing {
			u.Outside = append(u.Outside, fmt.Sprintf("%+v prints %+v", q, f))
		}
		return
	}
	skill := token(row["skill"])
	if u.Figures[skill] == nil {
		u.Figures[skill] = map[madeup.Cell]Figures{}
	}
	if known, ok := u.Figures[skill][cell]; ok && known != f {
		u.Disagree = append(u.Disagree, fmt.Sprintf("%s %+v prints %+v and, to %+v, %+v", skill, cell, known, q, f))
	}
	u.Figures[skill][cell] = f
}

// cellOf is the cell of the published lattice that a row stands in: no filter, one,
// or place with one other, by counting as a filter; two filters for 12 and 24
// months alone, months of a place for 12.
func cellOf(q question, bucket string) (madeup.Cell, bool) {
	filters := map[string]string{}
	for name, value := range map[string]string{q.dim: q.value, q.more[0]: q.more[1]} {
		if value != "" {
			filters[name] = value
		}
	}
	c := madeup.Cell{Place: q.place, Window: q.window}
	switch {
	case q.by == "place":
		c.Place = bucket
	case q.by != "":
		filters[q.by] = bucket
	}
	if len(filters) > 1 {
		return c, false
	}
	c.Signature = "none"
	for name, value := range filters {
		c.Signature, c.Value = name, value
		if name == "soc" && len(value) != 4 {
			return c, false
		}
	}
	month := c.Signature == "month"
	if c.Place != "" {
		if c.Signature == "none" {
			c.Signature = "place"
		} else {
			c.Signature = "place_" + c.Signature
			if c.Window < 12 || month && c.Window != 12 {
				return c, false
			}
		}
	}
	if month {
		c.Window = 1
	}
	return c, true
}

// Skill asks everything inside the lattice of one skill, by place wherever there is
// one, which is the shortest way in a large space.
func (c *Client) Skill(ctx context.Context, s Space, skill string) (*SkillsUnmet, error) {
	out := &SkillsUnmet{Figures: map[string]map[madeup.Cell]Figures{skill: {}}}
	for _, w := range windows {
		for _, f := range s.filters() {
			q := f
			q.skill, q.window = skill, w
			asked := []question{q}
			if f.dim == "" || w >= 12 {
				q.by = "place"
				asked = append(asked, q)
			}
			if q.by = "month"; f.dim == "" && w == 24 {
				asked = append(asked, q)
			}
			for _, q := range asked {
				rows, err := c.walk(ctx, skillsUnmetPath, q.query())
				if err != nil {
					return nil, err
				}
				for _, r := range rows {
					out.take(s, q, r)
				}
			}
		}
	}
	return out, nil
}
