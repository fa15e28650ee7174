package web

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"time"

	"labour/serve/labourdata"
	"labour/serve/web/chart"
)

// breakdown is one way of breaking a skill down, in words.
type breakdown struct {
	By         labourdata.By
	Name, Head string
	URL        string
	Here       bool
}

func breakdowns() []breakdown {
	return []breakdown{{By: labourdata.ByPlace, Name: "By place", Head: "Place"}, {By: labourdata.BySector, Name: "By sector", Head: "Sector"},
		{By: labourdata.BySOC, Name: "By occupation", Head: "Occupation"}, {By: labourdata.ByLevel, Name: "By level", Head: "Level asked"},
		{By: labourdata.ByMonth, Name: "By month", Head: "Month"}}
}

// skillView is the data of the page of one skill.
type skillView struct {
	Skill, Name string
	Where       string
	Form        form
	Row         *labourdata.SkillsUnmetRow // nil when too few adverts match
	Pairing     template.HTML
	Tabs        []breakdown
	By          breakdown
	Rows        []bucketRow
	Map         *mapView      // by place; nil = there is nothing to draw
	Line        template.HTML // by month
	Next, First string
	Withheld    bool
}

// bucketRow is a bucket with the address of the page that has it as a filter; it
// is empty for months.
type bucketRow struct {
	labourdata.SkillsUnmetRow
	URL string
}

// skill is one skill and one breakdown of it.
func (s *Site) skill(v *visit) (view, error) {
	slug := v.PathValue("skill")
	f, err := filterOf(v)
	if err != nil {
		return view{}, err
	}
	if _, ok := slices.BinarySearch(v.snapshot.Values(labourdata.Skills), slug); !ok {
		return view{}, &fault{status: http.StatusNotFound, title: "There is no such skill", words: "The register of skills has none of that name.", nearest: []link{{"Find a skill", "/skills/find"}}}
	}
	by, tabs, err := tabsOf(v)
	if err != nil {
		return view{}, err
	}
	name := nameOf(v.snapshot, labourdata.Skills, slug)
	d := skillView{Skill: slug, Name: name, Where: f.where(v.snapshot), By: by, Tabs: tabs,
		Form: formOf(v, f, v.URL.Path, append(keepMap(v.URL.Query()), option{Value: string(by.By), Name: "by"})...)}
	if err := s.askSkill(v, f, &d); err != nil {
		return view{}, err
	}
	if err := s.askBreakdown(v, f, &d); err != nil {
		return view{}, err
	}
	v.stamp.People = true
	return view{template: "skill", title: name + ": " + d.Where, section: "/skills", data: d}, nil
}

// tabsOf are the breakdowns with the one that the address asks for.
func tabsOf(v *visit) (here breakdown, tabs []breakdown, err error) {
	by := labourdata.By(v.URL.Query().Get("by"))
	if by == "" && v.URL.Query().Get("place") == "" {
		by = labourdata.ByPlace
	} else if by == "" {
		by = labourdata.BySector // of one place
	}
	for _, t := range breakdowns() {
		q := v.URL.Query()
		q.Set("by", string(t.By))
		q.Del("cursor")
		t.URL, t.Here = address(v.URL.Path, q), t.By == by
		if t.Here {
			here = t
		}
		tabs = append(tabs, t)
	}
	if here.By == "" {
		return here, nil, &fault{status: http.StatusBadRequest, title: "Unknown breakdown", words: "A skill can be broken down by place, sector, occupation, level or month.", nearest: []link{{"By place", v.with("by", "place")}}}
	}
	return here, tabs, nil
}

// askSkill asks for the skill's own row.
func (s *Site) askSkill(v *visit, f filter, d *skillView) error {
	q := f.query()
	q.Skill, q.Limit = d.Skill, 1
	p, err := v.snapshot.SkillsUnmet(v.ctx, q)
	if err != nil {
		return err
	}
	took(v, p)
	call := f.values()
	call.Set("skill", d.Skill)
	v.calls("The figures of this skill", skillsPath, call)
	if len(p.Rows) == 0 {
		return nil
	}
	r := p.Rows[0]
	d.Row = &r
	d.Pairing = chart.PairingLarge(fmt.Sprintf("A rectangle %s wide and %s high: the score %s", percent(&r.AdvertsShare).text, percent(r.PeopleBelow).text, score(r.Score).text), r.AdvertsShare, r.PeopleBelow)
	return nil
}

// askBreakdown asks for the buckets of the skill and draws them.
func (s *Site) askBreakdown(v *visit, f filter, d *skillView) error {
	after, err := s.position(v)
	if err != nil {
		return err
	}
	q := f.query()
	q.Skill, q.By, q.After, q.Limit = d.Skill, d.By.By, after, perPage(d.By.By)
	p, err := v.snapshot.SkillsUnmet(v.ctx, q)
	if err != nil {
		return err
	}
	took(v, p)
	call := f.values()
	call.Set("skill", d.Skill)
	call.Set("by", string(d.By.By))
	call.Set("limit", strconv.Itoa(perPage(d.By.By)))
	if token := v.URL.Query().Get("cursor"); token != "" {
		call.Set("cursor", token)
		d.First = v.with("cursor", "")
	}
	v.calls("The breakdown", skillsPath, call)
	d.Withheld = withheld(p.Rows)
	d.Rows = rowsOf(v, d.By.By, p)
	if d.Next, err = s.nextSkills(v, p); err != nil {
		return err
	}
	switch d.By.By {
	case labourdata.ByPlace:
		return s.drawMap(v, f, d, after == nil && !p.More)
	case labourdata.ByMonth:
		d.Line = lineOf(d)
	}
	return nil
}

// perPage is how many rows of a breakdown a page has: of places fewer, since a map
// stands above them.
func perPage(by labourdata.By) int {
	if by == labourdata.ByPlace {
		return placesPerPage
	}
	return 2 * rowsPerPage
}

// narrowed is the address of the page with a bucket as its filter, broken down by
// something else. Months are no filter.
func (v *visit) narrowed(by labourdata.By, bucket string) string {
	if by == labourdata.ByMonth {
		return ""
	}
	q := v.URL.Query()
	q.Set(string(by), bucket)
	q.Set("by", string(labourdata.ByPlace))
	if by == labourdata.ByPlace {
		q.Set("by", string(labourdata.BySector))
	}
	q.Del("cursor")
	return address(v.URL.Path, q)
}

// lineOf draws the share of adverts by month.
func lineOf(d *skillView) template.HTML {
	var points []chart.Point
	for _, r := range d.Rows {
		share := r.AdvertsShare
		points = append(points, chart.Point{Label: monthName(*r.Bucket), Value: &share})
	}
	if len(points) < 2 {
		return ""
	}
	return chart.Line("Share of adverts asking for "+d.Name+" by month", points)
}

// monthName is "Nov 26" for the bucket 2026-11.
func monthName(bucket string) string {
	t, err := time.Parse("2006-01", bucket)
	if err != nil {
		return bucket
	}
	return t.Format("Jan 06")
}
