package serve

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
)

func itoa(n int) string { return strconv.Itoa(n) }

func newRequest(s *service, target string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Header.Set("Authorization", "Bearer "+s.secret)
	return r
}

func record(s *service, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// Every parameter reaches the question, with its default when it is left out.
func TestParametersReachTheQuestion(t *testing.T) {
	s := newService(t, nil)
	for target, want := range map[string]any{
		"skills-unmet": api.SkillsUnmetQuery{Window: 12, Limit: 50},
		"skills-unmet?place=camden&sector=digital&soc=21&level=3&source=employer_boards&window=24&" +
			"limit=7": api.SkillsUnmetQuery{Place: "camden", Sector: "digital", SOC: "21", Level: 3,
			Source: "employer_boards", Window: 24, Limit: 7},
		"skills-unmet?skill=tiling&by=month&window=3": api.SkillsUnmetQuery{Skill: "tiling", By: api.ByMonth, Window: 3,
			Limit: 50},
		"skills-unmet?skill=tiling": api.SkillsUnmetQuery{Skill: "tiling", Window: 12, Limit: 50},
		"skills-unmet?skill=tiling&by=SOC+2020": api.SkillsUnmetQuery{Skill: "tiling", By: api.BySOC, Window: 12,
			Limit: 50},
		"skills-unmet?limit=201":                  api.SkillsUnmetQuery{Window: 12, Limit: 200},
		"skills-unmet?limit=99999999999999999999": api.SkillsUnmetQuery{Window: 12, Limit: 200},
		"skills-gaps":                             api.SkillsGapsQuery{Country: "GB", Limit: 500},
		"skills-gaps?region=local-london&soc=21&horizon=2035&limit=9999": api.SkillsGapsQuery{
			Country: "GB", Region: "E69000011", SOC: "21", Horizon: 2035, Limit: 5000},
		"skills-gaps?country=US&soc=15-12": api.SkillsGapsQuery{Country: "US", SOC: "15-12", Limit: 500},
		"course-demand":                    api.CourseDemandQuery{Country: "GB", Limit: 500},
		"course-demand?region=e12000007&metric=skills_bootcamp_starts&subject_area=Health%2C+Public+Services&" +
			"limit=1": api.CourseDemandQuery{Country: "GB", Region: "E12000007", Metric: "skills_bootcamp_starts",
			SubjectArea: "Health, Public Services", Limit: 1},
		"evidence": api.EvidenceQuery{Country: "GB", Limit: 50},
		"evidence?region=E12000007&soc=2136&kind=news&limit=1000": api.EvidenceQuery{
			Country: "GB", Region: "E12000007", SOC: "2136", Kind: "news", Limit: 200},
		"sources": api.SourcesQuery{At: s.clock.now()},
		"regions": api.RegionsQuery{Kind: "travel_to_work_area", Limit: 500},
		"regions?kind=lsip&name=+St.+Iv%C3%A9s+&limit=2": api.RegionsQuery{Kind: "lsip", Name: " St. Ivés ", Limit: 2},
	} {
		res := s.get(t, "/v1/labour/"+target)
		if res.status != http.StatusOK {
			t.Errorf("%s: %d %s", target, res.status, res.body)
			continue
		}
		if diff := cmp.Diff(want, s.live.now().last()); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}

// Data without people describes them at no quarter end.
func TestPeopleAsOfWithoutPeople(t *testing.T) {
	s := newService(t, nil)
	s.live.now().nobody = true
	if res := s.get(t, "/v1/labour/skills-unmet"); res.status != http.StatusOK || !strings.Contains(string(res.body),
		`"people_as_of":null`) {
		t.Errorf("%d %s", res.status, res.body)
	}
	for _, format := range []string{"csv", "parquet"} {
		if res := s.get(t, "/v1/labour/skills-unmet?format="+format); res.status != http.StatusOK ||
			len(res.header.Values("X-People-As-Of")) != 0 {
			t.Errorf("%s: %d %v", format, res.status, res.header)
		}
	}
}

// The rows, the sources and the metadata agree with each other.
func TestEnvelope(t *testing.T) {
	s := newService(t, nil)
	for target, limit := range map[string]int{"skills-unmet": 50, "skills-gaps": 500, "course-demand": 500,
		"evidence": 50, "sources": 500, "regions": 500, "skills-unmet?limit=2": 2, "skills-unmet?place=hackney": 50} {
		e := envelopeOf(t, s.get(t, "/v1/labour/"+target))
		if e.Meta.Returned != len(e.Data) || e.Meta.Limit != limit || e.Meta.Snapshot != "2026-11-20.1" {
			t.Errorf("%s: meta %+v with %d rows", target, e.Meta, len(e.Data))
		}
		if !strings.HasPrefix(e.AttributionNotice,
			"Wherever a figure is shown, republished or passed on, show the attribution_statement") {
			t.Errorf("%s: notice %q", target, e.AttributionNotice)
		}
		used, listed := map[string]bool{}, map[string]bool{}
		for _, r := range e.Data {
			used[r["source_key"].(string)] = true
		}
		for _, src := range e.Sources {
			listed[src.Key] = true
		}
		if diff := cmp.Diff(used, listed); diff != "" {
			t.Errorf("%s: sources of rows and of the envelope differ: %s", target, diff)
		}
	}
}

func TestEntityTags(t *testing.T) {
	s := newService(t, nil)
	const target = "/v1/labour/skills-unmet?place=camden&limit=2"
	first := s.get(t, target)
	etag := first.header.Get("ETag")
	if !strings.HasPrefix(etag, `W/"`) || first.header.Get("Cache-Control") != "private, max-age=0, must-revalidate" {
		t.Errorf("ETag %q, Cache-Control %q", etag, first.header.Get("Cache-Control"))
	}
	for _, same := range []string{"/v1/labour/skills-unmet?limit=2&place=camden"} {
		if got := s.get(t, same).header.Get("ETag"); got != etag {
			t.Errorf("%s has another tag", same)
		}
	}
	for _, other := range []string{"/v1/labour/skills-unmet?place=camden&limit=3",
		"/v1/labour/skills-unmet?place=hackney&limit=2", "/v1/labour/regions?limit=2"} {
		if got := s.get(t, other).header.Get("ETag"); got == etag || got == "" {
			t.Errorf("%s: tag %q", other, got)
		}
	}
	s.clock.set(s.clock.now().Add(time.Minute))
	for _, match := range []string{etag, strings.TrimPrefix(etag, "W/"), `"x", ` + etag, "*"} {
		res := s.get(t, target, "If-None-Match", match)
		if res.status != http.StatusNotModified || len(res.body) != 0 || res.header.Get("ETag") != etag ||
			res.header.Get("Content-Type") != "" {
			t.Errorf("If-None-Match %s: %d with %d bytes, %v", match, res.status, len(res.body), res.header)
		}
	}
	if res := s.get(t, target, "If-None-Match", `"x"`); res.status != http.StatusOK {
		t.Errorf("another tag: %d", res.status)
	}
	s.live.kept["2026-11-21.1"], s.live.current = newFakeSnapshot("2026-11-21.1"), "2026-11-21.1"
	if res := s.get(t, target, "If-None-Match", etag); res.status != http.StatusOK {
		t.Errorf("after a new snapshot: %d", res.status)
	}
	if res := s.get(t, "/v1/labour/skills-unmet?limit=x", "If-None-Match", "*"); res.status != http.StatusBadRequest {
		t.Errorf("a wrong call with If-None-Match: %d", res.status)
	}
}

func TestDocumentIsServedWithATag(t *testing.T) {
	s := newService(t, nil)
	res := s.do(t, http.MethodGet, "/v1/openapi.json")
	want, err := Document()
	if err != nil || !bytes.Equal(res.body, want) {
		t.Errorf("served document differs (%v)", err)
	}
	if res := s.do(t, http.MethodGet, "/v1/openapi.json", "If-None-Match",
		res.header.Get("ETag")); res.status != http.StatusNotModified {
		t.Errorf("status %d", res.status)
	}
}

// A caller that has the list already gets 304, and the list is not asked for.
func TestUnchangedListsAreNotAskedFor(t *testing.T) {
	s := newService(t, nil)
	for _, path := range []string{"regions", "skills-gaps", "course-demand", "evidence", "skills-unmet"} {
		path = "/v1/labour/" + path
		s.live.now().hook = nil
		tag := s.get(t, path).header.Get("ETag")
		asked := false
		s.live.now().hook = func(context.Context) error { asked = true; return nil }
		res := s.get(t, path, "If-None-Match", tag)
		if tag == "" || res.status != http.StatusNotModified || len(res.body) != 0 || asked {
			t.Errorf("%s: %d with %d bytes for its own tag %q; asked: %v", path, res.status, len(res.body), tag, asked)
		}
	}
}

func TestStaleFollowsTheClock(t *testing.T) {
	s := newService(t, nil)
	tag := s.get(t, "/v1/labour/sources").header.Get("ETag")
	if res := s.get(t, "/v1/labour/sources", "If-None-Match", tag); tag == "" || res.status != http.StatusNotModified {
		t.Errorf("sources with its tag %q: %d", tag, res.status)
	}
	stale := func() []any {
		var out []any
		for _, r := range envelopeOf(t, s.get(t, "/v1/labour/sources")).Data {
			out = append(out, r["stale"])
		}
		return out
	}
	if diff := cmp.Diff([]any{false, true}, stale()); diff != "" { // a day old and daily; never received
		t.Error(diff)
	}
	s.clock.set(time.Date(2026, 11, 21, 5, 0, 1, 0, time.UTC)) // two days and a second
	if diff := cmp.Diff([]any{true, true}, stale()); diff != "" {
		t.Error(diff)
	}
	if res := s.get(t, "/v1/labour/sources", "If-None-Match", tag); res.status != http.StatusOK {
		t.Errorf("sources with its tag, after a source went stale: %d", res.status)
	}
}

// "A full walk returns every matching item exactly once, in order, even when
// items are published during the walk."
func TestWalkStaysInItsSnapshot(t *testing.T) {
	for _, endpoint := range []string{"skills-unmet", "evidence"} {
		s := newService(t, nil)
		whole := envelopeOf(t, s.get(t, "/v1/labour/"+endpoint))
		var got []map[string]any
		target := "/v1/labour/" + endpoint + "?limit=2"
		for pages := 1; ; pages++ {
			e := envelopeOf(t, s.get(t, target))
			if e.Meta.Snapshot != "2026-11-20.1" || pages > 5 {
				t.Fatalf("%s: page %d of %s", endpoint, pages, e.Meta.Snapshot)
			}
			got = append(got, e.Data...)
			if e.Meta.NextCursor == nil {
				break
			}
			target = "/v1/labour/" + endpoint + "?limit=2&cursor=" + *e.Meta.NextCursor
			// A newer snapshot with other rows is published after each page.
			id := "2026-11-2" + itoa(pages) + ".1"
			s.live.kept[id], s.live.current = newFakeSnapshot(id), id
			s.live.kept[id].skills = nil
		}
		if diff := cmp.Diff(whole.Data, got); diff != "" {
			t.Errorf("%s: %s", endpoint, diff)
		}
	}
}

func TestCursors(t *testing.T) {
	s := newService(t, nil)
	next := *envelopeOf(t, s.get(t, "/v1/labour/skills-unmet?limit=1")).Meta.NextCursor
	changed := []byte(next)
	changed[10] ^= 1
	for name, tt := range map[string]struct{ target, code string }{
		"foreign":          {"skills-unmet?cursor=abc", "invalid_cursor"},
		"changed":          {"skills-unmet?cursor=" + string(changed), "invalid_cursor"},
		"other endpoint":   {"evidence?cursor=" + next, "invalid_cursor"},
		"unpaged endpoint": {"regions?cursor=" + next, "invalid_parameter"},
	} {
		if e := errorOf(t, s.get(t, "/v1/labour/"+tt.target)); e.Code != tt.code {
			t.Errorf("%s: %+v", name, e)
		}
	}
	// "Changing filters mid-walk yields pages of a different list."
	if res := s.get(t, "/v1/labour/skills-unmet?place=camden&cursor="+next); res.status != http.StatusOK {
		t.Errorf("changed filters: %s", res.body)
	}
	want := api.SkillsUnmetQuery{Window: 12, Limit: 50, Place: "camden",
		After: &api.SkillsUnmetPosition{Rank: 1, Score: ptr(int64(122000)), AdvertsShare: 400, Skill: "spreadsheets"}}
	if diff := cmp.Diff(any(want), s.live.now().last()); diff != "" {
		t.Error(diff)
	}
	delete(s.live.kept, "2026-11-20.1")
	s.live.kept["2026-11-22.1"], s.live.current = newFakeSnapshot("2026-11-22.1"), "2026-11-22.1"
	e := errorOf(t, s.get(t, "/v1/labour/skills-unmet?cursor="+next))
	if e.Code != "cursor_expired" || len(e.Details) != 1 || e.Details[0].Parameter != "cursor" ||
		e.Details[0].Message != e.Message {
		t.Errorf("snapshot gone: %+v", e)
	}
	// "All faults of a request are reported at once": that the cursor expired is one of them.
	for query, faults := range map[string]string{"&limit=0&place=atlantis": "limit cursor place",
		"&snapshot=2026-11-22.1": "snapshot cursor"} {
		e := errorOf(t, s.get(t, "/v1/labour/skills-unmet?cursor="+next+query))
		if got := parametersIn(e); e.Code != "invalid_parameter" || got != faults {
			t.Errorf("snapshot gone, with %s: %s %q", query, e.Code, got)
		}
	}
}

// parametersIn lists the parameters of an error's faults.
func parametersIn(e api.Error) string {
	var names []string
	for _, d := range e.Details {
		names = append(names, d.Parameter)
	}
	return strings.Join(names, " ")
}

func TestEmbargoedDatasetsNameTheirCondition(t *testing.T) {
	s := newService(t, nil)
	for name, condition := range map[string]string{
		"demand": "Counts from shareable sources only", "trends": "Counts from shareable sources only",
		"reach":      "Counts from shareable sources only",
		"outlook":    "Confirmation of reuse terms of the projections blended in",
		"signals":    "Confirmation of publishers' terms",
		"priorities": "Settling how a summary and citation can be offered",
	} {
		for _, query := range []string{"", "?region=E12000007"} {
			e := errorOf(t, s.get(t, "/v1/labour/"+name+query))
			if e.Code != "dataset_not_open" || !strings.Contains(e.Message, condition) {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}

func BenchmarkSkillsUnmet(b *testing.B) {
	s := newService(b, nil)
	row := s.live.now().skills[0]
	for len(s.live.now().skills) < 50 {
		s.live.now().skills = append(s.live.now().skills, row)
	}
	if err := s.keys.SetKeyLimits(context.Background(), s.key.ID, ptr(int64(1<<40)), ptr(int64(1<<40))); err != nil {
		b.Fatal(err)
	}
	r := newRequest(s, "/v1/labour/skills-unmet?place=camden")
	for b.Loop() {
		if w := record(s, r); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}
