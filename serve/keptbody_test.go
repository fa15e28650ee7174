package serve

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/kept"
)

// A kept answer is byte for byte the one that is computed, at another moment too, and
// has its headers.
func TestKeptAnswersAreThoseComputed(t *testing.T) {
	answers, err := kept.New()
	if err != nil {
		t.Fatal(err)
	}
	keeping, computing := newService(t, func(o *Options) { o.Kept = answers }), newService(t, nil)
	paths := []string{"/v1/labour/regions", "/v1/labour/regions?limit=1", "/v1/labour/regions?format=csv", "/v1/labour/skills-gaps",
		"/v1/labour/course-demand?country=GB", "/v1/labour/sources", "/v1/labour/skills-unmet", "/v1/labour/regions?nonsense=1"}
	for hour := range 3 {
		at := time.Date(2026, 11, 20, 7+hour, 0, hour, 0, time.UTC)
		keeping.clock.set(at)
		computing.clock.set(at)
		for _, path := range paths {
			for _, match := range []string{"", "*", `W/"other"`} {
				got, want := keeping.get(t, path, "If-None-Match", match), computing.get(t, path, "If-None-Match", match)
				for _, r := range []result{got, want} {
					r.header.Del("X-Request-Id")
				}
				if got.status == 400 {
					continue // its body has the request id
				}
				if got.status != want.status || string(got.body) != string(want.body) {
					t.Errorf("%s: %d %s\nwant %d %s", path, got.status, got.body, want.status, want.body)
				}
				if d := cmp.Diff(want.header, got.header); d != "" {
					t.Errorf("%s: %s", path, d)
				}
			}
		}
	}
	regions := keeping.get(t, "/v1/labour/regions")
	if _, ok := answers.Body(regions.header.Get("Etag"), []byte(`""`)); !ok {
		t.Error("regions are not kept")
	}
	if _, ok := answers.Body(keeping.get(t, "/v1/labour/skills-unmet").header.Get("Etag"), nil); ok {
		t.Error("skills not met are kept, and must be computed on every call")
	}
}
