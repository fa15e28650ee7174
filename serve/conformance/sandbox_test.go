package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// opened returns a server whose six embargoed datasets are open; of servers of our own
// it is one more, with the data that they had before the datasets were closed.
func opened(t *testing.T) *server {
	t.Helper()
	if testing.Short() && *base == "" {
		t.Skip("starts servers on the sandbox's data, which takes half a minute")
	}
	all, err := servers()
	if err != nil {
		t.Fatal(err)
	}
	o := all[0].own
	if o == nil {
		return all[0]
	}
	if o.opened == nil {
		s := &server{name: "opened", data: filepath.Join(o.dir, "opened")}
		if err := o.serve(s); err != nil {
			t.Fatal(err)
		}
		o.opened = s
	}
	return o.opened
}

var exampleLine = regexp.MustCompile("Example: `([A-Z]+) ([^`]+)`")

// operation is one operation of the document, with its example.
type operation struct {
	method, path, target, body string
	examples                   map[string][]string // of parameters
}

// operations returns every operation of the OpenAPI document, DELETE last.
func (s *server) operations(t *testing.T) []operation {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			Description string
			RequestBody struct {
				Content map[string]struct{ Example json.RawMessage }
			}
			Parameters []struct {
				Name   string
				Schema struct{ Examples []any }
			}
		}
	}
	decode(t, s.send(t, http.MethodGet, "/v1/openapi.json", "").body, &doc)
	var all []operation
	for path, methods := range doc.Paths {
		for method, op := range methods {
			line := exampleLine.FindStringSubmatch(op.Description)
			if line == nil || !strings.EqualFold(line[1], method) {
				t.Errorf("%s %s shows no example call", method, path)
				continue
			}
			o := operation{line[1], path, line[2], string(op.RequestBody.Content["application/json"].Example),
				map[string][]string{}}
			for _, p := range op.Parameters {
				for _, value := range p.Schema.Examples {
					o.examples[p.Name] = append(o.examples[p.Name], fmt.Sprint(value))
				}
			}
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(order(a), order(b)) })
	return all
}

// order puts what deletes behind what asks and changes.
func order(o operation) string {
	if o.method == http.MethodDelete {
		return "~" + o.target
	}
	return o.target + " " + o.method
}

// "A machine-readable specification, OpenAPI 3.1": each example request
// returns 2xx and data, and each example value of a parameter returns 2xx.
func TestExamplesOfTheDocument(t *testing.T) {
	s := opened(t)
	ids := strings.NewReplacer()
	if s.own != nil {
		in := s.own.open(t)
		id, _ := s.subscribe(t, in.url)
		var sent struct{ Data row }
		decode(t, s.manage(t, http.MethodPost, "/"+id+"/test", "").body, &sent)
		in.wait(t, "webhook.test")
		ids = strings.NewReplacer("{id}", id, "{delivery}", sent.Data.text("id"))
	}
	calls := 0
	for _, o := range s.operations(t) {
		if s.own == nil && (o.method != http.MethodGet || strings.Contains(o.target, "{")) {
			continue // changes something that is another's, or needs an endpoint that was made
		}
		a := s.example(t, o.method, ids.Replace(o.target), o.body)
		calls++
		if empty := regexp.MustCompile(`"data":\[\]`); s.own != nil && empty.Match(a.body) {
			t.Errorf("%s %s has no data", o.method, o.target)
		}
		for name, values := range o.examples {
			for _, value := range values {
				if o.method == http.MethodGet && !strings.Contains(o.path, "{") {
					s.example(t, o.method, query(o.path, name, value), "")
					calls++
				}
			}
		}
	}
	if calls < 40 {
		t.Errorf("only %d example calls", calls)
	}
}

// example makes one call, which must succeed.
func (s *server) example(t *testing.T, method, target, body string) answer {
	t.Helper()
	headers := []string{"Authorization", "Bearer " + s.key}
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	a := s.send(t, method, target, body, headers...)
	if a.status == http.StatusForbidden && s.own == nil {
		return a // a scope that the key lacks, or a dataset that is not open
	}
	if a.status < 200 || a.status > 299 {
		t.Errorf("%s %s: status %d %s", method, target, a.status, a.body)
	}
	var created struct{ Data struct{ ID string } }
	if a.status == http.StatusCreated && json.Unmarshal(a.body, &created) == nil {
		t.Cleanup(func() { s.removeEndpoint(created.Data.ID) })
	}
	return a
}

// ours returns a server of our own with open datasets; what the sandbox shows is
// nobody else's duty.
func ours(t *testing.T) *server {
	t.Helper()
	s := opened(t)
	if s.own == nil {
		t.Skip("it is about the sandbox's data")
	}
	return s
}

// The sandbox shows every kind of row that the interface has.
func TestSandboxShowsEverything(t *testing.T) {
	s := ours(t)
	for field, paths := range map[string]map[string][]string{
		"direction": {"/v1/labour/trends?limit=200": {"growing", "shrinking", "steady"}},
		"kind": {"/v1/labour/sources": {"platform", "employer_boards", "apprenticeships", "statistics",
			"projections", "geography", "news", "plans"}},
		"type":    {"/v1/jobs?type=training": {"training"}},
		"metric":  {"/v1/labour/course-demand?metric=skills_bootcamp_starts": {"skills_bootcamp_starts"}},
		"country": {"/v1/labour/skills-gaps?country=US": {"US"}, "/v1/labour/evidence?country=US": {"US"}},
	} {
		for path, values := range paths {
			seen := keys(s.rows(t, path).Data, field)
			for _, value := range values {
				if !seen[value] {
					t.Errorf("%s has no %s %s", path, field, value)
				}
			}
		}
	}
	for _, r := range s.some(t, "regions?kind=lsip").Data {
		if len(s.labour(t, query("course-demand", "region", r.text("slug"))).Data) == 0 {
			t.Errorf("no figures for the plan area %s", r.text("slug"))
		}
	}
	for _, kind := range []string{"report", "news"} {
		s.some(t, "evidence?kind="+kind)
	}
	if !slices.ContainsFunc(s.some(t, "sources").Data, func(r row) bool { return r["stale"] == true }) {
		t.Error("no source is stale")
	}
}

// A partner of the sandbox has events of its own.
func TestSandboxPartnerHasEvents(t *testing.T) {
	s := ours(t)
	secret, err := s.own.labour(append([]string{"key", "create", "--partner", "sandbox", "--plan", "partner", "--scope",
		"all"}, s.where()...)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range eventTypes {
		var e envelope
		decode(t, s.getWith(t, secret, "/v1/events?type="+kind).body, &e)
		if len(e.Data) == 0 {
			t.Errorf("no %s", kind)
		}
	}
}

// Of the sandbox's statistics one figure was corrected, one is withdrawn, and every
// total is the sum of its parts.
func TestSandboxFiguresAddUp(t *testing.T) {
	s := ours(t)
	for region, nulls := range map[string]int{"E92000001": 0, "E12000007": 0, "E09000007": 1} {
		rows := s.some(t, "course-demand?metric=apprenticeship_starts&limit=5000&region="+region).Data
		newest, total, sum, missing, largest := rows[0].text("period_end"), int64(0), int64(0), 0, int64(0)
		for _, r := range rows {
			switch n := r.number("value"); {
			case r.text("period_end") != newest:
			case r["is_total"] == true:
				total = r.whole(t, "value")
			case n != nil:
				sum, largest = sum+n.Num().Int64(), max(largest, n.Num().Int64())
			case r["value"] == nil:
				missing++
			}
		}
		if missing != nulls || nulls == 0 && sum != total || nulls > 0 && (sum >= total || largest >= total) {
			t.Errorf("%s: %d missing, the parts are %d, the total %d", region, missing, sum, total)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.own.dir, "world", "corrections.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil || strings.Count(string(text), "field: value") != 2 {
		t.Errorf("the corrections are\n%s", text)
	}
}

// For a code that was replaced, the figures of its successor are returned, and meta.note states this.
func TestReplacedCodeIsAnswered(t *testing.T) {
	s := ours(t)
	e := s.some(t, "course-demand?region=E07000165")
	if got := keys(e.Data, "region_code"); len(got) != 1 || !got["E06000065"] {
		t.Errorf("the figures are of %v", got)
	}
	if note := e.Meta.text("note"); !strings.Contains(note, "E07000165 was replaced by E06000065") {
		t.Errorf("the note is %q", note)
	}
	if now := s.some(t, "course-demand?region=E06000065"); now.Meta["note"] != nil ||
		comparable(t, now.Data) != comparable(t, e.Data) {
		t.Errorf("today's code has the note %v, or other figures", now.Meta["note"])
	}
}
