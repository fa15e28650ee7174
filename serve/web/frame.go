package web

import (
	"bytes"
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/etag"
	"labour/serve/partners/dashboard"
	"labour/serve/web/chart"
	"labour/serve/web/words"
	"labour/snapshots/figure"
)

// frame is the data for the template frame.html. This template adds the header, the navigation and
// the footer to every page.
type frame struct {
	Title    string
	Nav      []navGroup
	Platform string                  // name of the platform; empty if no snapshot is loaded
	Plain    bool                    // whether counts of people from 5 are exact, not rounded
	HasLevel func(skill string) bool // reports whether a skill has levels; a licence has none
	Place    string                  // slug of the selected place; empty = all places
	SOC      string                  // SOC 2020 code of the selected occupation; empty = all
	Query    string                  // text that the search box shows
	Stamp    *stamp                  // sources of the figures; nil on a page without figures
	NoPeople bool                    // whether the page would have figures about people, and all were withdrawn
	Past     *past                   // the earlier snapshot that is shown; nil for the current data
	MadeUp   bool                    // whether the data are made up, which the page must say
	// whether another site shows the page in a frame, so that only the chart and its sources are
	// drawn
	Embedded bool
	Contact  string
	Base     string
	Dataset  object // description of the page's table in schema.org terms; nil = none
	Data     any
}

// navGroup is a group of links in the navigation. The first group is always visible. The visitor
// can open the others.
type navGroup struct {
	Name    string
	Entries []entry
	Here    bool
}

type entry struct {
	Name, URL string
	Here      bool
}

// navigation returns the groups of links in the navigation. place is the slug of the selected
// place, or empty. If a place is selected, links to pages about a place lead to that place. section
// is the path of the current entry.
func (s *Site) navigation(place, section string) (groups []navGroup) {
	for _, name := range []string{"Explore", "About the data", "Developers"} {
		g := navGroup{Name: name}
		for _, n := range words.List(name) {
			if n.Value == dashboard.RootPath && s.Dashboard == nil {
				continue
			}
			to, _, _ := strings.Cut(n.Value, "?")
			to = strings.TrimSuffix(to, "/{place}")
			e := entry{Name: n.Name, URL: to, Here: section != "" && to == section}
			if place != "" {
				e.URL = strings.ReplaceAll(n.Value, "{place}", url.PathEscape(place))
			}
			g.Entries, g.Here = append(g.Entries, e), g.Here || e.Here
		}
		groups = append(groups, g)
	}
	return groups
}

// plain is the value of People.Protection for counts of people that are not rounded. Counts of 5 or
// more are then exact.
const plain = "plain"

func (s *Site) frame(v *request, shown view) frame {
	f := frame{Title: shown.title, Nav: s.navigation(v.place, shown.section), Place: v.place,
		Embedded: strings.HasPrefix(v.URL.Path, embedRoot), MadeUp: s.madeUp(v), Contact: s.OperatorContact, Base: v.base,
		Data: shown.data}
	if shown.section == "/find" {
		f.Query = serve.TruncateText(v.URL.Query().Get("q"))
	}
	if v.snapshot != nil {
		f.SOC = occupationOfVisit(v)
		f.Platform, f.Plain = v.snapshot.PlatformName(), v.snapshot.AboutPeople("").Protection == plain
		f.NoPeople = v.stamp.People && v.snapshot.AboutPeople("").AllWithdrawn()
		f.HasLevel = func(skill string) bool { return namedOf(v.snapshot, api.Skills, skill).Kind != licence }
	}
	if v.stamp.Snapshot != nil {
		f.Stamp = &v.stamp
		f.Stamp.Cite, f.Stamp.Workbook = v.cite(shown.title), workbookRoot+v.URL.RequestURI()
	}
	f.Past, f.Dataset = v.past, s.datasetOf(v)
	return f
}

// cite returns a text for citing the page: its title, date and address, and the attribution
// statements of its sources. The address contains the ID of the snapshot. While the server has the
// snapshot in memory, the address leads to the same figures. Later it leads to the snapshot's
// files, if they are still stored.
func (v *request) cite(title string) string {
	text := v.snapshot.PlatformName() + ", “" + title + "”, data as of " + longDate(v.snapshot.AsOf()) +
		", snapshot " + v.snapshot.ID() + ", " +
		v.base + v.with("snapshot", v.snapshot.ID())
	for _, s := range v.stamp.Statements() {
		text += "\n" + s.Text
	}
	return text
}

func (s *Site) functions() template.FuncMap {
	return template.FuncMap{
		"date":  func(t any) string { return longDate(timeOf(t)) },
		"month": func(t any) string { return timeOf(t).Format("January 2006") },
		"iso":   func(t any) string { return timeOf(t).Format(time.DateOnly) },
		"figure": func(field, label string,
			value any) template.HTML {
			return cell(field, label, shownAs(field, value))
		},
		"say":         func(field string, value any) template.HTML { return figureHTML(field, shownAs(field, value)) },
		"advertsCell": advertsCell, "advertsShare": advertsShare, "advertsBase": advertsBase, "firstBase": firstBase,
		"tenths":      func(p api.Percent) *int64 { return (*int64)(p.Tenths) },
		"int64":       func(n int) int64 { return int64(n) },
		"asset":       s.asset,
		"skillurl":    func(skill string, q url.Values) string { return address("/skills/"+url.PathEscape(skill), q) },
		"address":     addressFor,
		"occupation":  occupationAddress,
		"email":       func(contact string) bool { return !strings.Contains(contact, "/") },
		"plainHeads":  measures,
		"fraction":    fraction,
		"leadHeading": leadHeading,
		// The shares in the sample drawings that explain the others.
		"sampleShare": func(t figure.Tenths) api.Share { return api.Share{Tenths: t} },
		"sample":      func(t figure.Tenths) api.Percent { return api.Percent{Tenths: &t} },
		"pairing": func(adverts api.Share, below api.Percent) template.HTML {
			return chart.DrawScoreRectangle(adverts.Tenths, below.Tenths)
		},
		"dumbbell": func(hired, turned api.Percent) template.HTML {
			return chart.DrawDumbbell(hired.Tenths, turned.Tenths, 1000)
		},
		"bar":       chart.DrawBar,
		"shareOf":   func(s api.Share) *int64 { return (*int64)(&s.Tenths) },
		"mostAsked": mostAskedShare,
		"lower":     strings.ToLower,
		// plain returns a Markdown text without backticks.
		"plain": func(text string) string { return strings.ReplaceAll(text, "`", "") },
		// parts splits a path before each slash, where a line may break.
		"parts": func(path string) []string { return strings.Split(strings.ReplaceAll(path, "/", "\n/")[1:], "\n") },
		"put":   dict, "grouped": words.FormatNumber,
		"metric": func(value string) string { return cmp.Or(words.DisplayName("metric", value), value) },
		"tidy":   words.CodeToText,
	}
}

// timeOf converts v to a time.Time. The type of v is time.Time, *time.Time, api.Date or *api.Date.
func timeOf(v any) time.Time {
	switch t := v.(type) {
	case api.Date:
		return t.Time()
	case *api.Date:
		return t.Time()
	case *time.Time:
		return *t
	}
	return v.(time.Time)
}

func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for pair := range slices.Chunk(pairs, 2) {
		m[pair[0].(string)] = pair[1]
	}
	return m
}

// partnerPages is the prefix of the names of the partner dashboard's templates.
const partnerPages = "partner/"

// showPartner renders a page of the partner dashboard in the layout of the site. The response must
// not be cached. p.Status is therefore never 0, because send forbids caching of a page with a
// status.
func (s *Site) showPartner(w http.ResponseWriter, r *http.Request, p dashboard.Page) {
	v := &request{Request: r, ctx: r.Context(), at: s.Now().UTC(), base: s.baseOf(r)}
	if release, err := s.acquire(v, page{}); err == nil {
		defer release()
	}
	s.send(w, v, view{template: partnerPages + p.Template, title: p.Title, section: dashboard.RootPath, data: p.Data,
		status: p.Status})
}

// send writes a page or a file as the response. It renders a page in memory first, so that an error
// in a template never leaves half a page. If the client already has the current version, send
// responds with status 304.
func (s *Site) send(w http.ResponseWriter, v *request, shown view) {
	if shown.body == nil {
		body, err := s.render(v, shown)
		if err != nil {
			s.Log.Error("page", "route", v.Pattern, "error", err)
			http.Error(w, "The page could not be made. Please try again.", http.StatusInternalServerError)
			return
		}
		shown = view{body: body, status: shown.status}
	}
	h := w.Header()
	h.Set("Content-Type", cmp.Or(shown.kind, "text/html; charset=utf-8"))
	if shown.name != "" {
		h.Set("Content-Disposition", `attachment; filename="`+shown.name+`"`)
	}
	if shown.status != 0 {
		h.Set("Cache-Control", "no-store")
		w.WriteHeader(shown.status)
		w.Write(shown.body)
		return
	}
	tag := v.tag
	if tag == "" {
		tag = etag.Of(shown.body)
	}
	if etag.Matches(v.Request, tag) {
		notModified(w, tag)
		return
	}
	h.Set("Cache-Control", serve.PublicCacheControl)
	h.Set("ETag", tag)
	w.Write(shown.body)
}

// render returns the HTML of a page. If the page shows an earlier snapshot, its links also lead to
// that snapshot.
func (s *Site) render(v *request, shown view) ([]byte, error) {
	var b bytes.Buffer
	if err := s.templates[shown.template].Execute(&b, s.frame(v, shown)); err != nil {
		return nil, err
	}
	if v.past != nil {
		return []byte(s.keepSnapshot(b.String(), v.past.ID)), nil
	}
	return b.Bytes(), nil
}
