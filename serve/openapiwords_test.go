package serve

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/goccy/go-yaml"

	"labour/serve/api"
	"labour/snapshots"
)

//go:embed openapi.yaml
var openAPIFrame []byte

// example is what the document says of an operation in words, with a call that it shows
// and a test makes.
type example struct {
	Tag, Summary, Description string
	Open                      bool   // it needs no key
	Faults                    []int  // statuses
	Call                      string // path and query; {id} and {delivery} stand for themselves
	Body                      string // JSON; empty = none
}

// exampleSet is what openapi.yaml says of operations by their ids, of errors by status and
// of messages that are pushed by type.
type exampleSet struct {
	Operations map[string]example
	Embargoed  map[string]string // the order of each embargoed dataset
	Parameters map[string]string // of paths
	Errors     map[int][]api.Error
	// in JSON, of operations that have one: what a server of the made-up world answers to Call
	Answers map[string]json.RawMessage
	Pushed  struct {
		Operation huma.Operation
		Messages  map[string]struct {
			Summary string
			Data    api.EventData
		}
	}
}

// readFrame reads openapi.yaml into huma's document, the examples, or what else has its form.
func readFrame(into any) error {
	frame, err := yaml.YAMLToJSON(openAPIFrame) // of YAML, huma's types would take every member for an extension too
	if err == nil {
		err = json.Unmarshal(frame, into)
	}
	if err != nil {
		return fmt.Errorf("read openapi.yaml: %w", err)
	}
	return nil
}

func examples() (s exampleSet, err error) {
	answers, err := os.ReadFile("testdata/answers.json")
	if err == nil {
		err = json.Unmarshal(answers, &s.Answers)
	}
	err = errors.Join(err, readFrame(&s))
	for _, d := range snapshots.EmbargoedDatasets() {
		s.Operations[d.Name] = example{Tag: "Datasets not yet open", Summary: strings.ToUpper(d.Name[:1]) + d.Name[1:] +
			" (embargoed)", Call: "/v1/labour/" + d.Name + "?limit=2", Faults: []int{304, 400},
			Description: fmt.Sprintf(
				"%s. Built but not available until the operator records that its condition is met; until then every call "+
					"answers 403 dataset_not_open. It waits on: %s. Paged. %s", d.Content, d.Condition, s.Embargoed[d.Name])}
	}
	return s, err
}

// describePushed describes what the service sends to an endpoint.
func (s exampleSet) describePushed(doc *huma.OpenAPI) {
	doc.Webhooks = map[string]*huma.PathItem{}
	for name, m := range s.Pushed.Messages {
		op := s.Pushed.Operation
		op.OperationID, op.Summary = "on-"+name, m.Summary
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{typeJSON: {
			Schema: doc.Components.Schemas.Schema(reflect.TypeFor[api.WebhookMessage](), true, ""),
			Example: api.WebhookMessage{ID: "ev-1", Type: name,
				Timestamp: api.TimestampOf(time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)), Data: m.Data}}}}
		doc.Webhooks[name] = &huma.PathItem{Post: &op}
	}
}

func (s exampleSet) errors(status int) map[string]*huma.Example {
	out := map[string]*huma.Example{}
	for _, e := range s.Errors[status] {
		e.RequestID = "req_01JD3V5Q2ZK8M6T0X4YB7NRCWE"
		out[e.Code] = &huma.Example{Value: api.ErrorBody{Error: e}}
	}
	return out
}
