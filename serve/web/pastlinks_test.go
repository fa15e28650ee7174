package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const pastID = "2026-11-19.1"

// leadsElsewhere reports whether an address is about no publication, or names one in its path.
func leadsElsewhere(address string) bool {
	for _, other := range []string{"/static/", "/docs", "/v1/", "/partner", "/status", "/snapshots"} {
		if strings.HasPrefix(address, other) {
			return true
		}
	}
	return !strings.HasPrefix(address, "/")
}

// linksOf returns the addresses of this site to which a page leads, except the one that is meant to lead to
// the current figures. A map leads to the page of each of its boroughs.
func linksOf(page *html.Node) (links []string) {
	for _, e := range elements(page, "") {
		to := attribute(e, "href") + strings.ReplaceAll(attribute(e, "data-link"), "{place}", "camden")
		to, _, _ = strings.Cut(to, "#")
		if to != "" && !leadsElsewhere(to) && text(e) != "See the current figures" {
			links = append(links, to)
		}
	}
	return links
}

// Whoever looks at an earlier publication stays in it: each link and each form of its pages leads to figures of
// the same publication.
func TestPagesOfAnEarlierPublicationLeadToIt(t *testing.T) {
	s := newSite(t)
	start := "/?snapshot=" + pastID
	queue, seen := []string{start, "/skills/sql?by=place&snapshot=" + pastID}, map[string]bool{start: true}
	for at := 0; at < min(len(queue), most); at++ {
		page := s.page(t, queue[at])
		if !strings.Contains(text(page), "an earlier publication (snapshot "+pastID+")") {
			t.Errorf("%s does not say that it is of %s", queue[at], pastID)
		}
		checkForms(t, queue[at], page)
		for _, to := range linksOf(page) {
			u, err := url.Parse(to)
			stays := err == nil && u.Query().Get("snapshot") == pastID
			if !stays {
				t.Errorf("%s leads out of the publication, to %s", queue[at], to)
			}
			if seen[to] || !stays {
				continue
			}
			seen[to] = true
			if isPage(to) && !strings.HasSuffix(u.Path, ".csv") {
				queue = append(queue, to)
			} else if strings.HasPrefix(to, "/csv/") && len(seen)%10 == 0 {
				checkDownload(t, s, to)
			}
		}
	}
	if len(queue) < 40 {
		t.Errorf("only %d pages were found", len(queue))
	}
}

func checkForms(t *testing.T, path string, page *html.Node) {
	t.Helper()
	for _, form := range elements(page, "form") {
		var sent []string
		for _, field := range elements(form, "input") {
			if attribute(field, "name") == "snapshot" {
				sent = append(sent, attribute(field, "value"))
			}
		}
		if len(sent) != 1 || sent[0] != pastID {
			t.Errorf("%s: the form to %s sends the snapshots %q", path, attribute(form, "action"), sent)
		}
	}
}

func checkDownload(t *testing.T, s *site, path string) {
	t.Helper()
	w := s.get(t, path)
	if got := w.Header().Get("X-Snapshot"); w.Code != http.StatusOK || got != pastID {
		t.Errorf("%s: status %d, snapshot %q", path, w.Code, got)
	}
}

// The pages of today's figures name no publication in their links, and the way from an earlier one to them is
// open, also from a later page of a list.
func TestTheWayToTheCurrentFigures(t *testing.T) {
	s := newSite(t)
	for _, form := range elements(s.page(t, "/skills"), "input") {
		if attribute(form, "name") == "snapshot" {
			t.Error("a form of today's figures sends a snapshot")
		}
	}
	for _, to := range linksOf(s.page(t, "/skills")) {
		if strings.Contains(to, "snapshot=") {
			t.Errorf("a page of today's figures leads to %s", to)
		}
	}
	var list struct {
		Meta struct {
			NextCursor string `json:"next_cursor"`
		} `json:"meta"`
	}
	body := s.get(t, "/v1/labour/skills-unmet?limit=2&snapshot="+pastID).Body.Bytes()
	if err := json.Unmarshal(body, &list); err != nil || list.Meta.NextCursor == "" {
		t.Fatalf("%v, cursor %q", err, list.Meta.NextCursor)
	}
	cursor := "cursor=" + url.QueryEscape(list.Meta.NextCursor)
	for _, query := range []string{"snapshot=" + pastID, cursor, cursor + "&snapshot=" + pastID} {
		page, found := s.page(t, "/skills?window=3&"+query), ""
		for _, a := range elements(page, "a") {
			if text(a) == "See the current figures" {
				found = attribute(a, "href")
			}
		}
		if found != "/skills?window=3" {
			t.Errorf("on /skills?window=3&%s the current figures are at %q", query, found)
		}
		for _, to := range linksOf(page) {
			if !strings.Contains(to, "snapshot="+pastID) {
				t.Errorf("/skills?window=3&%s leads out of the publication, to %s", query, to)
			}
		}
	}
}
