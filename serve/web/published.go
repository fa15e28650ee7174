package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/serve/web/words"
	"labour/snapshots"
	"labour/snapshots/figure"
)

const (
	// gapsPath is the API path for forecasts of employment.
	gapsPath = serve.LabourPath + "skills-gaps"
	// coursesPath is the API path for training figures.
	coursesPath = serve.LabourPath + "course-demand"
	// evidencePath is the API path for published evidence.
	evidencePath = serve.LabourPath + "evidence"
	// regionsPath is the API path for official areas.
	regionsPath = serve.LabourPath + "regions"
	// placesPath is the API path for the places that the service covers.
	placesPath = serve.LabourPath + "places"
	// sourcesPath is the API path for the sources.
	sourcesPath = serve.LabourPath + "sources"
)

// england is the area of the training figures that pages show if the visitor selects no region.
const england = "England"

// maxShown is the largest number of rows of a list on one page.
const maxShown = 100

type listView[R any] struct {
	Query   url.Values // parameters in the address of the page
	Choices map[string][]option
	Groups  map[string][]optionGroup
	Rows    []R
	Found   int            // number of all matching rows; Rows has the first of them
	Most    int64          // largest figure; the scale of the bars ends there
	Columns gapColumns     // columns of a table of forecasts that have figures
	Kinds   []trainingKind // training figures, by kind of training
	Sectors []api.Named    // sectors to which the subjects of the listed training belong
	Next    string
	First   string
	Region  string // name of the region that the figures are about
}

func regionOf(v *request) api.Region {
	name := v.URL.Query().Get("region")
	if name == "" {
		return api.Region{}
	}
	if n := namedOf(v.snapshot, api.Places, placeOf(v.snapshot, name)); n.Kind == "area" {
		return api.Region{} // there are no statistics for an area of several boroughs, which the page explains
	} else if n.Code != "" {
		name = n.Code
	}
	r, ok := v.snapshot.ResolveRegion("GB", name)
	if !ok {
		v.fail(&fault{status: http.StatusBadRequest, parameter: "region", title: "Unknown region",
			words: fmt.Sprintf("There is no region “%s”. A region is an official code, such as E12000007, or the short "+
				"name of a skills improvement plan area.", serve.TruncateText(name)),
			nearest: []link{{"Find a region", "/places#codes"}, {"Figures of England", v.with("region", "")}}})
	}
	return r
}

// areaOf returns the country and the region in the address of the page. The region is empty if none
// is selected or if the country is not the United Kingdom. countries has the options of the country
// menu.
func areaOf(v *request) (country string, region api.Region, countries []option) {
	country, region = cmp.Or(v.URL.Query().Get("country"), "GB"), regionOf(v)
	v.checkExists("country", "country", country, country == "GB" || country == "US")
	if country != "GB" {
		region = api.Region{}
	}
	return country, region, []option{{"", "United Kingdom", country == "GB"}, {"US", "United States", country == "US"}}
}

// searchRows returns the first rows whose text contains all words of the search asked. The function
// text returns the text of a row. most is the largest number of rows that searchRows returns. found
// is the number of all matching rows.
func searchRows[R any](rows []R, text func(R) string, asked string, most int) (first []R, found int) {
	search := prefixsearch.ParseSearch(asked)
	for _, r := range rows {
		if !search.Matches(prefixsearch.NewName(text(r))) {
			continue
		}
		if found++; len(first) < most {
			first = append(first, r)
		}
	}
	return first, found
}

func (s *Site) gaps(v *request) view {
	q := v.URL.Query()
	country, region, countries := areaOf(v)
	p := runQuery(v, "All forecasts of this country or region", gapsPath, api.Snapshot.SkillsGaps,
		api.SkillsGapsQuery{Country: country, Region: region.Code, Limit: serve.MaxListRows})
	d := listView[api.SkillsGapsRow]{Query: q, Region: region.Name, Choices: map[string][]option{"country": countries}}
	d.Rows, d.Found = searchRows(p.Rows, func(r api.SkillsGapsRow) string { return r.Occupation + " " + r.SOC },
		q.Get("q"), maxShown)
	for _, r := range d.Rows {
		if change := r.ProjectedChange.Tenths; change != nil {
			d.Columns.Change = true
			d.Most = max(d.Most, int64(*change), -int64(*change))
		}
		d.Columns.Openings = d.Columns.Openings || r.ProjectedOpenings != nil
	}
	return view{template: "gaps", title: "Forecast skills gaps", section: "/gaps", data: d}
}

type gapColumns struct{ Change, Openings bool }

func (s *Site) courses(v *request) view {
	q, region := v.URL.Query(), regionOf(v)
	metric := q.Get("metric")
	v.checkExists("metric", "kind of training", metric, words.DisplayName("metric", metric) != "")
	p := runQuery(v, "All figures of this region and kind", coursesPath, api.Snapshot.CourseDemand,
		api.CourseDemandQuery{Country: "GB", Region: region.Code, Metric: metric, Limit: serve.MaxListRows})
	d := listView[api.CourseDemandRow]{Query: q, Region: region.Name,
		Choices: map[string][]option{"metric": choices("All kinds", words.List("metric"), metric)},
		Groups:  map[string][]optionGroup{"region": regionGroups(v, region)}}
	d.Rows, d.Found = searchRows(ofCurrentArea(p.Rows, region.Code),
		func(r api.CourseDemandRow) string { return r.SubjectArea + " " + r.RegionName }, q.Get("q"), len(p.Rows))
	d.Kinds, d.Sectors = withCorrections(v, kindsOfTraining(d.Rows)), sectorsOf(v.snapshot, d.Rows)
	return view{template: "courses", title: "What people are training for", section: "/courses", data: d}
}

// regionGroups returns the options of the region menu: wider regions, and the boroughs that the
// service covers. selected is the region that is chosen, which is always one of the options.
func regionGroups(v *request, selected api.Region) []optionGroup {
	chosen := selected.Code
	boroughs, wider := optionGroup{Name: "Boroughs of this service"}, optionGroup{Name: "Wider"}
	found := false
	for _, n := range byName(v.snapshot.NamedValues(api.Places)) {
		if _, ok := v.snapshot.ResolveRegion("GB", n.Code); n.Code != "" && ok {
			boroughs.Options = append(boroughs.Options, option{n.Value, n.Name, n.Code == chosen})
			found = found || n.Code == chosen
		}
	}
	for _, name := range v.snapshot.Values(api.RegionNames) {
		r, _ := v.snapshot.ResolveRegion("GB", name)
		mustList := r.Kind == "region" || r.Code == chosen && !found
		if r.Code == name && mustList {
			wider.Options = append(wider.Options, option{r.Code, r.Name, r.Code == chosen})
		}
	}
	if len(selected.SplitInto) > 0 { // the code of an area that was split is not among the names
		wider.Options = append(wider.Options, option{chosen, selected.Name, true})
	}
	slices.SortFunc(wider.Options, func(a, b option) int { return strings.Compare(a.Name, b.Name) })
	return nonEmpty(wider, boroughs)
}

func (s *Site) sources(v *request) view {
	p := runQuery(v, "The sources", sourcesPath, api.Snapshot.Sources, api.SourcesQuery{At: v.at})
	covered, err := s.coverageOf(snapshots.ID(v.snapshot.ID()))
	v.fail(err)
	var list []sourceView
	for _, row := range p.Rows {
		list = append(list, sourceView{row, covered[row.Key]})
	}
	return view{template: "sources", title: "Sources", section: "/sources", data: list}
}

// sourceView is a source with its coverage: the percentages of its adverts that could be coded.
// Coverage is nil if the source has fewer than 100 adverts in the UK, or if it is not known.
type sourceView struct {
	api.SourcesRow
	Coverage *coverage
}

// coverage holds the percentages of a source's UK adverts for which a place, an occupation, a
// sector or a skill was found. They are rounded to whole per cent. The percentage for skills does
// not count adverts without a text.
type coverage struct {
	Placed, Occupation, Sector, Skill int64
	LeftOut                           []string // rules by which adverts of the source were excluded
}

const coverageFrom = 100 // smallest number of a source's UK adverts for which its coverage is shown

// reportedSource is the entry for one source in report.json, which describes how a snapshot was
// built.
type reportedSource struct {
	Source  string
	Adverts *struct {
		InUK       int64 `json:"in_uk"`
		Placed     int64
		WithSOC    int64 `json:"with_soc"`
		WithSector int64 `json:"with_sector"`
		WithSkill  int64 `json:"with_skill"`
		NoText     int64 `json:"no_text"`
		Excluded   map[string]int64
	}
}

// coverageOf returns, by source key, the percentages of each source's adverts that could be coded.
// It reads them from the snapshot's report.json, and returns nil if there is no such file.
func (s *Site) coverageOf(id snapshots.ID) (map[string]*coverage, error) {
	b, err := os.ReadFile(snapshots.JoinPath(s.Store.SnapshotDir(id), snapshots.ReportFileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var report struct {
		Sources []reportedSource `json:"sources"`
	}
	if err == nil {
		err = json.Unmarshal(b, &report)
	}
	if err != nil {
		return nil, fmt.Errorf("coverage of the sources: %w", err)
	}
	found := map[string]*coverage{}
	for _, r := range report.Sources {
		a := r.Adverts
		if a == nil || a.InUK < coverageFrom {
			continue
		}
		c := &coverage{Placed: figure.WholePercent(a.Placed, a.InUK), Occupation: figure.WholePercent(a.WithSOC, a.InUK),
			Sector: figure.WholePercent(a.WithSector, a.InUK)}
		if read := a.InUK - a.NoText; read > 0 {
			c.Skill = figure.WholePercent(a.WithSkill, read)
		}
		for _, rule := range words.List("rule") {
			if a.Excluded[rule.Value] > 0 {
				c.LeftOut = append(c.LeftOut, rule.Name)
			}
		}
		found[r.Source] = c
	}
	return found, nil
}

type statusView struct {
	Published time.Time // time at which the current snapshot was made; zero = not known
	Sources   int
	Late      []api.SourcesRow
	// Overdue is true if the figures about people should describe a later quarter by now.
	Overdue   bool
	Withdrawn bool // whether all figures about people were withdrawn
	Next      next
}

// status shows when the current snapshot was made and which sources are stale.
func (s *Site) status(v *request) view {
	shown := view{template: "status", title: "Status", section: "/status"}
	if v.snapshot == nil {
		return shown
	}
	p := runQuery(v, "The sources", sourcesPath, api.Snapshot.Sources, api.SourcesQuery{At: v.at})
	d := statusView{Sources: len(p.Rows), Withdrawn: v.snapshot.AboutPeople("").AllWithdrawn()}
	for _, r := range p.Rows {
		if r.Stale {
			d.Late = append(d.Late, r)
		}
	}
	e, ok, err := s.entry(snapshots.ID(v.snapshot.ID()))
	if v.fail(err); ok {
		d.Published = e.Manifest.CreatedAt
	}
	d.Next = s.nextPublication(v)
	d.Overdue = overdue(v, d.Next)
	v.stamp.People = true
	shown.data = d
	return shown
}
