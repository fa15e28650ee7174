package query

import (
	"cmp"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// notPublished stands for a share of residents, or a score, that is not published. Published values
// are never negative.
const notPublished = -1

// rankedRow is one row of a ranking of skills. In a breakdown, the row is for a skill in one place,
// sector, occupation, level or month.
type rankedRow struct {
	skill        int                 // number of the skill in the tables, from 1
	bucket       string              // place, sector, occupation, level or month; empty without a breakdown
	isArea       bool                // whether the row is for an area of several boroughs; such rows come after boroughs
	level        int                 // level of the skill for which the share of residents is given, 1 to 5
	advertSample figure.AdvertSample // number of matching adverts, and number of these that require the skill
	share        figure.Tenths       // share of adverts that require the skill, in tenths of a per cent
	// share of residents whose level is below the field level, in tenths of a per cent, or
	// notPublished
	belowShare figure.Tenths
	list       *list
	rank       int
}

// score returns the score of a row times 10,000, or notPublished. The score is the share of adverts
// that require the skill times the share of residents who lack it, both in per cent, divided by
// 100.
func (r *rankedRow) score() int64 {
	if r.belowShare == notPublished {
		return notPublished
	}
	return int64(r.share * r.belowShare)
}

// position holds the values by which the rows of a ranking are sorted.
type position struct {
	isArea bool
	score  int64
	share  figure.Tenths
	skill  string
	bucket string
}

// compare orders two rows of a ranking. It compares the scores and then the shares of adverts, the
// highest first, and then the names. A row without a score comes after all rows with one. In a
// breakdown by place, areas come after boroughs.
func (p position) compare(o position) int {
	if p.isArea != o.isArea {
		return cmp.Compare(rankOf(p.isArea), rankOf(o.isArea))
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

// positionOf returns the values by which a row of a ranking is sorted. In a breakdown by month, it
// is only the month.
func (s *Snapshot) positionOf(q api.SkillsUnmetQuery, r *rankedRow) position {
	if q.By == api.ByMonth {
		return position{bucket: r.bucket}
	}
	return position{r.isArea, r.score(), r.share, s.values[api.Skills][r.skill-1], r.bucket}
}

// after returns the values by which the last row of the previous page is sorted. It reads them from
// the cursor, q.After.
func (s *Snapshot) after(q api.SkillsUnmetQuery) position {
	if q.By == api.ByMonth {
		return position{bucket: q.After.Bucket}
	}
	p := position{score: notPublished, share: figure.Tenths(q.After.AdvertsShare), skill: q.After.Skill,
		bucket: q.After.Bucket}
	if q.After.Score != nil {
		p.score = *q.After.Score
	}
	p.isArea = q.By == api.ByPlace && s.isArea(q.After.Bucket)
	return p
}

// page sorts and ranks the rows of a ranking and returns one page of them. hasMore reports whether
// further rows follow. If the query names a skill, the page has only that skill, with its rank in
// the whole ranking.
func (s *Snapshot) page(q api.SkillsUnmetQuery, rows []rankedRow) (page []rankedRow, hasMore bool) {
	slices.SortFunc(rows, func(a, b rankedRow) int { return s.positionOf(q, &a).compare(s.positionOf(q, &b)) })
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
