package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/pipeline"
)

// asked is a path with its parameters.
type asked struct {
	path  string
	query url.Values
}

// tagOf returns the entity tag of an answer.
func (p *published) tagOf(a asked) string {
	p.t.Helper()
	response := p.request(a.path, a.query)
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		p.t.Fatal(err)
	}
	tag := response.Header.Get("ETag")
	if response.StatusCode != http.StatusOK || tag == "" {
		p.t.Fatalf("%s: status %d, tag %q", a.path, response.StatusCode, tag)
	}
	return tag
}

// holds returns the status and the body of an answer asked for with the tag of an earlier one.
func (p *published) holds(a asked, tag string) (status int, body string) {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodGet, p.server.URL+a.path+"?"+a.query.Encode(), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.secret)
	r.Header.Set("If-None-Match", tag)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestTagsStayOverALightRun: a copy in step asks for every list after each light run. One that
// brought one event leaves the tags of labour lists, so that the copy gets 304 without a body.
func TestTagsStayOverALightRun(t *testing.T) {
	p := publish(t)
	settings := *p.options.Config
	feed := filepath.Join(t.TempDir(), "feed")
	if err := os.CopyFS(feed, os.DirFS(settings.Platform.FeedAddress)); err != nil {
		t.Fatal(err)
	}
	settings.Platform.FeedAddress = feed
	p.options.Config = &settings

	lists := []asked{{"/v1/labour/skills-unmet", nil},
		{"/v1/labour/skills-unmet", url.Values{"place": {"camden"}, "window": {"24"}}},
		{"/v1/labour/skills-unmet", url.Values{"skill": {"customer-care"}, "by": {"place"}}}}
	for _, name := range []string{"skills-gaps", "course-demand", "evidence", "regions", "places", "sectors", "skills",
		"occupations"} {
		lists = append(lists, asked{"/v1/labour/" + name, nil})
	}
	lists = append(lists, asked{"/v1/candidates", nil})
	events := asked{"/v1/events", nil}
	before := make([]string, len(lists))
	for i, a := range lists {
		before[i] = p.tagOf(a)
	}
	eventsBefore, snapshotBefore := p.tagOf(events), p.object("/readyz", nil)["snapshot"]
	if status, _ := p.holds(events, eventsBefore); status != http.StatusNotModified {
		t.Errorf("events, before the run: status %d", status)
	}

	line := `{"id":"one-more","type":"click.recorded","occurred_at":"` + testDay.Format(time.RFC3339) + `"}` + "\n"
	if err := os.WriteFile(filepath.Join(feed, "events-more.ndjson"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	*p.clock = p.clock.Add(time.Hour)
	light := p.options
	light.IsLight = true
	if _, err := pipeline.Run(context.Background(), light); err != nil {
		t.Fatal(err)
	}
	p.reload()
	if p.object("/readyz", nil)["snapshot"] == snapshotBefore {
		t.Fatal("the light run made no snapshot")
	}
	for i, a := range lists {
		if tag := p.tagOf(a); tag != before[i] {
			t.Errorf("%s?%s: tag %s was %s", a.path, a.query.Encode(), tag, before[i])
		}
		if status, body := p.holds(a, before[i]); status != http.StatusNotModified || body != "" {
			t.Errorf("%s?%s, If-None-Match: status %d, %q", a.path, a.query.Encode(), status, body)
		}
	}
	status, body := p.holds(events, eventsBefore)
	if status != http.StatusOK || !strings.Contains(body, `"one-more"`) || p.tagOf(events) == eventsBefore {
		t.Errorf("the event that came is hidden by the tag of before: status %d, %s", status, body)
	}
}
