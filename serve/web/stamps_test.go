package web

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"labour/serve/api"
)

// TestStatementsNameTheirPublishers: each text stands once, with its publishers, and the keys of the sources of each.
func TestStatementsNameTheirPublishers(t *testing.T) {
	source := func(key, text, publisher string) api.Source {
		return api.Source{Key: key, AttributionStatement: text, Publisher: publisher}
	}
	s := stamp{Sources: []api.Source{source("a", "Source: office.", "Office"), source("b", "Source: board.", "Board"),
		source("c", "Source: office.", "Office"), source("d", "Source: office.", "Board")}}
	want := []statement{{"Source: office.", []credit{{"Office", []string{"a", "c"}}, {"Board", []string{"d"}}}},
		{"Source: board.", []credit{{"Board", []string{"b"}}}}}
	if got := s.Statements(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestAPageIsStampedWithItsSources: each once, by key. The year of people is that of the newest answer that has
// one, unless all figures about people are withdrawn.
func TestAPageIsStampedWithItsSources(t *testing.T) {
	june, september := dayOf("2026-06-30"), dayOf("2026-09-30")
	s := &fixed{}
	v := visit(s, "/skills")
	addSources(v, api.Page[int]{Sources: []api.Source{{Key: "c"}, {Key: "a"}},
		People: &api.People{To: api.NullableDate{T: &june}, Note: "nothing is withdrawn"}})
	if v.stamp.Withdrawn != "" || v.stamp.Snapshot != s || v.stamp.Notice != pageNotice {
		t.Errorf("%+v", v.stamp)
	}
	addSources(v, api.Page[int]{Sources: []api.Source{{Key: "b"}, {Key: "a"}}, People: &api.People{Published: true,
		To: api.NullableDate{T: &september}, Withdrawn: true, Note: "SQL is withdrawn."}})
	addSources(v, api.Page[int]{People: &api.People{Published: true}})
	addSources(v, api.Page[int]{})
	if !reflect.DeepEqual(v.stamp.Sources, []api.Source{{Key: "a"}, {Key: "b"}, {Key: "c"}}) {
		t.Errorf("the sources are %v", v.stamp.Sources)
	}
	if v.stamp.PeopleTo != &september || v.stamp.Withdrawn != "SQL is withdrawn." {
		t.Errorf("people are of the year to %v, and withdrawn is %q", v.stamp.PeopleTo, v.stamp.Withdrawn)
	}
	for _, note := range []string{"None of A yet.", "None of B yet.", "None of A yet."} {
		addSources(v, api.Page[int]{People: &api.People{PlaceNote: note}})
	}
	if want := []string{"None of A yet.", "None of B yet."}; !reflect.DeepEqual(v.stamp.PlaceNotes, want) {
		t.Errorf("the places without people are %q", v.stamp.PlaceNotes)
	}
	all := visit(s, "/skills")
	addSources(all, api.Page[int]{People: &api.People{To: api.NullableDate{T: &june}, Withdrawn: true, Note: "All."}})
	if all.stamp.PeopleTo != nil || all.stamp.Withdrawn != "All." {
		t.Errorf("people are of the year to %v, and withdrawn is %q", all.stamp.PeopleTo, all.stamp.Withdrawn)
	}
}

// TestNothingIsAskedAfterAFault: neither the rows nor the call are on the page, and the first fault is kept.
func TestNothingIsAskedAfterAFault(t *testing.T) {
	first := errors.New("first")
	answers := func(_ api.Snapshot, _ context.Context, q api.SkillsGapsQuery) (p api.Page[string], err error) {
		if q.Limit == 2 {
			err = first
		}
		return api.Page[string]{Rows: []string{"row"}, Sources: []api.Source{{Key: "a"}}}, err
	}
	v := visit(&fixed{}, "/gaps")
	if p := runQuery(v, "Gaps", gapsPath, answers, api.SkillsGapsQuery{Limit: 1}); len(p.Rows) != 1 ||
		callsSaid(v) != "Gaps: skills-gaps?limit=1" || len(v.stamp.Sources) != 1 {
		t.Errorf("%v with the calls %q and the sources %v", p.Rows, callsSaid(v), v.stamp.Sources)
	}
	v = visit(&fixed{}, "/gaps")
	for limit := 2; limit <= 3; limit++ {
		p := runQuery(v, "Gaps", gapsPath, answers, api.SkillsGapsQuery{Limit: limit})
		if p.Rows != nil || v.err != first || v.stamp.Calls != nil || v.stamp.Sources != nil {
			t.Errorf("%v (%v) with %+v", p.Rows, v.err, v.stamp)
		}
	}
}
