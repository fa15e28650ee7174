package web

import "labour/serve/api"

// bucketRow is a row in the breakdown of one skill, for example the row of one place. URL is the
// address of the current page filtered by that place. URL is empty for a month.
type bucketRow struct {
	api.SkillsUnmetRow
	URL  string
	Here bool // whether the page is about the place of this row
}

func brokenDown(v *request, what string, f filter, skill string, by api.Breakdown, limit int) []bucketRow {
	q := f.breakdownQuery(skill, by, limit)
	return rowsOf(v, by, ask(v, what, skillsPath, api.Snapshot.SkillsUnmet, q))
}

// breakdownQuery returns the query that breaks a skill down, for at most limit rows.
func (f filter) breakdownQuery(skill string, by api.Breakdown, limit int) api.SkillsUnmetQuery {
	q := f.query()
	q.Skill = skill
	q.By = by
	q.Limit = limit
	return q
}

// rowsOf returns the rows of a breakdown for a page. Each row links to the page filtered by the
// row's value, such as one place.
func rowsOf(v *request, by api.Breakdown, p api.Page[api.SkillsUnmetRow]) []bucketRow {
	var rows []bucketRow
	for _, r := range p.Rows {
		rows = append(rows, bucketRow{r, v.narrowAddress(by, *r.Bucket), by == api.ByPlace && *r.Bucket == v.place})
	}
	return rows
}

// narrowAddress returns the address of the current page filtered by one more value, such as one
// place. It is empty for a month, by which pages cannot be filtered.
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
