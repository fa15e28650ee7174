package web

import (
	"cmp"
	"net/url"
	"strconv"

	"labour/serve/api"
	"labour/snapshots"
)

// evidence is what was published, newest first, page by page.
func (s *Site) evidence(v *request) view {
	q, in := v.URL.Query(), areaOf(v)
	v.known("kind of publication", q.Get("kind"), valuesOf(evidenceKinds()))
	asked := api.EvidenceQuery{Country: in.country, Region: in.region.Code, Kind: q.Get("kind"), Limit: rowsPerPage, After: positionOf[api.EvidencePosition](s, v, evidencePath)}
	words := q.Get("q")
	if words != "" {
		asked.After, asked.Limit = nil, mostAsked
	}
	p := ask(v, api.Snapshot.Evidence, asked)
	callEvidence(v, asked, in)
	d := listView[api.EvidenceRow]{Query: q, Rows: p.Rows, Region: in.region.Name, Choices: map[string][]option{
		"kind": choices("All kinds", evidenceKinds(), asked.Kind), "country": in.countries()}}
	if words != "" {
		d.Rows, d.Found = searched(p.Rows, evidenceText, words, 2*rowsPerPage)
	} else {
		d.Next = nextOf(s, v, evidencePath, p)
	}
	if asked.After != nil {
		d.First = v.with("cursor", "")
	}
	return view{template: "evidence", title: "Published evidence", section: "/evidence", data: d}
}

// evidenceText is what is searched of a piece of evidence.
func evidenceText(r api.EvidenceRow) string {
	text := r.Title + " " + r.Statement
	if r.SOC != nil {
		text += " " + *r.SOC
	}
	return text
}

// callEvidence notes the call of the interface that gives the rows, or all of the
// rows that were searched, page by page.
func callEvidence(v *request, ask api.EvidenceQuery, in area) {
	call, what := in.call(rowsPerPage), "This page of the list"
	if ask.Limit == mostAsked {
		call, what = in.call(200), "All that was searched, newest first, the first 200"
	}
	if ask.Kind != "" {
		call.Set("kind", ask.Kind)
	}
	if token := v.URL.Query().Get("cursor"); token != "" && ask.After != nil {
		call.Set("cursor", token)
	}
	v.calls(what, evidencePath, call)
}

func evidenceKinds() []option {
	return []option{{Value: "statistic", Name: "Statistics"}, {Value: "projection", Name: "Projections"}, {Value: "report", Name: "Reports"}, {Value: "news", Name: "News"}}
}

func regionKinds() []option {
	return []option{{Value: "travel_to_work_area", Name: "Travel to work areas"}, {Value: "council", Name: "Councils"}, {Value: "lsip", Name: "Skills improvement plan areas"},
		{Value: "itl1", Name: "ITL level 1"}, {Value: "itl2", Name: "ITL level 2"}, {Value: "itl3", Name: "ITL level 3"}, {Value: "nation", Name: "Nations"}}
}

// regions are the official codes, to search.
func (s *Site) regions(v *request) view {
	q := v.URL.Query()
	kind := cmp.Or(q.Get("kind"), "council")
	v.known("kind of region", kind, valuesOf(regionKinds()))
	p := ask(v, api.Snapshot.Regions, api.RegionsQuery{Kind: kind, Name: clip(q.Get("name")), Limit: mostAsked})
	call := url.Values{"kind": {kind}, "limit": {strconv.Itoa(mostAsked)}}
	if name := clip(q.Get("name")); name != "" {
		call.Set("name", name)
	}
	v.calls("All regions of this kind and name", regionsPath, call)
	d := listView[api.RegionsRow]{Query: q, Rows: p.Rows, Found: len(p.Rows), Choices: map[string][]option{"kind": choices("", regionKinds(), kind)}}
	d.Rows = d.Rows[:min(2*mostShown, len(d.Rows))]
	return view{template: "regions", title: "Regions and their official codes", section: "/regions", data: d}
}

// sources is where everything comes from.
func (s *Site) sources(v *request) view {
	p := ask(v, api.Snapshot.Sources, api.SourcesQuery{})
	v.calls("The sources", sourcesPath, nil)
	covered, err := s.coverageOf(snapshots.ID(v.snapshot.ID()))
	v.fail(err)
	var list []sourceView
	for _, row := range p.Rows {
		row.Stale = row.StaleAt(v.at)
		list = append(list, sourceView{row, covered[row.Key]})
	}
	return view{template: "sources", title: "Sources", section: "/sources", data: list}
}
