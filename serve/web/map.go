package web

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/serve/web/chart"
)

type mapView struct {
	Drawing     template.HTML
	Measures    []measure
	Measure     measure
	Key         []keyEntry
	Most, Least []mapEnd // the boroughs at its two ends
	Missing     string   // names of the boroughs that the table has and the map has not; empty = none
}

// keyEntry is a class of the map: its sample and the boroughs with the least and the
// most of its figures, or words.
type keyEntry struct {
	Sample template.HTML
	From   mapEnd
	To     *mapEnd // nil where all figures of the class are equal
	Words  string  // instead of figures
	Number int     // of boroughs
}

// mapEnd is a borough with its figure.
type mapEnd struct {
	bucketRow
	Said  template.HTML
	plain string // the same without marks
}

func measureOf(v *request) (here measure, all []measure) {
	asked := cmp.Or(v.URL.Query().Get("map"), "score")
	for _, m := range measures() {
		if m.Map == "" {
			continue
		}
		q := v.URL.Query()
		q.Set("map", m.Map)
		m.Name, m.URL, m.Here = cmp.Or(m.Mapped, m.Name), address(v.URL.Path, q)+"#map", m.Map == asked
		if all = append(all, m); m.Here {
			here = m
		}
	}
	if here.Map == "" {
		v.fail(&fault{status: http.StatusBadRequest, title: "Unknown map", words: "The map shows the score, the adverts, the residents or the people turned down.", nearest: []link{{"The score", v.with("map", "score")}}})
	}
	return here, all
}

// So many rows, of some 1.6 KB each, and a map of so many bytes keep a page under
// 100 KB. A map of London has 8 KB; where some hundred boroughs are served, the table
// stands alone.
const (
	placesPerPage = 33
	heaviestMap   = 24 << 10
)

// drawMap draws a figure of each borough. Where the rows are only one page of the
// breakdown, all of them are asked for.
func drawMap(v *request, f filter, d *skillView, whole bool) {
	m, all := measureOf(v)
	rows := d.Rows
	if !whole {
		rows = brokenDown(v, "The figures of the map", f, d.Skill, api.ByPlace, len(v.snapshot.Values(api.Places)))
	}
	if v.err != nil {
		return
	}
	boroughs := slices.DeleteFunc(slices.Clone(rows), func(r bucketRow) bool { return namedOf(v.snapshot, api.Places, *r.Bucket).Kind != "borough" })
	sortBy(m, boroughs)
	outlines := v.snapshot.Outlines()
	areas := areasOf(v, m, boroughs, outlines.Rows)
	if len(boroughs) < 2 || !chart.Drawn(areas) {
		return
	}
	drawing := chart.Map(d.Name+" by borough: "+strings.ToLower(m.Name)+". The table has the same figures.", m.Field, areas)
	if len(drawing) > heaviestMap {
		return
	}
	took(v, outlines)
	d.Map = &mapView{Drawing: drawing, Measures: all, Measure: m, Key: keyOf(m, boroughs, areas), Missing: missingOf(boroughs, outlines.Rows)}
	d.Map.ends(m, boroughs)
}

// rowsOf are the buckets of an answer with their addresses.
func rowsOf(v *request, by api.By, p api.Page[api.SkillsUnmetRow]) []bucketRow {
	var rows []bucketRow
	for _, r := range p.Rows {
		rows = append(rows, bucketRow{r, v.narrowed(by, *r.Bucket), by == api.ByPlace && *r.Bucket == v.place})
	}
	return rows
}

// areasOf are the boroughs with an outline, each with its figure and its class. The rows
// have the highest figure first.
func areasOf(v *request, m measure, boroughs []bucketRow, outlines []api.Outline) (areas []chart.Area) {
	with := withFigure(m, boroughs)
	for _, o := range outlines {
		a := chart.Area{Place: o.Place, Shape: o.Shape, Name: nameOf(v.snapshot, api.Places, o.Place), Here: o.Place == v.place,
			Class: chart.None, Said: "too few adverts to show"}
		if i := slices.IndexFunc(boroughs, func(r bucketRow) bool { return *r.Bucket == o.Place }); i >= 0 {
			said := m.say(boroughs[i].SkillsUnmetRow)
			a.Said, a.Token, a.Class = said.text, said.token, classOf(m, boroughs[i].SkillsUnmetRow, with)
		}
		areas = append(areas, a)
	}
	return areas
}

func withFigure(m measure, rows []bucketRow) []bucketRow {
	return slices.DeleteFunc(slices.Clone(rows), func(r bucketRow) bool { _, ok := m.of(r.SkillsUnmetRow); return !ok })
}

// classOf is the class of a figure: which fifth of the way from the least to the most of
// those that are numbers it is in, or the pattern of what is no number.
func classOf(m measure, r api.SkillsUnmetRow, with []bucketRow) string {
	n, ok := m.of(r)
	if !ok {
		return cmp.Or(m.say(r).class, chart.None)
	}
	most, _ := m.of(with[0].SkillsUnmetRow)
	least, _ := m.of(with[len(with)-1].SkillsUnmetRow)
	if most == least {
		return "c3"
	}
	return "c" + string('1'+rune(min(4, 5*(n-least)/(most-least))))
}

// keyOf says what the classes that are on the map mean, the least first.
func keyOf(m measure, boroughs []bucketRow, areas []chart.Area) []keyEntry {
	var key []keyEntry
	for _, class := range []string{"c1", "c2", "c3", "c4", "c5", chart.Small, chart.None} {
		e := keyEntry{Sample: chart.Key(class)}
		for _, a := range areas {
			if a.Class == class {
				e.Number++
			}
		}
		if e.Number == 0 {
			continue
		}
		e.Words = map[string]string{chart.Small: "<5: from 1 to 4 people", chart.None: "not published, or too few adverts to show"}[class]
		if e.Words == "" {
			in := slices.DeleteFunc(slices.Clone(boroughs), func(r bucketRow) bool {
				return !slices.ContainsFunc(areas, func(a chart.Area) bool { return a.Place == *r.Bucket && a.Class == class })
			})
			e.From = endOf(m, in[len(in)-1])
			if to := endOf(m, in[0]); to.Said != e.From.Said {
				e.To = &to
			}
		}
		key = append(key, e)
	}
	return key
}

// sortBy puts the highest figure first; equal ones by name.
func sortBy(m measure, rows []bucketRow) {
	largestFirst(rows, func(r bucketRow) (int64, bool) { return m.of(r.SkillsUnmetRow) }, func(a, b bucketRow) int { return strings.Compare(*a.BucketName, *b.BucketName) })
}

func endOf(m measure, r bucketRow) mapEnd {
	figure := m.say(r.SkillsUnmetRow)
	return mapEnd{r, said(m.Field, figure), figure.text}
}

// ends notes the three boroughs with the highest and the lowest figures; where there
// are fewer than six, the table says it better.
func (d *mapView) ends(m measure, boroughs []bucketRow) {
	with := withFigure(m, boroughs)
	if len(with) < 6 {
		return
	}
	for i := range 3 {
		d.Most, d.Least = append(d.Most, endOf(m, with[i])), append(d.Least, endOf(m, with[len(with)-1-i]))
	}
}

// missingOf names the boroughs that have figures and no outline.
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

// keepMap keeps the figure of the map through the form of the filters.
func keepMap(q url.Values) []option {
	if value := q.Get("map"); value != "" {
		return []option{{Value: value, Name: "map"}}
	}
	return nil
}
