package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
)

// breaking lists the changes from one document to another that would break a client
// that was made from the first.
func breaking(t *testing.T, released, next []byte) []string {
	t.Helper()
	a, err := libopenapi.NewDocument(released)
	if err != nil {
		t.Fatal(err)
	}
	b, err := libopenapi.NewDocument(next)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := libopenapi.CompareDocuments(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if changes == nil {
		return nil
	}
	var out []string
	for _, c := range changes.GetAllChanges() {
		if c.Breaking {
			out = append(out, fmt.Sprintf("%s: %q to %q", c.Property, c.Original, c.New))
		}
	}
	return out
}

// lastReleased is the document of the newest released version. When partners are given a
// version, openapi.json is copied to testdata/released under its name.
func lastReleased(t *testing.T) []byte {
	t.Helper()
	files, err := filepath.Glob("testdata/released/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d released documents, %v", len(files), err)
	}
	slices.SortFunc(files, func(a, b string) int { return slices.Compare(versionOf(t, a), versionOf(t, b)) })
	raw, err := os.ReadFile(files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// versionOf reads 1.10.0 from the name of a file.
func versionOf(t *testing.T, file string) []int {
	t.Helper()
	v := make([]int, 3)
	if _, err := fmt.Sscanf(filepath.Base(file), "%d.%d.%d.json", &v[0], &v[1], &v[2]); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}

// Nothing that a client of the last released version relies on goes away.
func TestNothingBreaksClients(t *testing.T) {
	next, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range breaking(t, mended(t, lastReleased(t), next), next) {
		t.Error(change)
	}
}

// mended is a released document without what it promised and the service never kept, so
// that no client can have relied on it: data without people had people_as_of 0001-01-01,
// and the bodies that manage webhooks took no other fields than theirs.
// What was decided since is taken from the next one: an empty parameter is refused, a whole
// number may have any size, and apprenticeships started are people.
func mended(t *testing.T, released, next []byte) []byte {
	t.Helper()
	var d, decided map[string]any
	if err := errors.Join(json.Unmarshal(released, &d), json.Unmarshal(next, &decided)); err != nil {
		t.Fatal(err)
	}
	takeParameters(d, decided)
	for _, name := range []string{"S106", "ComplianceData"} {
		is := at(decided, "components", "schemas", name, "properties", "apprenticeships_started")
		at(d, "components", "schemas", name, "properties").(map[string]any)["apprenticeships_started"] = is
	}
	fault := at(decided, "components", "schemas", "WebhookAttempt", "properties", "fault") // one of its values is another's now
	at(d, "components", "schemas", "WebhookAttempt", "properties").(map[string]any)["fault"] = fault
	for name, field := range map[string]string{"PeopleMeta": "people", "CourseDemandRow": "is_total", "JobsRow": "first_seen_at"} { // more in an answer breaks nobody
		s := at(d, "components", "schemas", name).(map[string]any)
		s["required"] = append(s["required"].([]any), field)
	}
	at(d, "components", "schemas", "PeopleMeta", "properties", "people_as_of").(map[string]any)["type"] = []string{"string", "null"}
	for _, body := range []string{"NewWebhook", "WebhookChange", "WebhookRotation"} {
		at(d, "components", "schemas", body).(map[string]any)["additionalProperties"] = false
	}
	out, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// takeParameters takes over how long the text of a parameter is at least, and of what size
// a number may be.
func takeParameters(d, decided map[string]any) {
	for path, operations := range at(d, "paths").(map[string]any) {
		for method, o := range operations.(map[string]any) {
			parameters, _ := o.(map[string]any)["parameters"].([]any)
			for _, p := range parameters {
				for _, q := range at(decided, "paths", path, method, "parameters").([]any) {
					one, other := p.(map[string]any), q.(map[string]any)
					if one["name"] != other["name"] || one["in"] != other["in"] {
						continue
					}
					takeBounds(one["schema"].(map[string]any), other["schema"].(map[string]any))
					if slices.Contains(widened, one["name"].(string)) {
						one["schema"] = other["schema"]
					}
				}
			}
		}
	}
}

// widened are parameters that take what they took and more, or the same under another type: a
// country in any letter case, a level as the number that rows have, and no page that no list has.
var widened = []string{"country", "level", "page"}

func takeBounds(schema, decided map[string]any) {
	for _, bound := range []string{"minLength", "format"} {
		delete(schema, bound)
		if is, ok := decided[bound]; ok {
			schema[bound] = is
		}
	}
}

// The comparison notices what breaks a client, and lets pass what does not.
func TestBreakingChangesAreNoticed(t *testing.T) {
	kept := small(t)
	for name, tt := range map[string]struct {
		breaks bool
		change func(map[string]any)
	}{
		"nothing":           {false, func(map[string]any) {}},
		"a path goes":       {true, func(d map[string]any) { delete(at(d, "paths").(map[string]any), "/v1/labour/regions") }},
		"an operation goes": {true, func(d map[string]any) { delete(at(d, "paths", "/v1/webhooks/endpoints").(map[string]any), "post") }},
		"a parameter goes":  {true, func(d map[string]any) { withoutParameter(d, "/v1/jobs", "borough") }},
		"a field goes": {true, func(d map[string]any) {
			delete(at(d, "components", "schemas", "RegionsRow", "properties").(map[string]any), "slug")
		}},
		"a field is renamed": {true, func(d map[string]any) {
			p := at(d, "components", "schemas", "JobsRow", "properties").(map[string]any)
			p["name"] = p["title"]
			delete(p, "title")
		}},
		"a type changes": {true, func(d map[string]any) {
			at(d, "components", "schemas", "JobsRow", "properties", "title").(map[string]any)["type"] = "integer"
		}},
		"a status goes": {true, func(d map[string]any) { delete(at(d, "paths", "/v1/jobs", "get", "responses").(map[string]any), "200") }},
		"a header goes": {true, func(d map[string]any) {
			delete(at(d, "components", "responses", "TooManyRequests", "headers").(map[string]any), "Retry-After")
		}},
		"a format goes": {true, func(d map[string]any) {
			delete(at(d, "paths", "/v1/jobs", "get", "responses", "200", "content").(map[string]any), "text/csv")
		}},
		"a choice goes": {true, func(d map[string]any) {
			s := parameterIn(d, "/v1/jobs", "type")["schema"].(map[string]any)
			s["enum"] = s["enum"].([]any)[1:]
		}},
		"a webhook goes":  {true, func(d map[string]any) { delete(at(d, "webhooks").(map[string]any), "click.recorded") }},
		"a need is added": {true, func(d map[string]any) { parameterIn(d, "/v1/jobs", "borough")["required"] = true }},
		"a new needed field": {true, func(d map[string]any) {
			s := at(d, "components", "schemas", "NewWebhook").(map[string]any)
			s["required"] = append(s["required"].([]any), "description")
		}},
		"a field may go": {true, func(d map[string]any) {
			s := at(d, "components", "schemas", "JobsRow").(map[string]any)
			s["required"] = s["required"].([]any)[1:]
		}},
		"words change":    {false, func(d map[string]any) { at(d, "info").(map[string]any)["description"] = "x" }},
		"a path is added": {false, func(d map[string]any) { p := at(d, "paths").(map[string]any); p["/v1/more"] = p["/v1/s106"] }},
		"a field is added": {false, func(d map[string]any) {
			p := at(d, "components", "schemas", "JobsRow", "properties").(map[string]any)
			p["more"] = map[string]any{"type": "string"}
		}},
		"a status is added": {false, func(d map[string]any) {
			r := at(d, "paths", "/v1/jobs", "get", "responses").(map[string]any)
			r["418"] = r["400"]
		}},
		"a webhook is added": {false, func(d map[string]any) { w := at(d, "webhooks").(map[string]any); w["more"] = w["click.recorded"] }},
		"a parameter is added": {false, func(d map[string]any) {
			op := at(d, "paths", "/v1/s106", "get").(map[string]any)
			op["parameters"] = append(op["parameters"].([]any), map[string]any{"name": "more", "in": "query", "schema": map[string]any{"type": "string"}})
		}},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			var d map[string]any
			if err := json.Unmarshal(kept, &d); err != nil {
				t.Fatal(err)
			}
			tt.change(d)
			changed, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if got := breaking(t, bytes.Clone(kept), changed); (len(got) > 0) != tt.breaks {
				t.Errorf("breaking changes %v", got)
			}
		})
	}
}

// small is a document with a few of the paths, which is compared in less time.
func small(t *testing.T) []byte {
	t.Helper()
	d := documentOf(t)
	paths := at(d, "paths").(map[string]any)
	for path := range paths {
		if !slices.Contains([]string{"/v1/jobs", "/v1/s106", "/v1/webhooks/endpoints", "/v1/labour/regions"}, path) {
			delete(paths, path)
		}
	}
	schemas := at(d, "components", "schemas").(map[string]any)
	for name := range schemas {
		if strings.HasPrefix(name, "Candidates") || strings.HasPrefix(name, "Compliance") || strings.HasPrefix(name, "Skills") ||
			strings.HasPrefix(name, "Evidence") || strings.HasPrefix(name, "Course") || strings.HasPrefix(name, "Pathways") {
			delete(schemas, name)
		}
	}
	out, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// parameterIn is a parameter of the GET of a path.
func parameterIn(d map[string]any, path, name string) map[string]any {
	list := at(d, "paths", path, "get", "parameters").([]any)
	return list[slices.IndexFunc(list, func(p any) bool { return at(p, "name") == name })].(map[string]any)
}

func withoutParameter(d map[string]any, path, name string) {
	op := at(d, "paths", path, "get").(map[string]any)
	op["parameters"] = slices.DeleteFunc(op["parameters"].([]any), func(p any) bool { return at(p, "name") == name })
}
