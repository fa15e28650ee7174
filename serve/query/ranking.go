package query

import (
	"cmp"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// notPublished marks a missing share of residents or score.
const notPublished = -1

// ranked is a skill, or a bucket of one, with the figures that determine its rank. The order
// depends only on printed figures.
type ranked struct {
	skill  int           // number of the skill
	bucket string        // empty without a breakdown
	behind bool          // an area, which overlaps with boroughs: "boroughs first"
	level  int           // level for the share of residents
	asked  figure.Sample // adverts of the list, and those that require the skill
	share  figure.Tenths // share of adverts
	below  figure.Tenths // share of residents, or notPublished
	list   *list
	rank   int
}

// score is "adverts_share_pct × people_below_share_pct / 100 from the printed values, exact",
// in ten-thousandths, or notPublished.
func (r *ranked) score() int64 {
	if r.below == notPublished {
		return notPublished
	}
	return int64(r.share * r.below)
}

// position is the sort key of a row.
type position struct {
	behind bool
	score  int64
	share  figure.Tenths
	skill  string
	bucket string
}

// compare orders by "score descending, nulls last, then adverts_share_pct descending, then skill",
// and then by bucket; areas come after boroughs.
func (p position) compare(o position) int {
	if p.behind != o.behind {
		return cmp.Compare(rankOf(p.behind), rankOf(o.behind))
	}
	return cmp.Or(cmp.Compare(o.score, p.score), cmp.Compare(o.share, p.share), strings.Compare(p.skill, o.skill),
		strings.Compare(p.bucket, o.bucket))
}

func rankOf(behind bool) int {
	if behind {
		return 1
	}
	return 0
}

// positionOf returns the position of a row. Months are in calendar order.
func (s *Snapshot) positionOf(q api.SkillsUnmetQuery, r *ranked) position {
	if q.By == api.ByMonth {
		return position{bucket: r.bucket}
	}
	return position{r.behind, r.score(), r.share, s.values[api.Skills][r.skill-1], r.bucket}
}

// after returns the position from which the page of a query continues.
func (s *Snapshot) after(q api.SkillsUnmetQuery) position {
	if q.By == api.ByMonth {
		return position{bucket: q.After.Bucket}
	}
	p := position{score: notPublished, share: figure.Tenths(q.After.AdvertsShare), skill: q.After.Skill,
		bucket: q.After.Bucket}
	if q.After.Score != nil {
		p.score = *q.After.Score
	}
	p.behind = q.By == api.ByPlace && s.isArea(q.After.Bucket)
	return p
}

// page ranks the rows and returns those on the query's page, and whether any follow. A query about
// one skill gets its row with its rank among all skills.
func (s *Snapshot) page(q api.SkillsUnmetQuery, rows []ranked) (page []ranked, more bool) {
	slices.SortFunc(rows, func(a, b ranked) int { return s.positionOf(q, &a).compare(s.positionOf(q, &b)) })
	for i := range rows {
		r := &rows[i]
		r.rank = i + 1
		if q.Skill != "" && s.values[api.Skills][r.skill-1] != q.Skill {
			continue
		}
		if q.After != nil && s.positionOf(q, r).compare(s.after(q)) <= 0 {
			continue
		}
		if len(page) == q.Limit {
			return page, true
		}
		page = append(page, *r)
	}
	return page, false
}
