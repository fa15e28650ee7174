package serve

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/serve/partners/access"
)

// callRounds is how many times a hundred calls are drawn: LABOUR_CALL_ROUNDS, or a
// few. `LABOUR_CALL_ROUNDS=1000 go test ./serve -run DrawnCalls` draws for longer.
func callRounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("LABOUR_CALL_ROUNDS")
	if text == "" {
		return 6
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Whatever is drawn from the document, the answer is as documented and none is 5xx.
func TestDrawnCallsAreAnsweredAsDocumented(t *testing.T) {
	raw, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDrawer(raw)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.reset(t)
	snapshot := w.live.now()
	d.Known = map[string][]string{"id": {w.endpoint}, "delivery": {w.delivery}, "place": snapshot.Values(api.Places),
		"borough": snapshot.Values(api.Places),
		"sector":  snapshot.Values(api.Sectors), "skill": snapshot.Values(api.Skills),
		"region": snapshot.Values(api.RegionNames),
		"url":    {"https://example.com/a", "https://example.com/b"}, "country": {"GB"}, "period_start": {"2026-07-01"},
		"period_end": {"2026-09-30"}, "scheme": {"s"},
		"cursor": {cursorOf(t, w.service, "/v1/labour/skills-unmet"), cursorOf(t, w.service, "/v1/labour/evidence"),
			cursorOf(t, w.service, "/v1/jobs")}}
	seen := map[string]map[int]int{}
	unanswered := func() (ops []string) {
		for _, op := range operationsOf(t, documentOf(t)) {
			if op.method == http.MethodGet && seen[op.id][200] == 0 {
				ops = append(ops, op.id)
			}
		}
		return ops
	}
	// Most drawn calls hold a value that is refused: rounds are added until each operation
	// was answered well, and at most ten times as many.
	rounds := callRounds(t)
	for round := 0; round < rounds || round < 10*rounds && len(unanswered()) > 0; round++ {
		rapid.Check(t, func(rt *rapid.T) {
			c := d.calls().Draw(rt, "call")
			if c.Operation == "delete-webhook-endpoint" && strings.HasSuffix(c.Target, w.endpoint) {
				return // the others need it
			}
			res := w.send(t, c.Method, c.Target, c.Body, "Authorization", "Bearer "+w.secret, "Content-Type",
				c.ContentType)
			if res.status >= 500 || t.Failed() {
				rt.Fatalf("%+v: %d %s", c, res.status, res.body)
			}
			if seen[c.Operation] == nil {
				seen[c.Operation] = map[int]int{}
			}
			seen[c.Operation][res.status]++
		})
	}
	t.Logf("answers by operation and status: %v", seen)
	for _, op := range unanswered() {
		t.Errorf("no drawn call of %s was answered well: %v", op, seen[op])
	}
}

// cursorOf is the cursor after the first row of an endpoint.
func cursorOf(t *testing.T, s *service, path string) string {
	t.Helper()
	if !s.key.HasScope(access.ScopeJobsRead) {
		s.grant(t, access.Scopes()...)
	}
	return *envelopeOf(t, s.get(t, path+"?limit=1")).Meta.NextCursor
}

// "Any changed byte is invalid_cursor": every byte of a cursor of every paged
// endpoint, each with a few other values.
func TestChangedCursorsAreRefused(t *testing.T) {
	s := newService(t, func(o *Options) { o.RequestCounter = free{} })
	s.grant(t, access.Scopes()...)
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.~"
	for _, path := range []string{"/v1/jobs", "/v1/labour/skills-unmet", "/v1/labour/evidence"} {
		token := cursorOf(t, s, path)
		if res := s.get(t, path+"?cursor="+token); res.status != http.StatusOK {
			t.Fatalf("%s: %d %s", path, res.status, res.body)
		}
		refused := func(changed string) {
			t.Helper()
			r := newRequest(s, path+"?cursor="+changed)
			if w := record(s, r); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(),
				`"code":"invalid_cursor"`) {
				t.Fatalf("%s took %s for %s: %d %s", path, changed, token, w.Code, w.Body)
			}
		}
		for i := range len(token) {
			at := strings.IndexByte(letters, token[i])
			for _, step := range []int{1, 2, 7, 31, 64} {
				refused(token[:i] + letters[(at+step)%len(letters):][:1] + token[i+1:])
			}
			refused(token[:i] + token[i+1:])
		}
		refused(token + "A")
	}
}
