package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/serve/web/words"
)

type breakdown struct {
	By         api.Breakdown
	Name, Head string
	URL        string
	Here       bool
}

type skillView struct {
	Skill, Name string
	Licence     bool // whether the skill is a licence, which has no levels
	Where       string
	LevelChosen bool // whether the visitor chose a level, so that Row has that level
	SmallLast   bool // whether rows of fewer than 20 adverts stand after the others
	Form        form
	Row         *api.SkillsUnmetRow // row of the skill; nil if too few adverts match
	Here        string              // name of the place that the figures are about
	Whole       *api.SkillsUnmetRow // row of all places; nil if the page is about all places
	// whether the shares of Row and of all other places do not differ significantly
	Unclear bool
	Pairing template.HTML // drawing of the score; empty without a score
	Tabs    []breakdown
	By      breakdown
	Rows    []bucketRow
	// all months from the first with enough adverts, including later ones with too few
	Months []trendMonth
	// whether Months leaves out earlier months, which have too few adverts
	EarlierMonths bool
	Columns       columns
	Map           *mapView  // map by place; nil = there is nothing to draw
	Trend         trendLine // line chart over the last 24 months; its drawing may be empty
	Chart         chartLinks
	Ways          ways
	Next, First   string
	More          *link // link to all rows, if only the first are shown; else nil
	AsTable       bool  // whether the visitor chose the table instead of the drawing
	// whether the page is a sentence only: no advert requires this licence at the chosen level
	Nothing bool
	// warning about rounded shares in the breakdown by place; empty if none is needed
	Few             string
	Note            string // why there are no figures about people; empty if there are some
	breakdownFilter filter // filter of the breakdown, which covers all places if it is by place
}

func (s *Site) skill(v *request) view {
	d := s.skillData(v, askSkill, askBreakdown, askWays)
	v.aboutPeople(v.place, "")
	return view{template: "skill", title: d.Name + ": " + d.Where, section: "/skills", data: d}
}

func (s *Site) skillData(v *request, asks ...func(*request, filter, *skillView)) *skillView {
	slug := v.PathValue("skill")
	if _, ok := slices.BinarySearch(v.snapshot.Values(api.Skills), slug); !ok {
		near := nearestLinks(v.snapshot.NamedValues(api.Skills), slug, skillPage)
		v.fail(&fault{status: http.StatusNotFound, title: "There is no such skill", words: "No skill has that name.",
			nearest: append(near, link{"Search", "/find"})})
	}
	f := filterOf(v)
	by, tabs := tabsOf(v)
	measureOf(v) // a faulty parameter map is an error even if no map is drawn
	named := namedOf(v.snapshot, api.Skills, slug)
	d := &skillView{Skill: slug, Name: named.Name, Licence: named.Kind == licence, Where: f.where(v.snapshot), By: by,
		Tabs: tabs, Chart: v.chartLinks(slug),
		Form: formOf(v, f, v.URL.Path, append(keepMap(v.URL.Query()), option{Value: string(by.By), Name: "by"})...)}
	d.Here, d.LevelChosen = "All places", f.Level != ""
	if f.Place != "" {
		d.Here = nameOf(v.snapshot, api.Places, f.Place)
	}
	if d.Licence {
		d.withoutLevels()
	}
	for _, fill := range asks {
		fill(v, f, d)
	}
	return d
}

// withoutLevels removes the menu of levels from the page of a licence, because a licence has no
// levels. It also removes the tab of the breakdown by level, unless the visitor chose that
// breakdown.
func (d *skillView) withoutLevels() {
	d.Form.Levels = nil
	d.Tabs = slices.DeleteFunc(d.Tabs, func(t breakdown) bool { return t.By == api.ByLevel && !t.Here })
}

func tabsOf(v *request) (here breakdown, tabs []breakdown) {
	by := api.Breakdown(cmp.Or(v.URL.Query().Get("by"), string(api.ByMonth)))
	for _, n := range words.List("breakdown") {
		t, q := breakdown{By: api.Breakdown(n.Value), Name: n.Name, Head: words.DisplayName("bucket", n.Value)}, v.URL.Query()
		q.Set("by", string(t.By))
		q.Del("cursor")
		q.Del("rows")
		t.URL, t.Here = address(v.URL.Path, q)+"#breakdown", t.By == by
		if t.Here {
			here = t
		}
		tabs = append(tabs, t)
	}
	if here.By == "" {
		v.fail(&fault{status: http.StatusBadRequest, parameter: "by", title: "Unknown breakdown",
			words:   "A skill can be broken down by place, sector, occupation, level or month.",
			nearest: []link{{"By place", v.with("by", "place")}}})
	}
	return here, tabs
}

func askSkill(v *request, f filter, d *skillView) {
	q := f.query()
	q.Skill, q.Limit = d.Skill, 1
	p := runQuery(v, "The figures of this skill", skillsPath, api.Snapshot.SkillsUnmet, q)
	if len(p.Rows) == 0 {
		return
	}
	r := p.Rows[0]
	d.Row = &r
	if q.Place != "" {
		q.Place = ""
		whole := runQuery(v, "The figures of this skill in all places", skillsPath, api.Snapshot.SkillsUnmet, q)
		if len(whole.Rows) > 0 {
			d.Whole = &whole.Rows[0]
			others := d.Whole.AdvertsSample.Without(r.AdvertsSample)
			d.Unclear = !v.snapshot.CodingErrors().SharesDiffer(r.AdvertsSample, others)
		}
	}
	if !hasScore(r) {
		return
	}
	d.Pairing = chart.DrawLargeScoreRectangle(fmt.Sprintf("A rectangle %s wide and %s high: the score %s",
		advertsShareFigure(r).text, shownAs("people_below_share_pct", r.PeopleBelow).text,
		shownAs("score", r.Score).text), r.AdvertsShare.Tenths, r.PeopleBelow.Tenths)
}

// askBreakdown runs the query for the breakdown that the visitor chose, and sets the rows and the
// chart or map in d. A breakdown by place covers all places, even on the page of one place. A
// breakdown by month keeps the order of the months. In other breakdowns, rows of fewer than 20
// adverts come last, because their shares are often the largest.
func askBreakdown(v *request, f filter, d *skillView) {
	asked := f
	switch d.By.By {
	case api.ByPlace:
		asked.Place = ""
	case api.ByMonth:
		asked = asked.lastMonths()
	}
	d.breakdownFilter = asked
	q := asked.breakdownQuery(d.Skill, d.By.By, serve.MaxListRows)
	q.Zeros = d.By.By == api.ByPlace // for the map; the table leaves them out
	p := runQuery(v, "The breakdown", skillsPath, api.Snapshot.SkillsUnmet, q)
	mapped := rowsOf(v, d.By.By, p)
	if q.Zeros {
		p.Rows = slices.DeleteFunc(slices.Clone(p.Rows), noneAsks)
	}
	asks := func(r api.SkillsUnmetRow) bool { return r.AdvertsSample.Requiring > 0 }
	if d.Nothing = d.Licence && f.Level != "" && !slices.ContainsFunc(p.Rows, asks); d.Nothing {
		return
	}
	rows := rowsOf(v, d.By.By, p)
	d.Note = missingPeopleNote(p.People)
	d.Columns = columnsOf(p.Rows)
	d.AsTable = everyRow(v)
	if d.By.By == api.ByMonth {
		until := lastAdvertsDay(v, f)
		d.Rows, d.Months = rows, monthsOf(rows, v.snapshot.AsOf(), until)
		d.EarlierMonths = leavesOutEarlier(len(d.Months), "month", v.snapshot.AsOf(), v.snapshot.AsOf())
		d.Trend = trendOf(v, f, d, until)
		return
	}
	if d.By.By == api.ByPlace {
		drawMap(v, asked, d, mapped)
	}
	slices.SortStableFunc(rows, byConfidence)
	d.SmallLast = slices.ContainsFunc(rows, func(r bucketRow) bool { return handfulLast(r.SkillsUnmetRow) == 1 })
	d.cut(v, rows)
	if d.By.By == api.ByPlace {
		d.Few = fewAmong(v, d.Rows)
	}
}

// cut limits the rows of a breakdown to those that the page shows. These are the first firstRows
// rows or, if the visitor asked for all rows, one page of them.
func (d *skillView) cut(v *request, rows []bucketRow) {
	if everyRow(v) {
		from, to, first, next := v.part(len(rows), placesPerPage)
		d.Rows = rows[from:to]
		d.First = first
		d.Next = next
		return
	}
	d.Rows = rows[:min(firstRows, len(rows))]
	if len(rows) > firstRows {
		d.More = &link{"All rows", v.with("rows", everyRowValue) + "#breakdown"}
	}
}

// byConfidence compares two rows for sorting. Boroughs come before areas of several boroughs. Among
// boroughs and among areas, rows of fewer than 20 adverts come last.
func byConfidence(a, b bucketRow) int {
	return cmp.Or(cmp.Compare(areaLast(a), areaLast(b)),
		cmp.Compare(handfulLast(a.SkillsUnmetRow), handfulLast(b.SkillsUnmetRow)))
}

func areaLast(r bucketRow) int {
	if r.AreaKind != nil && *r.AreaKind == "area" {
		return 1
	}
	return 0
}

// everyRowValue is the value of the page's parameter rows that requests all rows of a table.
const everyRowValue = "all"

func everyRow(v *request) bool { return v.URL.Query().Get("rows") == everyRowValue }

// firstRows is the number of rows of a breakdown that a page shows at first. A link shows all rows.
const firstRows = 10

// embedRoot is the path prefix of the pages that other sites may show in a frame.
const embedRoot = "/embed/"

// framePolicy is the Content-Security-Policy of pages that any other site may show in a frame.
var framePolicy = strings.NewReplacer("frame-ancestors 'none'", "frame-ancestors *", "script-src 'self'; ", "",
	"connect-src 'self'; ", "", "form-action 'self'", "form-action 'none'").Replace(policy)

type chartView struct {
	Title, Where, Note string
	Drawing            template.HTML
	// warning about rounded shares of residents on a map; empty if none is needed
	Few    string
	Narrow template.HTML // drawing for a narrow screen such as a phone's; empty = none
	Key    []keyEntry
	Page   string // address of the page that shows the chart with its table
}

type chartLinks struct {
	SVG, Embed string
	Height     int // height of a frame for the chart, its caption and its sources, in pixels
}

const (
	// heightOfLine is the height, in pixels, of a frame that shows a line chart on the narrowest
	// phone.
	heightOfLine = 960
	// heightOfMap is the height, in pixels, of a frame that shows a map on the narrowest phone.
	heightOfMap = 1080
)

func (v *request) chartLinks(skill string) chartLinks {
	q := v.URL.Query()
	q.Del("cursor")
	q.Del("rows")
	of := func(path string) string { return address(path, q) }
	links := chartLinks{SVG: of("/skills/" + url.PathEscape(skill) + "/chart.svg"),
		Embed: v.base + of(embedRoot+"skills/"+url.PathEscape(skill)), Height: heightOfLine}
	if api.Breakdown(q.Get("by")) == api.ByPlace {
		links.Height = heightOfMap
	}
	return links
}

func (s *Site) chartOf(v *request) chartView {
	d := s.skillData(v, askBreakdown)
	c := chartView{Where: d.Where, Page: address("/skills/"+url.PathEscape(d.Skill), v.URL.Query())}
	switch {
	case d.Trend.Drawing != "":
		c.Title = "Adverts that ask for " + d.Name + ", by " + d.Trend.Step
		c.Drawing = d.Trend.Drawing
		c.Note = d.Trend.Note
		c.Narrow = d.Trend.Narrow
		c.Where = d.breakdownFilter.where(v.snapshot)
		if d.Trend.Step == "quarter" {
			c.Where = d.breakdownFilter.whose(v.snapshot) + ", last eight quarters"
		}
	case d.Map != nil:
		c.Title = d.Name + ": " + strings.ToLower(d.Map.Measure.Name) + " by borough"
		c.Drawing = d.Map.Drawing
		c.Key = d.Map.Key
		c.Few = d.Map.Few
		c.Where = d.breakdownFilter.where(v.snapshot)
	default:
		v.fail(&fault{status: http.StatusNotFound, title: "There is no chart",
			words:   "A skill has a chart by month and a map by place, where enough adverts ask for it.",
			nearest: []link{{d.Name, c.Page}}})
	}
	v.stamp.People = true
	return c
}

func (s *Site) embedPage(v *request) view {
	c := s.chartOf(v)
	return view{template: "embed", title: c.Title, data: c}
}

// chartFile returns the chart or map of a skill as an SVG file. The file also has the legend and
// the attribution statements.
func (s *Site) chartFile(v *request) view {
	c := s.chartOf(v)
	f := chart.SVGFile{Title: c.Title, Drawing: c.Drawing,
		Lines: []string{words.CodeToText(c.Where) + ". Data as of " + longDate(v.snapshot.AsOf()) +
			", snapshot " + v.snapshot.ID() + "."}}
	if s.madeUp(v) {
		f.Lines = append([]string{"Made-up data: every figure is invented."}, f.Lines...)
	}
	for _, k := range c.Key {
		f.Legend = append(f.Legend, chart.LegendLine{Sample: k.Sample, Words: k.Words})
	}
	if c.Note != "" {
		f.Lines = append(f.Lines, c.Note)
	}
	if c.Few != "" {
		f.Lines = append(f.Lines, c.Few)
	}
	for _, said := range v.stamp.Statements() {
		f.Lines = append(f.Lines, said.Text)
	}
	f.Lines = append(f.Lines, v.base+c.Page)
	return view{body: f.SVG(), kind: "image/svg+xml", name: v.PathValue("skill") + ".svg"}
}
