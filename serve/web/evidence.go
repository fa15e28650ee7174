package web

import (
	"cmp"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/web/words"
)

// evidence shows published evidence. It shows one kind of evidence, such as reports, or the results
// of a search. Without a kind and a search, it shows the newest evidence of each kind except news.
// News is not evidence for a forecast.
func (s *Site) evidence(v *request) view {
	q := v.URL.Query()
	country, region, countries := areaOf(v)
	kind, soc := q.Get("kind"), q.Get("soc")
	v.checkExists("kind", "kind of publication", kind, words.DisplayName("evidence", kind) != "")
	v.among("soc", "occupation", soc, v.snapshot.NamedValues(api.Occupations))
	d := evidenceView{Corrections: corrections{v.snapshot}}
	d.listView = listView[api.EvidenceRow]{Query: q, Region: region.Name, Choices: map[string][]option{
		"kind": choices("All kinds", words.List("evidence"), kind), "country": countries}}
	if soc != "" {
		d.Occupation = nameOf(v.snapshot, api.Occupations, soc)
	}
	asked := api.EvidenceQuery{Country: country, Region: region.Code, SOC: soc, Kind: kind}
	switch {
	case q.Get("q") != "":
		d.search(v, asked)
	case kind != "" || q.Get("cursor") != "":
		d.readPage(s, v, asked)
	default:
		d.overview(v, asked)
	}
	return view{template: "evidence", title: "Published evidence", section: "/evidence", data: d}
}

type evidenceView struct {
	listView[api.EvidenceRow]
	// newest evidence by kind; empty in a search or on the page of one kind
	Kinds      []evidenceKind
	News       string // address of the web page with news headlines
	Occupation string // name of the occupation that the evidence is about; empty = all
	// finds the operator's corrections of figures that evidence states
	Corrections corrections
}

// evidenceKind holds the newest evidence of one kind, such as reports. URL is the address of the
// page with all evidence of this kind.
type evidenceKind struct {
	Name, URL string
	Rows      []api.EvidenceRow
}

// search lists the evidence that the query asked selects and whose text contains all words of the
// visitor's search. News comes last.
func (d *evidenceView) search(v *request, asked api.EvidenceQuery) {
	asked.Limit = serve.MaxListRows
	p := runQuery(v, "All that was searched, newest first, the first 200", evidencePath, api.Snapshot.Evidence, asked)
	slices.SortStableFunc(p.Rows, func(a, b api.EvidenceRow) int {
		return cmp.Compare(newsLast(a.Kind), newsLast(b.Kind))
	})
	d.Rows, d.Found = searchRows(p.Rows, evidenceText, d.Query.Get("q"), 2*rowsPerPage)
}

func newsLast(kind string) int {
	if kind == "news" {
		return 1
	}
	return 0
}

// readPage sets the rows of d to the requested page of the list of evidence. It also sets the addresses
// of the first and the next page. asked selects the evidence.
func (d *evidenceView) readPage(s *Site, v *request, asked api.EvidenceQuery) {
	asked.Limit, asked.After = rowsPerPage, positionOf[api.EvidencePosition](v)
	p := runQuery(v, listCall, evidencePath, api.Snapshot.Evidence, asked)
	d.Rows, d.Next = p.Rows, nextOf(s, v, evidencePath, p)
	if asked.After != nil {
		d.First = v.with("cursor", "")
	}
}

// overview sets d.Kinds to the newest rows of each kind of evidence except news. asked selects the
// evidence.
func (d *evidenceView) overview(v *request, asked api.EvidenceQuery) {
	d.News = v.with("kind", "news")
	for _, kind := range words.List("evidence") {
		if kind.Value == "news" {
			continue
		}
		asked.Kind, asked.Limit = kind.Value, topSection
		p := runQuery(v, "The newest "+strings.ToLower(kind.Name), evidencePath, api.Snapshot.Evidence, asked)
		if len(p.Rows) > 0 {
			d.Kinds = append(d.Kinds, evidenceKind{Name: kind.Name, URL: v.with("kind", kind.Value), Rows: p.Rows})
		}
	}
}

func evidenceText(r api.EvidenceRow) string {
	text := r.Title + " " + r.Statement
	if r.SOC != nil {
		text += " " + *r.SOC
	}
	return text
}
