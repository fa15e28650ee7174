package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// question is one set of filters of skills-unmet.
type question struct {
	place, sector, soc, source, skill, by string
	level, window                         int // 0 = left out
}

func (q question) String() string {
	var parts []string
	for name, value := range map[string]string{"place": q.place, "sector": q.sector, "soc": q.soc, "source": q.source,
		"skill": q.skill, "by": q.by,
		"level": number(q.level), "window": number(q.window)} {
		if value != "" {
			parts = append(parts, name+"="+value)
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// answer is one row as it should be printed, field by field.
type answer struct {
	rank          int
	skill, bucket string
	level         int
	share         figure.Tenths
	below         *figure.Tenths
	printed       disclosure.PublishedCell
	score         *int64
}

// answer asks the raw records.
func (o *oracle) answer(q question) []answer {
	if q.window == 0 {
		q.window = 12
	}
	if q.by == "" {
		all := q
		all.skill = "" // one skill alone keeps the rank that it has among all
		rows := o.rankAnswers(all, o.group(all, "", o.matching(all)))
		return slices.DeleteFunc(rows, func(a answer) bool { return q.skill != "" && a.skill != q.skill })
	}
	var rows []answer
	for _, bucket := range o.buckets(q) {
		narrowed := q
		switch q.by {
		case "place":
			if q.place != "" && q.place != bucket {
				continue
			}
			narrowed.place = bucket
		case "sector":
			narrowed.sector = bucket
		case "soc":
			narrowed.soc = bucket
		case "level":
			if q.level != 0 && bucket != number(q.level) {
				continue
			}
			narrowed.level = int(bucket[0] - '0')
		}
		vs := o.matching(narrowed)
		if q.by == "month" {
			vs = slices.DeleteFunc(vs, func(v *vacancy) bool { return monthText(v.month) != bucket })
		}
		rows = append(rows, o.group(narrowed, bucket, vs)...)
	}
	return o.rankAnswers(q, rows)
}

// buckets are the values of a breakdown.
func (o *oracle) buckets(q question) []string {
	set := map[string]bool{}
	switch q.by {
	case "place":
		for slug := range o.areas {
			set[slug] = true
		}
	case "level":
		for l := 1; l <= 5; l++ {
			set[fmt.Sprint(l)] = true
		}
	}
	for _, v := range o.matching(q) {
		switch q.by {
		case "sector":
			set[v.sector] = true
		case "soc":
			set[v.soc] = true
		case "month":
			set[monthText(v.month)] = true
		}
	}
	delete(set, "")
	var out []string
	for b := range set {
		out = append(out, b)
	}
	slices.Sort(out)
	return out
}

// matching are the vacancies that the filters on adverts select; the level
// narrows what is asked and not which adverts there are.
func (o *oracle) matching(q question) []*vacancy {
	newest := monthNumber(o.asOf)
	var out []*vacancy
	for i := range o.vacancies {
		v := &o.vacancies[i]
		if q.place != "" && !slices.Contains(o.placesOf(v), q.place) || q.sector != "" && v.sector != q.sector ||
			q.soc != "" && !strings.HasPrefix(v.soc, q.soc) || q.source != "" && v.source != q.source ||
			v.month > newest || v.month <= newest-q.window {
			continue
		}
		out = append(out, v)
	}
	return out
}

// group makes the rows of one list or one bucket: none under the floor of 5
// adverts of 3 employers.
func (o *oracle) group(q question, bucket string, vs []*vacancy) []answer {
	employers, asking := map[string]bool{}, map[string]int64{}
	if q.by == "month" {
		asking[q.skill] = 0 // a month in which no advert asks has a row
	}
	for _, v := range vs {
		employers[v.employer] = true
		for k, level := range v.asked {
			if (q.skill == "" || k == q.skill) && (q.level == 0 || level == q.level) {
				asking[k]++
			}
		}
	}
	if len(vs) < 5 || len(employers) < 3 {
		return nil
	}
	var rows []answer
	for k, n := range asking {
		a := answer{skill: k, bucket: bucket, level: cmp.Or(q.level, o.usual(k)),
			share: figure.ShareTenths(n, int64(len(vs)))}
		a.below = o.below(q.place, k, a.level)
		a.printed = o.people[k][o.cellOf(q, bucket)]
		if a.below != nil {
			score := int64(a.share * *a.below)
			a.score = &score
		}
		rows = append(rows, a)
	}
	return rows
}

// usual is the level asked most often in 24 months, the lower one on a tie: one a skill.
func (o *oracle) usual(skill string) int {
	levels, best := map[int]int{}, 0
	for _, v := range o.matching(question{window: 24}) {
		levels[v.asked[skill]]++
	}
	for l := 1; l <= 5; l++ {
		if levels[l] > 0 && (best == 0 || levels[l] > levels[best]) {
			best = l
		}
	}
	return cmp.Or(best, int(o.skills[skill].Level))
}

// cellOf is the published combination of a question, or one that does not exist.
func (o *oracle) cellOf(q question, bucket string) disclosure.Cell {
	var dims []string
	value := ""
	for dim, v := range map[string]string{"sector": q.sector, "soc": q.soc, "level": number(q.level),
		"source": q.source} {
		if v != "" {
			dims, value = append(dims, dim), v
		}
	}
	c := disclosure.Cell{Place: q.place, Value: value}
	switch {
	case len(dims) > 1 || q.by == "month":
		return disclosure.Cell{}
	case len(dims) == 0 && q.place == "":
		c.Signature = snapshots.Unfiltered
	case len(dims) == 0:
		c.Signature = snapshots.FilteredByPlace
	case q.place == "":
		c.Signature = dims[0]
	default:
		c.Signature = "place_" + dims[0]
	}
	return c
}

// rankAnswers puts rows in the order of the interface: months by the calendar, boroughs
// before the areas that they are part of.
func (o *oracle) rankAnswers(q question, rows []answer) []answer {
	wide := func(a answer) int {
		if boroughs := o.areas[a.bucket]; q.by == "place" && (len(boroughs) != 1 || boroughs[0] != a.bucket) {
			return 1
		}
		return 0
	}
	score := func(a answer) int64 {
		if a.score == nil {
			return -1
		}
		return *a.score
	}
	slices.SortFunc(rows, func(a, b answer) int {
		if q.by == "month" {
			return cmp.Compare(a.bucket, b.bucket)
		}
		return cmp.Or(cmp.Compare(wide(a), wide(b)), cmp.Compare(score(b), score(a)), cmp.Compare(b.share, a.share),
			cmp.Compare(a.skill, b.skill), cmp.Compare(a.bucket, b.bucket))
	})
	for i := range rows {
		rows[i].rank = i + 1
	}
	return rows
}

// fields prints a row as the JSON of the interface should hold it.
func (a answer) fields() map[string]string {
	tenths := func(t *figure.Tenths) string {
		if t == nil {
			return "null"
		}
		return strings.TrimSuffix(string(figure.AppendTenths(nil, *t)), ".0")
	}
	m := map[string]string{"rank": fmt.Sprint(a.rank), "skill": a.skill, "level": fmt.Sprint(a.level),
		"source_key":        "platform",
		"adverts_share_pct": string(figure.AppendTenths(nil, a.share)), "people_below_share_pct": tenths(a.below),
		"people_turned_down": a.printed.TurnedDown.String(), "hired_with_skill_pct": tenths(a.printed.HiredWithSkillPct),
		"turned_down_with_skill_pct": tenths(a.printed.TurnedDownWithSkillPct), "difference_pct_points": "null",
		"score": "null"}
	if a.printed.HiredWithSkillPct != nil && a.printed.TurnedDownWithSkillPct != nil {
		d := *a.printed.HiredWithSkillPct - *a.printed.TurnedDownWithSkillPct
		m["difference_pct_points"] = tenths(&d)
	}
	if a.score != nil {
		m["score"] = string(figure.AppendScore(nil, *a.score))
	}
	if a.bucket != "" {
		m["bucket"] = a.bucket
	}
	return m
}
