package fetching_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/fetching"
)

func TestRedirects(t *testing.T) {
	r := newRun(t)
	var seen http.Header
	other := serve(t, func(w http.ResponseWriter, q *http.Request) { seen = q.Header; io.WriteString(w, "moved") })
	base := serve(t, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/loop" {
			http.Redirect(w, q, "/loop", http.StatusFound)
			return
		}
		http.Redirect(w, q, other, http.StatusFound)
	})
	f := r.fetcher()
	o, err := f.Get(context.Background(), sources.Request{Name: "n", URL: base + "/?key=hidden",
		Header: map[string]string{"Ocp-Apim-Subscription-Key": "hidden", "Authorization": "Bearer hidden",
			"Accept": "text/plain"}})
	if err != nil || r.body(o) != "moved" {
		t.Fatal(err)
	}
	for name, values := range seen {
		if strings.Contains(strings.Join(values, " "), "hidden") {
			t.Errorf("%s went to another host", name)
		}
	}
	if !strings.Contains(seen.Get("User-Agent"), "@") || seen.Get("Accept") != "text/plain" {
		t.Errorf("the other host got %v", seen)
	}
	if _, err := f.Get(context.Background(), sources.Request{Name: "loop", URL: base + "/loop"}); !errors.Is(err,
		fetching.ErrRedirectRefused) || !strings.Contains(err.Error(), "5") {
		t.Errorf("loop: %v", err)
	}
}

func TestHTTPSIsNotLeft(t *testing.T) {
	r := newRun(t)
	plain := serve(t, func(w http.ResponseWriter, q *http.Request) { t.Error("the plain server was asked") })
	s := httptest.NewTLSServer(http.RedirectHandler(plain, http.StatusFound))
	defer s.Close()
	f := r.fetcher(func(o *fetching.Options) { o.Transport = s.Client().Transport })
	if _, err := f.Get(context.Background(), sources.Request{Name: "n", URL: s.URL}); !errors.Is(err,
		fetching.ErrRedirectRefused) {
		t.Errorf("got %v", err)
	}
}

// Every text that leaves the program is searched for every form of every secret.
func TestSecretsStayInside(t *testing.T) {
	r := newRun(t)
	ok := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "[]") })
	bad := serve(t, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/hop" {
			http.Redirect(w, q, "/hop?"+q.URL.RawQuery, http.StatusFound)
			return
		}
		w.WriteHeader(500)
	})
	f := r.fetcher()
	secret, _ := f.Secret("KEY")
	query := "?registrationkey=unnamed-hidden&q=s3cret%2F%2Bvalue"
	requests := []sources.Request{
		{Name: "ok", URL: strings.Replace(ok, "http://", "http://jo:user-hidden@", 1) + "/" + query},
		{Name: "500", URL: bad + "/" + query}, {Name: "loop", URL: bad + "/hop" + query},
		{Name: "refused", URL: "http://127.0.0.1:1/" + query}, {Name: "odd", URL: "gopher://x/" + query},
		{Name: "bad", URL: "http://%zz/" + query},
		{Name: "accept", URL: ok,
			Accept: func(string, []byte) error { return errors.New("body with " + secret + " and header-hidden") }},
		{Name: "disk", URL: "/nowhere/" + secret},
	}
	texts := map[string]string{}
	for _, q := range requests {
		q.Header = map[string]string{"X-Key": "header-hidden", "Authorization": "Bearer " + secret}
		o, err := f.Get(context.Background(), q)
		for e := err; e != nil; e = errors.Unwrap(e) {
			texts["error of "+q.Name] += fmt.Sprintf("%v %+v\n", e, e)
		}
		texts["object "+q.Name] = fmt.Sprintf("%+v", o)
	}
	f.MarkFailed("part", fmt.Errorf("connector's own error with %s", secret))
	x, faults, err := f.WriteExtract()
	texts["extract"], texts["faults"], texts["log"] = fmt.Sprintf("%+v", x), fmt.Sprintf("%+v %v", faults, err),
		r.log.String()
	filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, _ error) error {
		if !d.IsDir() {
			b, _ := os.ReadFile(path)
			texts[path] = string(b)
		}
		return nil
	})
	if len(faults) != len(requests) || !strings.Contains(texts["log"], "not fetched") {
		t.Fatalf("the test proves nothing: %d faults, log %s", len(faults), texts["log"])
	}
	for where, text := range texts {
		for _, hidden := range []string{secret, "s3cret%2F%2Bvalue", "s3cret", "unnamed-hidden", "header-hidden",
			"user-hidden"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s shows in %s: %s", hidden, where, text)
			}
		}
	}
}
