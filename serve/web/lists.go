package web

import (
	"cmp"
	"net/url"
	"strconv"

	"labour/serve/api"
	"labour/snapshots"
)

// evidence is what was published, newest first, page by page.
func (s *Site) evidence(v *request) (view, error) {
	q := v.URL.Query()
	in, err := areaOf(v)
	if err != nil {
		return view{}, err
	}
	if err := v.known("kind of publication", q.Get("kind"), valuesOf(evidenceKinds())); err != nil {
		return view{}, err
	}
	ask := api.EvidenceQuery{Country: in.country, Region: in.region.Code, Kind: q.Get("kind"), Limit: rowsPerPage}
	if token := q.Get("cursor"); token != "" {
		ask.After = &api.EvidencePosition{}
		if _, err := s.Cursors.Open(token, evidencePath, ask.After); err != nil {
			return view{}, err
		}
	}
	words := q.Get("q")
	if words != "" {
		ask.After, ask.Limit = nil, mostAsked
	}
	p, err := v.snapshot.Evidence(v.ctx, ask)
	if err != nil {
		return view{}, err
	}
	took(v, p)
	callEvidence(v, ask, in)
	d := listView[api.EvidenceRow]{Query: q, Rows: p.Rows, Region: in.region.Name, Choices: map[string][]option{
		"kind": choices("All kinds", evidenceKinds(), ask.Kind), "country": in.countries()}}
	if words != "" {
		d.Rows, d.Found = searched(p.Rows, evidenceText, words, 2*rowsPerPage)
	} else if p.More && len(p.Rows) > 0 {
		token, err := s.Cursors.Seal(evidencePath, v.snapshot.ID(), p.Rows[len(p.Rows)-1].Position())
		if err != nil {
			return view{}, err
		}
		d.Next = v.with("cursor", token)
	}
	if ask.After != nil {
		d.First = v.with("cursor", "")
	}
	return view{template: "evidence", title: "Published evidence", section: "/evidence", data: d}, nil
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
func (s *Site) regions(v *request) (view, error) {
	q := v.URL.Query()
	kind := cmp.Or(q.Get("kind"), "council")
	if err := v.known("kind of region", kind, valuesOf(regionKinds())); err != nil {
		return view{}, err
	}
	p, err := v.snapshot.Regions(v.ctx, api.RegionsQuery{Kind: kind, Name: clip(q.Get("name")), Limit: mostAsked})
	if err != nil {
		return view{}, err
	}
	took(v, p)
	call := url.Values{"kind": {kind}, "limit": {strconv.Itoa(mostAsked)}}
	if name := clip(q.Get("name")); name != "" {
		call.Set("name", name)
	}
	v.calls("All regions of this kind and name", regionsPath, call)
	d := listView[api.RegionsRow]{Query: q, Rows: p.Rows, Found: len(p.Rows), Choices: map[string][]option{"kind": choices("", regionKinds(), kind)}}
	if len(d.Rows) > 2*mostShown {
		d.Rows = d.Rows[:2*mostShown]
	}
	return view{template: "regions", title: "Regions and their official codes", section: "/regions", data: d}, nil
}

// sources is where everything comes from.
func (s *Site) sources(v *request) (view, error) {
	p, err := v.snapshot.Sources(v.ctx, api.SourcesQuery{})
	if err != nil {
		return view{}, err
	}
	took(v, p)
	v.calls("The sources", sourcesPath, nil)
	for i := range p.Rows {
		p.Rows[i].Stale = p.Rows[i].StaleAt(v.at)
	}
	list, err := s.withCoverage(snapshots.ID(v.snapshot.ID()), p.Rows)
	return view{template: "sources", title: "Sources", section: "/sources", data: list}, err
}
