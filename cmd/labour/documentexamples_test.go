package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"labour/serve"
	"labour/serve/partners/access"
	"labour/serve/query"
	"labour/serve/state"
	"labour/serve/stores"
	"labour/snapshots/store"
)

// answersFile holds the answers that the OpenAPI document shows: a test of package serve puts
// them into it.
const answersFile = "../../serve/testdata/answers.json"

// documented is an operation as the OpenAPI document shows it.
type documented struct {
	id, method, call string
	body             string
	status           int             // of a good answer
	shown            json.RawMessage // the example of a good answer; empty = none
}

// TestDocumentShowsTrueAnswers: the example of each good answer in the OpenAPI document is, byte
// by byte but for space, what a server of the made-up world answers to the example call. -update
// writes the answers; the test of the document in package serve, with -update too, then shows them.
func TestDocumentShowsTrueAnswers(t *testing.T) {
	p := publish(t)
	if err := p.app.openAll(p.data); err != nil {
		t.Fatal(err)
	}
	p.next()
	s := newExampleServer(t, p)
	answers := map[string]json.RawMessage{}
	ids := map[string]string{"{id}": "", "{delivery}": ""} // as answers name them
	for _, o := range documentedOperations(t) {
		answer := s.answer(t, o, ids)
		if len(answer) == 0 || o.id == "openapi" {
			continue
		}
		if answers[o.id] = answer; *update {
			continue
		}
		var shown bytes.Buffer
		if err := json.Compact(&shown, o.shown); err != nil {
			t.Errorf("%s shows no answer: %v", o.id, err)
		} else if changed := diff.Diff(shown.String(), string(answer)); changed != "" {
			t.Errorf("%s: the document shows another answer than the server gives to %s %s; run this test with -update and "+
				"then those of the document:\n%s",
				o.id, o.method, o.call, changed)
		}
		// A world as small as this one has no trend that is more than chance.
		if o.id != "trends" && bytes.Contains(answer, []byte(`"data":[]`)) {
			t.Errorf("%s: the answer that is shown has no data", o.id)
		}
	}
	if len(answers) < 30 {
		t.Errorf("only %d answers: %v", len(answers), slices.Sorted(maps.Keys(answers)))
	}
	if *update {
		writeAnswers(t, answers)
	}
}

func writeAnswers(t *testing.T, answers map[string]json.RawMessage) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(answers); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(answersFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// exampleServer is the interface on a snapshot, with a clock that stands still and randomness that
// is the same each time, so that it answers the same each time.
type exampleServer struct {
	handler http.Handler
	secret  string
}

func newExampleServer(t *testing.T, p *published) exampleServer {
	t.Helper()
	ctx, log, random := context.Background(), slog.New(slog.DiscardHandler), rand.NewChaCha8([32]byte{})
	store, err := store.Open(p.data)
	if err != nil {
		t.Fatal(err)
	}
	live := query.NewSnapshotSource(store, p.app.now, log, query.Options{})
	if err := live.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	stores, err := stores.Open(ctx, filepath.Join(t.TempDir(), state.DatabaseFileName), p.app.now, random, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stores.Close(); err != nil {
			t.Error(err)
		}
		if err := live.Close(); err != nil {
			t.Error(err)
		}
	})
	hooks, err := stores.OpenWebhooks(ctx, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := stores.Keys.CreateKey(ctx, access.KeyRequest{Partner: "Example", Plan: access.PlanPartner,
		Scopes: access.Scopes()})
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve.New(serve.Options{Snapshots: live, Authenticator: stores.Keys, RequestCounter: stores.RequestCounter,
		Cursors:  stores.Cursors,
		Webhooks: hooks,
		Now:      p.app.now, RandomSource: random, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return exampleServer{h, secret}
}

// answer makes the call of an operation, whose {id} and {delivery} are those of the answers before,
// and returns what is answered in JSON.
func (s exampleServer) answer(t *testing.T, o documented, ids map[string]string) json.RawMessage {
	t.Helper()
	target := strings.NewReplacer("{id}", ids["{id}"], "{delivery}", ids["{delivery}"]).Replace(o.call)
	r := httptest.NewRequest(o.method, target, strings.NewReader(o.body))
	r.Header.Set("Authorization", "Bearer "+s.secret)
	if o.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code != o.status {
		t.Fatalf("%s %s: status %d, want %d: %s", o.method, target, w.Code, o.status, w.Body)
	}
	var made struct{ Data json.RawMessage }
	var one struct{ ID string }
	name := map[string]string{"create-webhook-endpoint": "{id}", "test-webhook-endpoint": "{delivery}"}[o.id]
	if name != "" {
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(made.Data, &one); err != nil || one.ID == "" {
			t.Fatalf("%s: no id in %s: %v", o.id, w.Body, err)
		}
		ids[name] = one.ID
	}
	return bytes.TrimSpace(w.Body.Bytes())
}

var exampleCall = regexp.MustCompile("Example: `[A-Z]+ ([^`]+)`$")

// documentedOperations lists the operations of the OpenAPI document in an order in which each can
// be called after the one before: what makes an endpoint first, what deletes it last.
func documentedOperations(t *testing.T) (all []documented) {
	t.Helper()
	text, err := os.ReadFile("../../serve/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Description string
			RequestBody struct {
				Content map[string]struct{ Example json.RawMessage }
			}
			Responses map[string]struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			call := exampleCall.FindStringSubmatch(op.Description)
			if call == nil {
				t.Fatalf("%s %s shows no example call", method, path)
			}
			o := documented{id: op.OperationID, method: strings.ToUpper(method), call: call[1],
				body: string(op.RequestBody.Content["application/json"].Example)}
			for _, status := range []int{http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusNoContent} {
				if r, ok := op.Responses[strconv.Itoa(status)]; ok {
					o.status, o.shown = status, r.Content["application/json"].Example
				}
			}
			all = append(all, o)
		}
	}
	slices.SortFunc(all,
		func(a, b documented) int { return cmp.Or(cmp.Compare(a.turn(), b.turn()), strings.Compare(a.id, b.id)) })
	return all
}

// turn is when an operation is called.
func (o documented) turn() int {
	return map[string]int{"create-webhook-endpoint": 1, "change-webhook-endpoint": 2, "test-webhook-endpoint": 3,
		"list-webhook-deliveries": 4,
		"list-webhook-endpoints":  4, "get-webhook-endpoint": 4, "redeliver-webhook": 5, "rotate-webhook-secret": 6,
		"delete-webhook-endpoint": 7}[o.id]
}
