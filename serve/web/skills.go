package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/web/words"
	"labour/snapshots/figure"
)

// skillsPath is the API path for unmet skills.
const skillsPath = serve.LabourPath + "skills-unmet"

// rowsPerPage is the number of rows on one page of a list. It keeps pages far below 100 KB.
const rowsPerPage = 20

type skillsView struct {
	Where   string
	Form    form
	Rows    []api.SkillsUnmetRow
	Columns columns
	Heads   []measure
	Sorted  string // API name of the figure by which the list is sorted
	Next    string
	First   string // address of the first page; empty if this is the first page
	TooFew  bool   // whether too few adverts match the filters for a list
	Note    string // why there are no figures about people; empty if there are some
	Filter  url.Values
	Whole   string             // path of the whole list, below /csv and /xlsx
	Every   string             // address of the lists of every place in one file
	Placed  *api.AdvertsPlaced // how precisely the places of the adverts are known; nil = not known
}

func (s *Site) home(v *request) view {
	f := filter{Window: api.DefaultWindow}
	q := f.query()
	q.Limit = 5
	p := runQuery(v, "The five skills above", skillsPath, api.Snapshot.SkillsUnmet, q)
	v.stamp.People = true
	return view{template: "home", title: "Which skills do adverts ask for that residents do not have?",
		data: skillsView{
			Where: f.where(v.snapshot), Form: formOf(v, f, "/skills"), Rows: p.Rows}}
}

// skills shows the ranked list of unmet skills. The visitor can choose another order, or one kind
// of skill such as licences.
func (s *Site) skills(v *request) view {
	f, o := filterOf(v), orderOf(v)
	d := skillsView{Where: f.where(v.snapshot), Form: formOf(v, f, "/skills", o.keep()...), Filter: f.values(),
		Heads: o.heads(v), Sorted: o.by}
	d.Form.Kinds = kindsOfSkill(v.snapshot, o.kind)
	p := s.list(v, f, o, &d)
	d.Rows = p.Rows
	d.Placed = p.Placed
	d.TooFew = p.TooFewAdverts
	d.Note = missingPeopleNote(p.People)
	d.Columns = columnsOf(p.Rows)
	v.aboutPeople(f.Place, "")
	d.Whole, d.Every = wholeAddress(f.values()), everyAddress(f)
	return view{template: "skills", title: "Unmet skills: " + d.Where, section: "/skills", data: d}
}

const listCall = "This page of the list"

func (s *Site) list(v *request, f filter, o order, d *skillsView) (p api.Page[api.SkillsUnmetRow]) {
	if o.whole() {
		p = runQuery(v, listCall, skillsPath, api.Snapshot.SkillsUnmet, f.everySkill())
		p.Rows, d.First, d.Next = o.page(v, p.Rows)
		return p
	}
	q := f.query()
	q.Limit, q.After = rowsPerPage, positionOf[api.SkillsUnmetPosition](v)
	p = runQuery(v, listCall, skillsPath, api.Snapshot.SkillsUnmet, q)
	if q.After != nil {
		d.First = v.with("cursor", "")
	}
	d.Next = nextOf(s, v, skillsPath, p)
	return p
}

type order struct{ by, kind string }

type measure struct {
	Field  string // name of the figure in the API, such as score
	Name   string
	Map    string // value of the page's parameter map; empty = no map of this figure
	Mapped string // name of the figure on the map; empty = Name
	get    func(api.SkillsUnmetRow) any
	URL    string // address of the list sorted by this figure, or of its map
	Here   bool
}

// shown returns the measure's figure for a row, as pages show it.
func (m measure) shown(r api.SkillsUnmetRow) shownFigure {
	if m.Field == "adverts_share_pct" {
		return advertsShareFigure(r)
	}
	return shownAs(m.Field, m.get(r))
}

// number returns the measure's figure for a row as a number, for sorting and comparing. ok is false
// if the figure is not a number.
func (m measure) number(r api.SkillsUnmetRow) (n int64, ok bool) {
	switch v := m.get(r).(type) {
	case api.Share:
		return int64(v.Tenths), true
	case api.Percent:
		if v.Tenths != nil {
			return int64(*v.Tenths), true
		}
	case api.Score:
		if v.TenThousandths != nil {
			return *v.TenThousandths, true
		}
	case api.Count:
		return v.Number()
	}
	return 0, false
}

// order returns a number by which rows are sorted by the measure. It is the figure, or 1 for the
// count "<5", which is more than 0 and less than 5. ok is false if no figure is published.
func (m measure) order(r api.SkillsUnmetRow) (n int64, ok bool) {
	if c, isCount := m.get(r).(api.Count); isCount && c.Status() == figure.StatusUnderFive {
		return 1, true
	}
	return m.number(r)
}

// measures returns the figures by which the list of unmet skills can be sorted. The default, the
// score, comes first.
func measures() []measure {
	return []measure{
		{Field: "score", Name: "Score", Map: "score", get: func(r api.SkillsUnmetRow) any { return r.Score }},
		{Field: "adverts_share_pct", Name: "Adverts asking", Map: "adverts",
			get: func(r api.SkillsUnmetRow) any { return r.AdvertsShare }},
		{Field: "people_below_share_pct", Name: "Residents without", Map: "residents", Mapped: "Residents without it",
			get: func(r api.SkillsUnmetRow) any { return r.PeopleBelow }},
		{Field: "people_turned_down", Name: "People turned down", Map: "turned-down",
			get: func(r api.SkillsUnmetRow) any { return r.TurnedDown }},
		{Field: "hired_with_skill_pct", Name: "Hired, with skill",
			get: func(r api.SkillsUnmetRow) any { return r.HiredWith }},
		{Field: "turned_down_with_skill_pct", Name: "Turned down, with skill",
			get: func(r api.SkillsUnmetRow) any { return r.TurnedDownWith }},
		{Field: "difference_pct_points", Name: "Difference, points",
			get: func(r api.SkillsUnmetRow) any { return r.Difference }},
	}
}

func orderOf(v *request) order {
	o := order{by: cmp.Or(v.URL.Query().Get("sort"), measures()[0].Field), kind: v.URL.Query().Get("kind")}
	if !slices.ContainsFunc(measures(), func(m measure) bool { return m.Field == o.by }) {
		v.fail(&fault{status: http.StatusBadRequest, parameter: "sort", title: "Unknown order",
			words: "The list can be sorted by each of its figures.", nearest: []link{{"By score", v.with("sort", "")}}})
	}
	v.checkExists("kind", "kind of skill", o.kind, slices.ContainsFunc(v.snapshot.NamedValues(api.Skills),
		func(n api.Named) bool { return n.Kind == o.kind }))
	return o
}

// whole reports whether the page must read all rows of the list to show some of them. That is so if
// the visitor chose another order than the default, or one kind of skill.
func (o order) whole() bool { return o.by != measures()[0].Field || o.kind != "" }

// keep returns a hidden form field with the order of the list. Thus a change of the filters does
// not change the order. The result is nil for the default order.
func (o order) keep() []option {
	if o.by == measures()[0].Field {
		return nil
	}
	return []option{{Value: o.by, Name: "sort"}}
}

func (o order) heads(v *request) []measure {
	list := measures()
	for i := range list {
		q := v.URL.Query()
		q.Del("cursor")
		q.Del("page")
		q.Set("sort", list[i].Field)
		if i == 0 {
			q.Del("sort")
		}
		list[i].URL, list[i].Here = address(v.URL.Path, q), list[i].Field == o.by
	}
	return list
}

// page sorts rows, filters them by kind of skill, and returns those on the requested page. firstURL
// is the address of the first page, or empty on that page. nextURL is the address of the next page,
// or empty on the last page.
func (o order) page(v *request, rows []api.SkillsUnmetRow) (part []api.SkillsUnmetRow, firstURL, nextURL string) {
	rows = slices.DeleteFunc(rows, func(r api.SkillsUnmetRow) bool {
		return o.kind != "" && namedOf(v.snapshot, api.Skills, r.Skill).Kind != o.kind
	})
	for _, m := range measures() {
		if m.Field == o.by {
			sortRows(rows, m.order)
		}
	}
	from, to, firstURL, nextURL := v.part(len(rows), rowsPerPage)
	return rows[from:to], firstURL, nextURL
}

// sortRows sorts rows by a figure, the largest first. figureOf returns the figure of a row. Rows
// with equal figures are sorted by rank, and rows without a figure come last.
func sortRows(rows []api.SkillsUnmetRow, figureOf func(api.SkillsUnmetRow) (int64, bool)) {
	largestFirst(rows, figureOf, func(a, b api.SkillsUnmetRow) int { return cmp.Compare(a.Rank, b.Rank) })
}

// largestFirst sorts rows by a figure, the largest first. figureOf returns the figure of a row.
// Rows without a figure come last. compareTied compares rows with equal figures.
func largestFirst[R any](rows []R, figureOf func(R) (int64, bool), compareTied func(a, b R) int) {
	slices.SortStableFunc(rows, func(a, b R) int {
		x, hasX := figureOf(a)
		y, hasY := figureOf(b)
		if hasX != hasY {
			return map[bool]int{true: -1, false: 1}[hasX]
		}
		return cmp.Or(cmp.Compare(y, x), compareTied(a, b))
	})
}

// licence is the kind of a skill that has no levels, such as a driving licence. A person either has
// it or does not.
const licence = "licence"

func kindsOfSkill(s api.Snapshot, chosen string) []option {
	var list []option
	for _, n := range s.NamedValues(api.Skills) {
		if n.Kind != "" && !slices.ContainsFunc(list, func(o option) bool { return o.Value == n.Kind }) {
			list = append(list, option{n.Kind, words.CodeToText(n.Kind), n.Kind == chosen})
		}
	}
	return slices.SortedFunc(slices.Values(list), func(a, b option) int { return cmp.Compare(a.Value, b.Value) })
}

// columns records which figures at least one row of a table has, by the API's name of the figure. A
// table leaves out the column of any other figure.
type columns map[string]bool

func columnsOf(rows []api.SkillsUnmetRow) columns {
	c := columns{}
	for _, m := range measures() {
		c[m.Field] = slices.ContainsFunc(rows, func(r api.SkillsUnmetRow) bool { return m.shown(r).class != "none" })
	}
	return c
}

// mostAskedShare returns the largest share of adverts in rows, in tenths of a per cent. The bars on
// a page are drawn in proportion to it.
func mostAskedShare(rows []api.SkillsUnmetRow) (most int64) {
	for _, r := range rows {
		most = max(most, int64(r.AdvertsShare.Tenths))
	}
	return most
}

// wholeAddress returns the path and query for the whole list of unmet skills, without the prefix
// /csv or /xlsx. q has the filters of the list.
func wholeAddress(q url.Values) string {
	return address("/whole/skills-unmet", q)
}

func everyAddress(f filter) string {
	q := f.values()
	q.Del("place")
	q.Set("each", "place")
	return wholeAddress(q)
}

// fraction returns a text such as "3 of 20". The first number is the number of rows for which the
// difference between hired and turned-down people is published. The second is the number of all
// rows.
func fraction(rows []api.SkillsUnmetRow) string {
	n := 0
	for _, r := range rows {
		if r.Difference.Tenths != nil {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(rows))
}
