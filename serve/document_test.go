package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/snapshots"
	"labour/snapshots/figure"
)

var update = flag.Bool("update", false, "write the golden files again")

// The document is kept in the repository, so that a change of it is seen.
func TestDocumentIsAsKept(t *testing.T) {
	got, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the OpenAPI document changed. If partners should see that, raise interfaceVersion, write it into "+
			"CHANGES.md, and run the test with -update:\n%s", diff)
	}
}

// The examples of the figures of a skill are those of one row: its margin and its score follow from its
// shares and its base by the formulas that their descriptions name.
func TestExamplesOfFiguresBelongTogether(t *testing.T) {
	document, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Examples []any `json:"examples"`
				} `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	row := d.Components.Schemas["SkillsUnmetRow"].Properties
	tenths := func(field string) figure.Tenths {
		n, ok := row[field].Examples[0].(float64)
		if !ok {
			t.Fatalf("%s has no example: %v", field, row[field])
		}
		return figure.Tenths(math.Round(10 * n))
	}
	share, below := tenths("adverts_share_pct"), tenths("people_below_share_pct")
	base, _ := figure.ParseBase(row["adverts_base"].Examples[0].(string))
	measured := figure.CodingErrors{RandomError: .46, SystematicError: .05}
	if want := measured.Margin(share, base); tenths("adverts_share_margin_pct") != want {
		t.Errorf("the margin of %v tenths of %s is %v, want %v", share, base.Band, tenths("adverts_share_margin_pct"), want)
	}
	if got, want := row["score"].Examples[0], float64(share*below)/10_000; got != want {
		t.Errorf("the score of %v and %v tenths is %v, want %v", share, below, got, want)
	}
}

func TestDocumentVersionIsInChanges(t *testing.T) {
	changes, err := os.ReadFile("CHANGES.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(changes, []byte("\n## "+interfaceVersion+"\n")) {
		t.Errorf("CHANGES.md has no section %s", interfaceVersion)
	}
}

func documentOf(t *testing.T) map[string]any {
	t.Helper()
	raw, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// at walks into nested objects.
func at(v any, path ...string) any {
	for _, p := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[p]
	}
	return v
}

func keys(v any) []string {
	m, _ := v.(map[string]any)
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// The keys that are encoded are the keys that are described, and all are
// described in words.
func TestEncodedKeysAreTheDocumentedOnes(t *testing.T) {
	doc := documentOf(t)
	bucket := api.SkillsUnmetRow{Bucket: ptr("a"), BucketName: ptr("A"), AreaKind: ptr("area")}
	for name, v := range map[string]any{
		"SkillsUnmetRow": bucket, "CourseDemandRow": api.CourseDemandRow{}, "YearOnYear": api.YearOnYear{},
		"SkillsGapsRow": api.SkillsGapsRow{}, "EvidenceRow": api.EvidenceRow{}, "SourcesRow": api.SourcesRow{},
		"RegionsRow": api.RegionsRow{},
		"DemandRow":  api.DemandRow{}, "TrendsRow": api.TrendsRow{}, "OutlookRow": api.OutlookRow{},
		"ReachRow":   api.ReachRow{},
		"SignalsRow": api.SignalsRow{}, "PrioritiesRow": api.PrioritiesRow{},
		"Meta": api.Meta{Truncated: ptr(true), Note: "x"},
		"PeopleMeta": api.PeopleMeta{Meta: api.Meta{Truncated: ptr(true), Note: "x"},
			AdvertsPlaced: &api.AdvertsPlaced{}}, "AdvertsPlaced": api.AdvertsPlaced{}, "Source": api.Source{},
		"Health": api.Health{}, "Readiness": api.Readiness{},
		"SkillsUnmetResponse": api.Envelope[api.SkillsUnmetRow, api.PeopleMeta]{},
		"RegionsResponse":     api.Envelope[api.RegionsRow, api.Meta]{},
		"Error":               api.Error{RetryAfterSeconds: ptr(int64(1)), Details: []api.Fault{{}}},
		"JobsRow":             api.JobsRow{}, "PathwaysRow": api.PathwaysRow{}, "Step": api.Step{},
		"Standard":   api.Standard{},
		"Candidates": api.Candidates{}, "CandidatesOfBorough": api.CandidatesOfBorough{},
		"CandidatesOfLevel":  api.CandidatesOfLevel{},
		"CandidatesOfSector": api.CandidatesOfSector{}, "S106": api.S106{}, "EventsRow": api.EventsRow{},
		"EventData":  api.EventData{Advert: ptr(""), Borough: ptr(""), Outcome: ptr("")},
		"EventsMeta": api.EventsMeta{Note: "x"},
		"CountMeta":  api.CountMeta{}, "ResidentsMeta": api.ResidentsMeta{},
		"JobsResponse":       api.ListResponse[api.JobsRow, api.Meta]{},
		"CandidatesResponse": api.ObjectResponse[api.Candidates, api.ResidentsMeta]{},
		"S106Response":       api.ObjectResponse[api.S106, api.ResidentsMeta]{},
		"WebhookEndpoint":    api.WebhookEndpoint{}, "WebhookCreated": api.WebhookCreated{},
		"WebhookSecret":   api.WebhookSecret{},
		"WebhookDelivery": api.WebhookDelivery{}, "WebhookAttempt": api.WebhookAttempt{},
		"WebhookMessage":  api.WebhookMessage{},
		"WebhookListMeta": api.WebhookListMeta{}, "WebhookPageMeta": api.WebhookPageMeta{},
		"NewWebhook": api.NewWebhook{EventTypes: []string{""}, Description: ptr("")},
		"WebhookChange": api.WebhookChange{URL: ptr(""), EventTypes: []string{""}, Description: ptr(""),
			Enabled: ptr(true)},
		"WebhookRotation":   api.WebhookRotation{GraceSeconds: ptr(int64(1))},
		"ComplianceRequest": api.ComplianceRequest{}, "ComplianceExport": api.ComplianceExport{},
		"ComplianceData": api.ComplianceData{},
		"Fault":          api.Fault{Allowed: []string{""}, Nearest: []string{""}}, "ErrorBody": api.ErrorBody{},
	} {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var encoded map[string]any
		if err := json.Unmarshal(raw, &encoded); err != nil {
			t.Fatal(err)
		}
		properties := at(doc, "components", "schemas", name, "properties")
		if diff := cmp.Diff(keys(properties), keys(encoded)); diff != "" {
			t.Errorf("%s: described and encoded keys differ:\n%s", name, diff)
		}
		for _, k := range keys(properties) {
			if at(properties, k, "description") == nil && at(properties, k, "$ref") == nil {
				t.Errorf("%s.%s has no description", name, k)
			}
		}
	}
}

func TestDocumentListsEveryErrorCode(t *testing.T) {
	var got []string
	for _, c := range at(documentOf(t), "components", "schemas", "Error", "properties", "code", "enum").([]any) {
		got = append(got, c.(string))
	}
	var want []string
	for _, c := range []code{invalidParameter, unknownPlace, unknownRegion, invalidCursor, cursorExpired, unauthorized,
		insufficientScope,
		datasetNotOpen, notFound, methodNotAllowed, conflict, payloadTooLarge, unsupportedMediaType, rateLimited,
		quotaExceeded, tooManyRequests, internal, unavailable, timeout} {
		want = append(want, string(c))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A body with a field that is not documented is refused, and the document says so.
func TestBodiesTakeNoOtherFields(t *testing.T) {
	doc := documentOf(t)
	bodies := 0
	for name, item := range at(doc, "paths").(map[string]any) {
		for method, op := range item.(map[string]any) {
			if at(op, "requestBody") == nil {
				continue
			}
			bodies++
			ref := at(op, "requestBody", "content", "application/json", "schema", "$ref").(string)
			if more := at(doc, "components", "schemas", path.Base(ref), "additionalProperties"); more != false {
				t.Errorf("%s %s: additionalProperties of the body is %v", method, name, more)
			}
		}
	}
	if bodies < 4 {
		t.Errorf("only %d bodies", bodies)
	}
}

// Each operation lists an answer for every possible status.
func TestDocumentListsStatusesAndParameters(t *testing.T) {
	doc := documentOf(t)
	for path, want := range map[string]string{
		"labour/skills-unmet":  "by cursor format level limit place sector skill snapshot soc source window",
		"labour/skills-gaps":   "country format horizon limit region snapshot soc",
		"labour/course-demand": "country format limit metric region snapshot subject_area",
		"labour/evidence":      "country cursor format kind limit region snapshot soc",
		"labour/sources":       "format snapshot", "labour/regions": "format kind limit name snapshot",
		"jobs": "borough cursor format limit q sector soc type", "pathways": "", "candidates": "", "s106": "borough",
		"events": "limit page since type",
	} {
		op := at(doc, "paths", "/v1/"+path, "get")
		if got := strings.Join(keys(at(op, "responses")), " "); got != "200 304 400 401 403 429 500 503 504" {
			t.Errorf("%s: statuses %s", path, got)
		}
		var names []string
		list, _ := at(op, "parameters").([]any)
		for _, p := range list {
			names = append(names, at(p, "name").(string))
			if at(p, "description") == nil {
				t.Errorf("%s: %v has no description", path, at(p, "name"))
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: parameters %s, want %s", path, got, want)
		}
	}
	if got := strings.Join(keys(at(doc, "paths", "/v1/compliance-export", "post", "responses")),
		" "); got != "200 400 401 403 413 415 429 500 503 504" {
		t.Errorf("compliance-export: statuses %s", got)
	}
	for _, d := range snapshots.EmbargoedDatasets() {
		op := at(doc, "paths", "/v1/labour/"+d.Name, "get")
		if got := strings.Join(keys(at(op, "responses")), " "); got != "200 304 400 401 403 429 500 503 504" {
			t.Errorf("%s: statuses %s", d.Name, got)
		}
		if words, _ := at(op, "description").(string); !strings.Contains(words, d.Condition) ||
			!strings.Contains(words, "dataset_not_open") {
			t.Errorf("%s: the condition is not described: %s", d.Name, words)
		}
	}
	if got := at(doc, "openapi"); got != "3.1.0" {
		t.Errorf("OpenAPI %v", got)
	}
}

// "Every status, header, parameter and webhook in it": the headers that answers carry are
// described, but for those of HTTP itself.
func TestDocumentListsEveryHeaderThatIsSent(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	doc, key := documentOf(t), "Bearer "+s.secret
	const regions, export = "/v1/labour/regions", "/v1/compliance-export"
	for _, c := range []struct {
		method, path, query, body, key string
		none                           string // If-None-Match
		status                         int
	}{
		{"GET", regions, "", "", key, "", 200}, {"GET", regions, "?format=csv", "", key, "", 200},
		{"GET", regions, "", "", key, "*", 304},
		{"GET", regions, "?x=1", "", key, "", 400}, {"GET", regions, "", "", "", "", 401},
		{"GET", "/v1/labour/demand", "", "", key, "", 403},
		{"GET", "/v1/candidates", "", "", key, "", 200}, {"GET", "/v1/openapi.json", "", "", key, "*", 304},
		{"GET", "/readyz", "", "", "", "", 200},
		{"POST", endpointsPath, "", `{"url":"https://example.com/h"}`, key, "", 201},
		{"POST", endpointsPath, "", `{"url":"https://example.com/h"}`, key, "", 409},
		{"GET", endpointsPath, "", "", key, "", 200}, {"POST", export, "", exportBody, key, "", 200},
		{"POST", export, "", "", key, "", 400},
	} {
		res := s.send(t, c.method, c.path+c.query, c.body, "Authorization", c.key, "If-None-Match", c.none,
			"Content-Type", "application/json")
		described := at(doc, "paths", c.path, strings.ToLower(c.method), "responses", strconv.Itoa(c.status))
		if ref, shared := at(described, "$ref").(string); shared {
			described = at(doc, "components", "responses", path.Base(ref))
		}
		var missing []string
		for name := range res.header {
			if !slices.Contains([]string{"Content-Type", "Content-Length", "Vary", "X-Content-Type-Options",
				"Access-Control-Allow-Origin"}, name) &&
				!slices.ContainsFunc(keys(at(described, "headers")),
					func(k string) bool { return strings.EqualFold(k, name) }) {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 || res.status != c.status {
			t.Errorf("%s %s%s: %d, headers not described: %v", c.method, c.path, c.query, res.status, missing)
		}
	}
}
