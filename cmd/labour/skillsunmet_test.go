package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline"
	"labour/snapshots"
)

// request asks the server over a connection, with the key. The caller closes the body.
func (p *published) request(path string, query url.Values) *http.Response {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodGet, p.server.URL+path+"?"+query.Encode(), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.secret)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	return response
}

// get asks the server and decodes the envelope, numbers as they were printed.
func (p *published) get(path string, query url.Values) envelope {
	p.t.Helper()
	response := p.request(path, query)
	defer response.Body.Close()
	var e envelope
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&e); err != nil {
		p.t.Fatalf("%s?%s: %v", path, query.Encode(), err)
	}
	if response.StatusCode != http.StatusOK {
		p.t.Fatalf("%s?%s: status %d, %v", path, query.Encode(), response.StatusCode, e.Error)
	}
	return e
}

type envelope struct {
	Data    []map[string]any
	Sources []struct {
		Key                  string
		AttributionStatement string `json:"attribution_statement"`
	}
	Meta struct {
		Snapshot   string
		AsOf       string `json:"as_of"`
		Returned   int
		NextCursor *string `json:"next_cursor"`
		Note       string
	}
	Error any
}

// compare walks every page of a question and compares with the oracle's answer.
func (p *published) compare(o *oracle, q question, limit int, between func()) {
	p.t.Helper()
	want := o.answer(q)
	values, err := url.ParseQuery(q.String())
	if err != nil {
		p.t.Fatal(err)
	}
	values.Set("limit", fmt.Sprint(limit))
	var got []map[string]any
	for {
		page := p.get("/v1/labour/skills-unmet", values)
		got = append(got, page.Data...)
		if page.Meta.NextCursor == nil {
			break
		}
		values.Set("cursor", *page.Meta.NextCursor)
		if between != nil {
			between()
			between = nil
		}
	}
	if len(got) != len(want) {
		p.t.Fatalf("%s: %d rows, want %d", q, len(got), len(want))
	}
	for i, row := range got {
		expected := want[i].fields()
		printed := map[string]string{}
		for name := range expected {
			printed[name] = token(row[name])
		}
		if d := cmp.Diff(expected, printed); d != "" {
			p.t.Fatalf("%s, row %d (-want +got):\n%s", q, i+1, d)
		}
	}
}

// token is a JSON value as it was printed; a share keeps its decimal only where
// the contract always prints one.
func token(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(v)
}

// pick draws a question that the lists of the world can answer.
func (o *oracle) pick(r *rand.Rand) question {
	v := o.vacancies[r.IntN(len(o.vacancies))]
	asked := o.vacancies[r.IntN(len(o.vacancies))].asked
	maybe := func(n int, s string) string {
		if r.IntN(n) == 0 {
			return s
		}
		return ""
	}
	q := question{sector: maybe(4, v.sector), source: maybe(4, v.source), window: []int{0, 3, 6, 12, 24}[r.IntN(5)]}
	if v.soc != "" {
		q.soc = maybe(4, v.soc[:1+r.IntN(4)])
	}
	if places := o.placesOf(&v); len(places) > 0 {
		q.place = maybe(2, places[0])
	}
	if r.IntN(4) == 0 {
		q.level = 1 + r.IntN(5)
	}
	if r.IntN(3) == 0 {
		for k := range asked {
			if q.skill == "" || k < q.skill {
				q.skill = k
			}
		}
		if q.skill != "" {
			q.by = []string{"", "place", "sector", "soc", "level", "month"}[r.IntN(6)]
		}
	}
	return q
}

// TestSkillsUnmetAgainstRawRecords compares the server's answers with those of the
// oracle: every combination of filters over a few values, and 500 random ones,
// all pages walked, a second snapshot promoted in the middle of a walk. The short form asks
// a fifteenth of them.
func TestSkillsUnmetAgainstRawRecords(t *testing.T) {
	p := publish(t)
	o := newOracle(t, p.options.Config, p.data, p.options.AsOf)
	first := p.get("/v1/labour/skills-unmet", url.Values{}).Meta.Snapshot
	p.sameTables(snapshots.ID(first), "sandbox.sums")
	o.takePrinted(t, filepath.Join(p.data, "snapshots", first, "tables", "people.parquet"))
	o.takeResidents(t, filepath.Join(p.data, "snapshots", first, "tables", "residents.parquet"))
	r := rand.New(rand.NewPCG(1, 2))
	each := 30
	if longForms() {
		each = 1
	}
	for i, q := range o.combinations() {
		if i%each == 0 {
			p.compare(o, q, 200, nil)
		}
	}
	for range 500 / each {
		p.compare(o, o.pick(r), 1+r.IntN(200), nil)
	}
	p.compare(o, question{}, 7, p.promoteAnother)
	if second := p.get("/v1/labour/skills-unmet", url.Values{}).Meta.Snapshot; second == first {
		t.Errorf("snapshot %s still answers after another was promoted", first)
	}
}

// promoteAnother publishes a snapshot of the next day and lets the server take it up.
func (p *published) promoteAnother() {
	*p.clock = p.clock.AddDate(0, 0, 1)
	o := p.options
	o.AsOf = o.AsOf.AddDays(1)
	if _, err := pipeline.Run(context.Background(), o); err != nil {
		p.t.Fatal(err)
	}
	p.reload()
}

// combinations are all filters over two values of each and none, with every
// breakdown and two windows.
func (o *oracle) combinations() []question {
	var v vacancy
	for _, candidate := range o.vacancies {
		if len(candidate.asked) > 2 && candidate.sector != "" && candidate.soc != "" &&
			len(o.placesOf(&candidate)) > 1 {
			v = candidate
			break
		}
	}
	skillAsked := ""
	for k := range v.asked {
		if skillAsked == "" || k < skillAsked {
			skillAsked = k
		}
	}
	var out []question
	for _, place := range append(o.placesOf(&v), "") {
		for _, sector := range []string{"", v.sector} {
			for _, soc := range []string{"", v.soc, v.soc[:2]} {
				for _, source := range []string{"", v.source} {
					for _, by := range []string{"-", "", "place", "sector", "soc", "level", "month"} {
						q := question{place: place, sector: sector, soc: soc, source: source, window: 12,
							level: 3 * (len(out) % 2)}
						if by != "-" {
							q.skill, q.by = skillAsked, by
						}
						out = append(out, q)
						q.window, q.level = 24, 3-q.level
						out = append(out, q)
					}
				}
			}
		}
	}
	return out
}
