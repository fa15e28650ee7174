package web

import (
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"labour/serve/web/chart"
	"labour/serve/web/dashboard"
	"labour/snapshots/figure"
)

// frame is what every page has around its own part.
type frame struct {
	Title    string
	Nav      []entry
	Platform string // empty while no snapshot is loaded
	Style    string
	Script   string
	Icon     string
	Stamp    *stamp // nil on a page without figures
	Base     string
	Data     any
}

// entry is an entry of the navigation.
type entry struct {
	Name, URL string
	Here      bool
}

// navigation lists the parts of the site.
func (s *Site) navigation() []entry {
	list := []entry{{Name: "Skills not met", URL: "/skills"}, {Name: "Forecast gaps", URL: "/gaps"}, {Name: "Training", URL: "/courses"},
		{Name: "Evidence", URL: "/evidence"}, {Name: "Regions", URL: "/regions"}, {Name: "Sources", URL: "/sources"},
		{Name: "Snapshots", URL: "/snapshots"}, {Name: "Documentation", URL: "/docs"}}
	if s.Partners != nil {
		list = append(list, entry{Name: "Partners", URL: dashboard.Root})
	}
	return list
}

func (s *Site) frame(v *visit, shown view) frame {
	f := frame{Title: shown.title, Nav: s.navigation(), Style: s.asset("style.css"), Script: s.asset("pages.js"), Icon: s.asset("icon.svg"), Base: v.base, Data: shown.data}
	for i := range f.Nav {
		f.Nav[i].Here = f.Nav[i].URL == shown.section
	}
	if v.snapshot != nil {
		f.Platform = v.snapshot.PlatformName()
	}
	if v.stamp.Snapshot != nil {
		f.Stamp = &v.stamp
	}
	return f
}

// functions are what templates may call.
func (s *Site) functions() template.FuncMap {
	return template.FuncMap{
		"date": func(t time.Time) string { return t.Format("2 January 2006") },
		"iso":  func(t time.Time) string { return t.Format(time.DateOnly) },
		"pct": func(field, label string, p *figure.Tenths) template.HTML {
			return cell(field, label, percent(p))
		},
		"share": func(field, label string, p figure.Tenths) template.HTML {
			return cell(field, label, percent(&p))
		},
		"points":   func(field, label string, p *figure.Tenths) template.HTML { return cell(field, label, points(p)) },
		"count":    func(field, label string, c figure.Count) template.HTML { return cell(field, label, people(c)) },
		"whole":    func(field, label string, n *int64) template.HTML { return cell(field, label, whole(n)) },
		"score":    func(field, label string, n *int64) template.HTML { return cell(field, label, score(n)) },
		"change":   func(field, label string, p *figure.Tenths) template.HTML { return cell(field, label, change(p)) },
		"tenths":   func(p *figure.Tenths) *int64 { return (*int64)(p) },
		"int64":    func(n int) int64 { return int64(n) },
		"has":      func(list []string, one string) bool { return slices.Contains(list, one) },
		"skillurl": func(skill string, q url.Values) string { return address("/skills/"+url.PathEscape(skill), q) },
		// The shares of the drawings that explain the others.
		"sample":     func() *figure.Tenths { return tenths(450) },
		"sampleHigh": func() *figure.Tenths { return tenths(720) },
		"say":        func(field string, p *figure.Tenths) template.HTML { return said(field, percent(p)) },
		"sayshare":   func(field string, p figure.Tenths) template.HTML { return said(field, percent(&p)) },
		"sayscore":   func(field string, n *int64) template.HTML { return said(field, score(n)) },
		"pairing":    chart.Pairing, "dumbbell": chart.Dumbbell, "bar": chart.Bar, "dots": chart.Dots,
		"lower": strings.ToLower,
		"short": func(text string) string { return shorten(text, longestValue) },
		"asset": s.asset,
		"put":   put, "grouped": grouped, "metric": metricName, "tidy": sentence,
	}
}

// put gathers the arguments of a part of a page, names and values in turn.
func put(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// sentence is a stored word for people: "employer_boards" is "Employer boards".
func sentence(word string) string {
	word = strings.ReplaceAll(word, "_", " ")
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// shorten cuts a text that is too long for a page and says so.
func shorten(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[:most]) + " … (cut)"
}

func tenths(n int64) *figure.Tenths { t := figure.Tenths(n); return &t }
