package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// publish puts three adverts and one event of each kind into the platform's feed, runs
// the pipeline, and waits until the server has taken up the new snapshot. It returns
// the titles of the adverts.
func (s *server) publish(t *testing.T, asOf string) map[string]bool {
	t.Helper()
	s.own.published++
	titles := map[string]bool{}
	var adverts, events strings.Builder
	borough := s.borough(t)
	for i := range 3 {
		title := fmt.Sprintf("Care worker of round %d, number %d", s.own.published, i+1)
		titles[title] = true
		fmt.Fprintf(&adverts,
			`{"id": "%c-conformance-%d", "imported_from": "platform", "employer": "Conformance %d Ltd", "title": %q, `+
				`"kind": "job", "posted_on": %q, "boroughs": [%q]}`+"\n",
			"0mz"[i], s.own.published, i, title, asOf, borough)
	}
	for _, event := range eventTypes {
		outcome := ""
		if event == "outcome.recorded" {
			outcome = `, "outcome": "hired"`
		}
		fmt.Fprintf(&events,
			`{"id": "conf-ev-%d-%s", "type": %q, "occurred_at": "%sT00:00:00Z", "partner": %q, "borough": %q%s}`+"\n",
			s.own.published, event, event, asOf, partnerName, borough, outcome)
	}
	s.own.feed(t, "adverts", adverts.String())
	s.own.feed(t, "events", events.String())
	before := s.snapshot(t)
	world := filepath.Dir(s.data)
	if _, err := s.own.labour("run", "--config", filepath.Join(world, "labour.yaml"), "--data", s.data, "--only",
		"platform"); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if s.snapshot(t) != before {
			return titles
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the server does not take up the new snapshot")
	return nil
}

// feed writes one file of the platform's feed.
func (o *ownSet) feed(t *testing.T, kind, text string) {
	t.Helper()
	name := filepath.Join(o.dir, "world", "feed", fmt.Sprintf("%s-conformance-%d.ndjson", kind, o.published))
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// snapshot is the one that answers.
func (s *server) snapshot(t *testing.T) string {
	t.Helper()
	return s.labour(t, "sources").Meta.text("snapshot")
}
