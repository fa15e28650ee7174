package query

import (
	"cmp"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// notPublished is the value of a share of residents, or of a score, that is not published.
const notPublished = -1

// ranked is one row of a ranking: a skill, or a bucket of a skill (one value of a breakdown). The
// order of rows depends only on published figures.
type ranked struct {
	skill  int           // number of the skill
	bucket string        // empty without a breakdown
	behind bool          // an area of several boroughs; areas come after boroughs
	level  int           // level for the share of residents
	asked  figure.Sample // adverts of the list, and those that require the skill
	share  figure.Tenths // share of adverts
	below  figure.Tenths // share of residents, or notPublished
	list   *list
	rank   int
}

// score returns the ranking score in ten-thousandths, or notPublished. The specification says:
// "`score` = `adverts_share_pct` × `people_below_share_pct` / 100".
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

// compare orders rows by score, then by share of adverts, both descending, then by skill and
// bucket. Rows without a score come last. In a breakdown by place, areas come after boroughs.
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

// positionOf returns the sort key of a row. In a breakdown by month, the key is the month.
func (s *Snapshot) positionOf(q api.SkillsUnmetQuery, r *ranked) position {
	if q.By == api.ByMonth {
		return position{bucket: r.bucket}
	}
	return position{r.behind, r.score(), r.share, s.values[api.Skills][r.skill-1], r.bucket}
}

// after returns the sort key of the last row before the page, which is in the cursor q.After.
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

// page sorts the rows, sets their ranks and returns the rows of the query's page. more is true if
// further rows follow. If the query names a skill, only its rows are returned; their ranks count
// all rows.
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
