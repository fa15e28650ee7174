package serve

import (
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
	"github.com/goccy/go-yaml"

	"labour/serve/api"
	"labour/serve/webhooks"
	"labour/snapshots"
)

// example is a call that the document shows, and a test makes.
type example struct {
	Call string // path and query; {id} and {delivery} stand for themselves
	Body string // JSON; empty = none
}

// exampleSet is the examples of openapi.yaml: calls by operation id, one for each, and errors
// by status.
type exampleSet struct {
	Calls  map[string]example
	Errors map[int][]api.Error
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
	err = readFrame(&s)
	for _, d := range snapshots.HeldDatasets() {
		s.Calls[d.Name] = example{Call: "/v1/labour/" + d.Name}
	}
	return s, err
}

func (s exampleSet) example(op *huma.Operation) error {
	e, ok := s.Calls[op.OperationID]
	if !ok {
		return fmt.Errorf("operation %s has no example", op.OperationID)
	}
	op.Description += fmt.Sprintf("\n\nExample: `%s %s`", op.Method, e.Call)
	if e.Body == "" {
		return nil
	}
	if op.RequestBody == nil {
		return fmt.Errorf("the example of operation %s has a body, and the operation takes none", op.OperationID)
	}
	op.RequestBody.Content[typeJSON].Example = json.RawMessage(e.Body)
	return nil
}

func exampleEvents() map[webhooks.EventType]api.EventData {
	text := func(s string) *string { return &s }
	return map[webhooks.EventType]api.EventData{
		webhooks.ApplicationCreated:   {Advert: text("ad-1002"), Borough: text("camden")},
		webhooks.ClickRecorded:        {Advert: text("ad-1002"), Borough: text("camden")},
		webhooks.OutcomeRecorded:      {Advert: text("ad-1002"), Borough: text("camden"), Outcome: text("hired")},
		webhooks.OpportunityPublished: {Advert: text("ad-1003"), Borough: text("hackney")},
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
