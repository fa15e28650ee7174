package platform

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"labour/sources/fetching"
	"labour/sources/sourcetest"
)

// TestCredentialsOfTheFeed asks a server that wants credentials: they come from the environment, go with
// every request, and are in no error. A password in the address, which a configuration refuses, is in none
// either.
func TestCredentialsOfTheFeed(t *testing.T) {
	const wanted = "Bearer tok-123456"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != wanted {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		if strings.HasSuffix(r.URL.Path, IndexObjectName) {
			w.Write([]byte(`{"files":["boroughs.ndjson"]}`))
		}
	}))
	defer server.Close()
	fetch := func(c Config, secret string) error {
		x, _, err := fetching.FetchSource(context.Background(), New(c), fetching.Options{
			Archive: sourcetest.OpenArchive(t), UserAgent: "test (data@works.example)", Now: time.Now,
			FindSecret: func(name string) (string, bool) { return secret, name == "FEED_KEY" && secret != "" }})
		if _, isThere := x.Object("boroughs.ndjson"); err == nil && !isThere {
			t.Errorf("only the index was fetched: %+v", x)
		}
		return err
	}
	c := Config{FeedAddress: server.URL, FeedKeyEnv: "FEED_KEY"}
	if err := fetch(c, wanted); err != nil {
		t.Fatal(err)
	}
	if err := fetch(c, ""); err == nil || !strings.Contains(err.Error(), "the secret FEED_KEY is not set") {
		t.Errorf("without the secret: %v", err)
	}
	if err := fetch(c, "Bearer wrong-456"); err == nil || strings.Contains(err.Error(), "wrong") {
		t.Errorf("with a wrong secret: %v", err)
	}
	c = Config{FeedAddress: strings.Replace(server.URL, "http://", "http://jo:pw9@", 1)}
	if err := fetch(c, ""); err == nil || strings.Contains(err.Error(), "pw9") {
		t.Errorf("with a password in the address: %v", err)
	}
}

// TestPlainFeeds are directories, and addresses with nothing but a server and a path.
func TestPlainFeeds(t *testing.T) {
	for address, want := range map[string]bool{
		"":                               true,
		"./feed?x":                       true,
		"/srv/feed":                      true,
		"file:///srv/feed":               true,
		"https://feed.example/a":         true,
		"https://jo:pw@feed.example/a":   false,
		"https://jo@feed.example/a":      false,
		"https://feed.example/a?token=1": false,
		"https://feed.example/a#b":       false,
		"http://jo:p#w@feed.example/a":   false,
		"http://jo:p%zz@feed.example/a":  false,
		"http:jo:pw@feed.example/a":      false,
		"//jo:pw@feed.example/a":         false,
		"ftp://feed.example/a":           false,
	} {
		if got := (Config{FeedAddress: address}).HasPlainFeed(); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
}
