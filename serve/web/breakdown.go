package web

import "labour/serve/api"

// bucketRow is a row in the breakdown of one skill, such as the row of one place. URL is the
// address of the current page, filtered by that place. A row of a month has no URL.
type bucketRow struct {
	api.SkillsUnmetRow
	URL  string
	Here bool // whether the page is about the place of this row
}

func brokenDown(v *request, what string, f filter, skill string, by api.Breakdown, limit int) []bucketRow {
	q := f.breakdownQuery(skill, by, limit)
	return rowsOf(v, by, runQuery(v, what, skillsPath, api.Snapshot.SkillsUnmet, q))
}

// breakdownQuery returns the API query for the breakdown of a skill, such as by place. The result
// of the query has at most limit rows.
func (f filter) breakdownQuery(skill string, by api.Breakdown, limit int) api.SkillsUnmetQuery {
	q := f.query()
	q.Skill = skill
	q.By = by
	q.Limit = limit
	return q
}

// rowsOf returns the rows of a breakdown for a page. Each row has a link to the page filtered by
// the row's value, such as one place.
func rowsOf(v *request, by api.Breakdown, p api.Page[api.SkillsUnmetRow]) []bucketRow {
	var rows []bucketRow
	for _, r := range p.Rows {
		rows = append(rows, bucketRow{r, v.narrowAddress(by, *r.Bucket), by == api.ByPlace && *r.Bucket == v.place})
	}
	return rows
}

// narrowAddress returns the address of the current page with one more filter, such as a place. It
// returns "" for a month, because pages have no filter for a month.
func (v *request) narrowAddress(by api.Breakdown, bucket string) string {
	if by == api.ByMonth {
		return ""
	}
	q := v.URL.Query()
	q.Set(string(by), bucket)
	for _, name := range []string{"by", "cursor", "rows"} {
		q.Del(name)
	}
	return address(v.URL.Path, q)
}
