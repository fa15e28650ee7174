package web

import (
	"cmp"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

type mapView struct {
	Drawing     template.HTML
	Measures    []measure
	Measure     measure
	Key         []keyEntry
	Most, Least []mapEnd // boroughs with the highest and the lowest figures
	// sentence on boroughs that are left out of the highest and lowest; empty = none
	Unranked string
	Few      string // warning about rounded shares of residents; empty if none is needed
	Missing  string // names of boroughs that are in the table but not on the map; empty = none
}

// keyEntry is a line of a map's legend: a colour or pattern, and what it means.
type keyEntry struct {
	Sample template.HTML
	Words  string // range of the figures, such as "10 to under 15%"
	Number int    // number of boroughs with this colour or pattern
}

func measureOf(v *request) (here measure, all []measure) {
	asked := cmp.Or(v.URL.Query().Get("map"), "score")
	for _, m := range measures() {
		if m.Map == "" {
			continue
		}
		q := v.URL.Query()
		q.Set("map", m.Map)
		m.Name = cmp.Or(m.Mapped, m.Name)
		m.URL = address(v.URL.Path, q) + "#map"
		m.Here = m.Map == asked
		if all = append(all, m); m.Here {
			here = m
		}
	}
	if here.Map == "" {
		v.fail(&fault{status: http.StatusBadRequest, parameter: "map", title: "Unknown map",
			words:   "The map shows the score, the adverts, the residents or the people turned down.",
			nearest: []link{{"The score", v.with("map", "score")}}})
	}
	return here, all
}

// Limits that keep web pages below 100 KB.
const (
	// placesPerPage is the largest number of rows of a breakdown on one page.
	placesPerPage = 50
	// heaviestMap is the largest size of a map in a page, in bytes. A larger map is not shown.
	heaviestMap = 24 << 10
)

// mapRows returns the figures of a skill in each place, for a map. A place with enough adverts has
// a row even if none of them asks for the skill.
func mapRows(v *request, f filter, skill string) []bucketRow {
	q := f.breakdownQuery(skill, api.ByPlace, len(v.snapshot.Values(api.Places)))
	q.Zeros = true
	return rowsOf(v, api.ByPlace, runQuery(v, "The figures of the map", skillsPath, api.Snapshot.SkillsUnmet, q))
}

// drawMap sets d.Map to a map of the boroughs, coloured by the figure that the visitor chose. rows
// are the result of mapRows. d.Map stays nil if fewer than two boroughs can be drawn, if none has a
// figure, or if the map is too large for the page.
func drawMap(v *request, f filter, d *skillView, rows []bucketRow) {
	m, all := measureOf(v)
	if v.err != nil {
		return
	}
	boroughs := boroughsOn(v, m, rows)
	sortBy(m, boroughs)
	unclear := unclearOf(v, m, f, d.Skill, boroughs)
	outlines := v.snapshot.Outlines()
	coloured := unclear.without(boroughs)
	classes := scaleOf(m, coloured)
	areas := areasOf(v, m, boroughs, unclear, classes, outlines.Rows)
	ranked := rankedOn(v, m, coloured)
	most, least := mapEnds(m, ranked)
	markEnds(areas, most, least)
	if len(boroughs) < 2 || !chart.CanDrawMap(areas) {
		return
	}
	drawing := chart.DrawMap(d.Name+" by borough: "+strings.ToLower(m.Name)+". The table has the same figures.", m.Field,
		v.linkOfMap(d.Skill), areas)
	if len(drawing) > heaviestMap {
		return
	}
	addSources(v, outlines)
	d.Map = &mapView{Drawing: drawing, Measures: all, Measure: m, Key: keyOf(m, classes, areas),
		Missing: missingOf(boroughs, outlines.Rows)}
	if m.Field == "people_below_share_pct" {
		d.Map.Few = fewAmong(v, boroughs)
	}
	d.Map.Most, d.Map.Least = endsOf(m, most), endsOf(m, least)
	d.Map.Unranked = unrankedOf(len(ranked), len(coloured), len(boroughs))
}

// boroughsOn returns the rows of the boroughs on a map. If the map shows a figure only about
// people, it leaves out boroughs in which no advert asks for the skill.
func boroughsOn(v *request, m measure, rows []bucketRow) []bucketRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r bucketRow) bool {
		isBorough := namedOf(v.snapshot, api.Places, *r.Bucket).Kind == "borough"
		return !isBorough || m.isAboutPeople() && noneAsks(r.SkillsUnmetRow)
	})
}

// rankedOn returns the boroughs that can be among the highest or lowest on a map. On a map of
// shares of residents, these are the boroughs that have at least fewRegistered (250) registered
// residents, or whose number of residents is not known.
func rankedOn(v *request, m measure, boroughs []bucketRow) []bucketRow {
	if m.Field != "people_below_share_pct" {
		return boroughs
	}
	all := registeredIn(v)
	return slices.DeleteFunc(slices.Clone(boroughs), func(r bucketRow) bool {
		at, ok := all[*r.Bucket]
		return ok && at.isSmall()
	})
}

// linkOfMap returns the address of a skill's page for a borough. {place} stands for the borough's
// slug. The other filters of the page stay the same.
func (v *request) linkOfMap(skill string) string {
	q := v.URL.Query()
	for _, name := range []string{"with", "cursor", "rows", "by", "map"} {
		q.Del(name)
	}
	q.Set("place", "{place}")
	return strings.ReplaceAll(address("/skills/"+skill, q), url.QueryEscape("{place}"), "{place}")
}

// unclearPlaces maps the slug of a borough to the reason why a map does not colour the borough,
// such as "a handful of adverts".
type unclearPlaces map[string]string

// without returns the boroughs that are not in u. A map colours only these boroughs.
func (u unclearPlaces) without(boroughs []bucketRow) []bucketRow {
	return slices.DeleteFunc(slices.Clone(boroughs), func(r bucketRow) bool { return u[*r.Bucket] != "" })
}

// unclearOf returns the boroughs whose figure is too uncertain for a colour on a map. Their share
// of adverts has a base below 20, or does not differ significantly from the share in all other
// places together. A map of scores uses the same rule. The result is empty for a figure only about
// people.
func unclearOf(v *request, m measure, f filter, skill string, boroughs []bucketRow) unclearPlaces {
	unclear := unclearPlaces{}
	if m.isAboutPeople() {
		return unclear
	}
	q := f.query()
	q.Skill, q.Limit = skill, 1
	all := runQuery(v, "The figures of all places together", skillsPath, api.Snapshot.SkillsUnmet, q).Rows
	if v.err != nil || len(all) == 0 {
		return unclear
	}
	for _, r := range boroughs {
		switch {
		case figure.BaseOf(r.AdvertsSample.Adverts).IsUnderTwenty():
			unclear[*r.Bucket] = "a handful of adverts"
		case !v.snapshot.CodingErrors().SharesDiffer(r.AdvertsSample, all[0].AdvertsSample.Without(r.AdvertsSample)):
			unclear[*r.Bucket] = "no clear difference"
		}
	}
	return unclear
}

// areasOf returns the areas of a map, one for each outline. Each area has the figure of its
// borough, which is a row in boroughs, and a CSS class. The class is a colour of classes, or grey
// if the borough is in unclear. A borough without a row has no figure.
func areasOf(v *request, m measure, boroughs []bucketRow, unclear unclearPlaces, classes scale,
	outlines []api.Outline) (areas []chart.Area) {
	for _, o := range outlines {
		a := chart.Area{Place: o.Place, Shape: o.Shape, Name: nameOf(v.snapshot, api.Places, o.Place),
			Label: nameOf(v.snapshot, api.Places, o.Place),
			Here:  o.Place == v.place,
			Class: chart.ClassNoFigure, Said: m.missing()}
		if i := slices.IndexFunc(boroughs, func(r bucketRow) bool { return *r.Bucket == o.Place }); i >= 0 {
			said := m.shown(boroughs[i].SkillsUnmetRow)
			a.Said = said.text
			if boroughs[i].AdvertsSample.Requiring > 0 { // otherwise no API request returns this row
				a.Token = said.token
			}
			if reason := unclear[o.Place]; reason != "" && said.token != "null" {
				a.Name, a.Class = a.Name+" ("+reason+")", chart.ClassNotSignificant
			} else {
				a.Class = classOf(m, boroughs[i].SkillsUnmetRow, classes)
			}
		}
		areas = append(areas, a)
	}
	return areas
}

// classOf returns the CSS class for the figure of a row on a map. It is a colour of the scale s, or
// a pattern if the figure is not a number, such as "<5".
func classOf(m measure, r api.SkillsUnmetRow, s scale) string {
	n, ok := m.steps(r)
	if !ok {
		return cmp.Or(m.shown(r).class, chart.ClassNoFigure)
	}
	return s.class(n)
}

// isAboutPeople reports whether the figure is only about people, such as a share of residents. It
// returns false for the score, which is about both adverts and people.
func (m measure) isAboutPeople() bool { return m.Field != "score" && m.Field != "adverts_share_pct" }

// missing returns a text that explains why a borough has no figure on a map.
func (m measure) missing() string {
	if m.isAboutPeople() {
		return "no advert asks for it, or too few adverts to show"
	}
	return "too few adverts to show"
}

// wordsOfClass maps CSS classes on a map, such as the grey class, to their texts in the legend.
var wordsOfClass = map[string]string{
	chart.ClassNotSignificant: "no clear difference from all other places together, or a handful of adverts",
	chart.ClassUnderFive:      "<5: from 1 to 4 people",
}

// keyOf returns the lines of a map's legend, one for each colour or pattern that is on the map. The
// colours of the scale come first, starting with the lowest figures. Grey and the patterns come
// last.
func keyOf(m measure, s scale, areas []chart.Area) []keyEntry {
	meaning := maps.Clone(wordsOfClass)
	meaning[chart.ClassNoFigure] = "not published, or " + m.missing()
	classes := []string{}
	for i := range s.classes {
		classes = append(classes, s.name(i))
		meaning[s.name(i)] = s.words(m, i)
	}
	var key []keyEntry
	for _, class := range append(classes, chart.ClassNotSignificant, chart.ClassUnderFive, chart.ClassNoFigure) {
		e := keyEntry{Sample: chart.DrawLegendSample(class), Words: meaning[class]}
		for _, a := range areas {
			if a.Class == class {
				e.Number++
			}
		}
		if e.Number > 0 {
			key = append(key, e)
		}
	}
	return key
}

// sortBy sorts rows by the figure of the measure m, the highest first. It sorts rows with equal
// figures by name.
func sortBy(m measure, rows []bucketRow) {
	largestFirst(rows, func(r bucketRow) (int64, bool) { return m.order(r.SkillsUnmetRow) },
		func(a, b bucketRow) int { return strings.Compare(*a.BucketName, *b.BucketName) })
}

// missingOf returns the names of the boroughs that have figures but no outline, separated by
// commas. A map cannot show these boroughs.
func missingOf(boroughs []bucketRow, outlines []api.Outline) string {
	var names []string
	for _, r := range boroughs {
		if !slices.ContainsFunc(outlines, func(o api.Outline) bool { return o.Place == *r.Bucket }) {
			names = append(names, *r.BucketName)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// keepMap returns a hidden form field with the figure that the visitor chose for the map. Thus a
// change of filters does not change the map's figure. q has the page's parameters. The result is
// nil if no figure was chosen.
func keepMap(q url.Values) []option {
	if value := q.Get("map"); value != "" {
		return []option{{Value: value, Name: "map"}}
	}
	return nil
}
