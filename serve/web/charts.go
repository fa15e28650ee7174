package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"labour/serve/web/chart"
)

// embedRoot is where the pages are that other sites may show in a frame.
const embedRoot = "/embed/"

// framed is the policy of a page that any site may show in a frame.
var framed = strings.NewReplacer("frame-ancestors 'none'", "frame-ancestors *", "script-src 'self'; ", "", "connect-src 'self'; ", "", "form-action 'self'", "form-action 'none'").Replace(policy)

// chartView is the line or the map of a skill's page.
type chartView struct {
	Title, Where, Note string
	Drawing            template.HTML
	Key                []keyEntry
	Page               string // address of the page that it is of
}

// chartLinks are the addresses of the chart of a page.
type chartLinks struct{ SVG, Embed string }

func (v *request) chartLinks(skill string) chartLinks {
	q := v.URL.Query()
	q.Del("cursor")
	of := func(path string) string { return address(path, q) }
	return chartLinks{SVG: of("/skills/" + url.PathEscape(skill) + "/chart.svg"), Embed: v.base + of(embedRoot+"skills/"+url.PathEscape(skill))}
}

// chartOf draws the chart that the address asks for.
func (s *Site) chartOf(v *request) chartView {
	d := s.skillData(v, s.askBreakdown)
	c := chartView{Where: d.Where, Page: address("/skills/"+url.PathEscape(d.Skill), v.URL.Query())}
	switch {
	case d.Line != "":
		c.Title, c.Drawing, c.Note = "Adverts that ask for "+d.Name+", by month", d.Line, d.LineNote
	case d.Map != nil:
		c.Title, c.Drawing, c.Key = d.Name+": "+strings.ToLower(d.Map.Measure.Name)+" by borough", d.Map.Drawing, d.Map.Key
		c.Where = d.asked.where(v.snapshot)
	default:
		v.fail(&fault{status: http.StatusNotFound, title: "There is no chart", words: "A skill has a chart by month and a map by place, where enough adverts ask for it.", nearest: []link{{d.Name, c.Page}}})
	}
	v.stamp.People = true
	return c
}

// lineNote says how the line by month is read.
func lineNote(behind string) string {
	note := "Share of the adverts of each month that ask for the skill, per cent. The ring is the running month, which is not over."
	if behind != "" {
		note += " The grey line is " + behind + "."
	}
	return note + " In one place a month can rest on few adverts, and swings can be chance."
}

// embedded is a chart in a frame of another site.
func (s *Site) embedded(v *request) view {
	c := s.chartOf(v)
	return view{template: "embed", title: c.Title, data: c}
}

// chartFile is a chart as an SVG file with its key and the statements of its sources.
func (s *Site) chartFile(v *request) view {
	c := s.chartOf(v)
	f := chart.File{Title: c.Title, Drawing: c.Drawing, Style: s.chartStyle, Lines: []string{sentence(c.Where) + ". Data as of " + v.snapshot.AsOf().Format("2 January 2006") + ", snapshot " + v.snapshot.ID() + "."}}
	for _, k := range c.Key {
		f.Key = append(f.Key, chart.KeyLine{Sample: k.Sample, Words: k.text()})
	}
	if c.Note != "" {
		f.Lines = append(f.Lines, c.Note)
	}
	for _, said := range v.stamp.Statements() {
		f.Lines = append(f.Lines, said.Text)
	}
	f.Lines = append(f.Lines, v.base+c.Page)
	return view{body: f.SVG(), kind: "image/svg+xml", name: v.PathValue("skill") + ".svg"}
}

// text is what a class of a map means, without marks.
func (e keyEntry) text() string {
	if e.Words != "" {
		return e.Words
	}
	text := e.From.plain
	if e.To != nil {
		text += " to " + e.To.plain
	}
	return text
}
