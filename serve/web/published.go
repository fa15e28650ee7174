package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"labour/serve/labourdata"
)

// The calls of the interface that the pages of this file show.
const (
	labourPath   = "/v1/labour/"
	gapsPath     = labourPath + "skills-gaps"
	coursesPath  = labourPath + "course-demand"
	evidencePath = labourPath + "evidence"
	regionsPath  = labourPath + "regions"
	sourcesPath  = labourPath + "sources"
)

// The most rows that a page shows of a list that has no pages, and the most that
// are asked for to search in, the interface's maximum.
const (
	mostShown = 100
	mostAsked = 5000
)

func (s *Site) publishedPages() []page {
	return []page{
		{"GET /gaps", true, s.gaps}, {"GET /courses", true, s.courses}, {"GET /evidence", true, s.evidence},
		{"GET /regions", true, s.regions}, {"GET /sources", true, s.sources},
	}
}

// listView is the data of a page with one table.
type listView[R any] struct {
	Query   url.Values // what the address asks for
	Choices map[string][]option
	Groups  map[string][]optionGroup
	Rows    []R
	Found   int              // rows that match, of which Rows are the first
	Most    int64            // end of the scale of the bars
	Scales  map[string]int64 // the same, by kind of training
	Next    string
	First   string
	Region  string // its name
}

// regionOf resolves the parameter region. The error is a fault when there is none.
func regionOf(v *visit) (labourdata.Region, error) {
	name := v.URL.Query().Get("region")
	if name == "" {
		return labourdata.Region{}, nil
	}
	r, ok := v.snapshot.ResolveRegion("GB", name)
	if !ok {
		return r, &fault{status: http.StatusBadRequest, title: "Unknown region", words: fmt.Sprintf("There is no region “%s”. A region is an official code, such as E12000007, or the short name of a skills improvement plan area.", clip(name)),
			nearest: []link{{"Find a region", "/regions"}, {"National figures", v.with("region", "")}}}
	}
	return r, nil
}

// gaps are the forecasts. Words search in the name of the occupation.
func (s *Site) gaps(v *visit) (view, error) {
	q := v.URL.Query()
	country := "GB"
	if q.Get("country") == "US" {
		country = "US"
	}
	region, err := regionOf(v)
	if err != nil {
		return view{}, err
	}
	if country == "US" {
		region = labourdata.Region{}
	}
	p, err := v.snapshot.SkillsGaps(v.ctx, labourdata.SkillsGapsQuery{Country: country, Region: region.Code, Limit: mostAsked})
	if err != nil {
		return view{}, err
	}
	took(v, p)
	call := url.Values{"limit": {strconv.Itoa(mostAsked)}}
	if country != "GB" {
		call.Set("country", country)
	}
	if region.Code != "" {
		call.Set("region", region.Code)
	}
	v.calls("All forecasts of this country or region", gapsPath, call)
	d := listView[labourdata.SkillsGapsRow]{Query: q, Region: region.Name, Choices: map[string][]option{
		"country": {{"", "United Kingdom", country == "GB"}, {"US", "United States", country == "US"}}}}
	for _, r := range p.Rows {
		if !holds(r.Occupation+" "+r.SOC, q.Get("q")) {
			continue
		}
		d.Found++
		if len(d.Rows) < mostShown {
			d.Rows = append(d.Rows, r)
			if r.ProjectedChange != nil {
				d.Most = max(d.Most, int64(*r.ProjectedChange), -int64(*r.ProjectedChange))
			}
		}
	}
	return view{template: "gaps", title: "Forecast skills gaps", section: "/gaps", data: d}, nil
}

// metric is a kind of course demand, in words.
type metric struct{ Value, Name string }

func metrics() []metric {
	return []metric{{"apprenticeship_starts", "Apprenticeship starts"}, {"further_education_enrolments", "Further education enrolments"}, {"skills_bootcamp_starts", "Skills bootcamp starts"}}
}

// MetricName is a kind of course demand for people.
func metricName(value string) string {
	for _, m := range metrics() {
		if m.Value == value {
			return m.Name
		}
	}
	return value
}

// courses is what people are training for.
func (s *Site) courses(v *visit) (view, error) {
	q := v.URL.Query()
	region, err := regionOf(v)
	if err != nil {
		return view{}, err
	}
	kinds := make([]string, 0, 3)
	for _, m := range metrics() {
		kinds = append(kinds, m.Value)
	}
	slices.Sort(kinds)
	if err := v.known("kind of training", q.Get("metric"), kinds); err != nil {
		return view{}, err
	}
	ask := labourdata.CourseDemandQuery{Country: "GB", Region: region.Code, Metric: q.Get("metric"), Limit: mostAsked}
	p, err := v.snapshot.CourseDemand(v.ctx, ask)
	if err != nil {
		return view{}, err
	}
	took(v, p)
	v.stamp.People = false
	call := url.Values{"limit": {strconv.Itoa(mostAsked)}}
	if region.Code != "" {
		call.Set("region", region.Code)
	}
	if ask.Metric != "" {
		call.Set("metric", ask.Metric)
	}
	v.calls("All figures of this region and kind", coursesPath, call)
	d := listView[labourdata.CourseDemandRow]{Query: q, Region: region.Name, Choices: map[string][]option{"metric": {{"", "All kinds", ask.Metric == ""}}},
		Scales: map[string]int64{}, Groups: map[string][]optionGroup{"region": regionGroups(v, region.Code)}}
	for _, m := range metrics() {
		d.Choices["metric"] = append(d.Choices["metric"], option{m.Value, m.Name, m.Value == ask.Metric})
	}
	for _, r := range p.Rows {
		if !holds(r.SubjectArea+" "+r.RegionName, q.Get("q")) {
			continue
		}
		d.Found++
		if len(d.Rows) < mostShown {
			d.Rows = append(d.Rows, r)
			if n, ok := r.Value.Number(); ok && !isTotal(r) {
				d.Scales[r.Metric] = max(d.Scales[r.Metric], n)
			}
		}
	}
	return view{template: "courses", title: "What people are training for", section: "/courses", data: d}, nil
}

// regionGroups are the regions to choose from: nations by none, the boroughs that
// the service covers, and the one that is chosen.
func regionGroups(v *visit, chosen string) []optionGroup {
	boroughs := optionGroup{Name: "Boroughs of this service"}
	found := false
	for _, n := range byName(v.snapshot.Named(labourdata.Places)) {
		if _, ok := v.snapshot.ResolveRegion("GB", n.Code); n.Code == "" || !ok {
			continue
		}
		boroughs.Options = append(boroughs.Options, option{n.Code, n.Name, n.Code == chosen})
		found = found || n.Code == chosen
	}
	wider := optionGroup{Name: "Wider"}
	for _, name := range v.snapshot.Values(labourdata.RegionNames) {
		r, _ := v.snapshot.ResolveRegion("GB", name)
		if r.Kind == "region" && r.Code == name || r.Code == chosen && !found && r.Code == name {
			wider.Options = append(wider.Options, option{r.Code, r.Name, r.Code == chosen})
		}
	}
	slices.SortFunc(wider.Options, func(a, b option) int { return strings.Compare(a.Name, b.Name) })
	return slices.DeleteFunc([]optionGroup{wider, boroughs}, func(g optionGroup) bool { return len(g.Options) == 0 })
}

// isTotal says that a row is the sum of the others of its kind: it would flatten
// their bars.
func isTotal(r labourdata.CourseDemandRow) bool {
	return strings.EqualFold(r.SubjectArea, "total")
}
