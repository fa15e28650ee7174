package serve

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"labour/serve/api"
)

// An address has the calls of half a minute at once, and one at the smallest rates.
func TestBurstOfAnAddress(t *testing.T) {
	for _, c := range []struct {
		rate float64
		want int
	}{{0.001, 1}, {1.0 / 30, 1}, {0.1, 3}, {1, 30}, {2, 60}} {
		s := newService(t, func(o *Options) { o.RequestsPerAddress = c.rate })
		taken := 0
		for {
			w := httptest.NewRecorder()
			s.handler.ServeHTTP(w, from("198.51.100.1:1", http.MethodGet, "/v1/labour/sources", nil))
			if w.Code == http.StatusTooManyRequests || taken > 2*c.want {
				break
			}
			taken++
		}
		if taken != c.want {
			t.Errorf("%g calls a second: %d at once, want %d", c.rate, taken, c.want)
		}
	}
}

// Suggestions that match all words come first, then those that match some. The others are ordered by
// the number of changed letters, and then by the alphabet.
func TestNearestFirst(t *testing.T) {
	for _, c := range []struct {
		wrong string
		known []api.Named
		n     int
		want  []string
	}{
		{"bathe", named("bathes", "lathe", "bath", "tab"), 3, []string{"bathes", "bath", "lathe"}},
		{"camdem", named("camden", "camdon", "cam"), 3, []string{"camden", "camdon"}},
		{"green house", named("house", "greenhouse", "green-house"), 3, []string{"green-house", "greenhouse", "house"}},
		{"green house", named("house", "greenhouse", "green-house"), 1, []string{"green-house"}},
		{"tile", []api.Named{{Value: "wall-covering", Name: "Tiles for walls"}, {Value: "file"}}, 2,
			[]string{"wall-covering", "file"}},
		{"xyzzy", named("camden"), 3, []string{}},
	} {
		if got := MostSimilarValues(c.wrong, c.known, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%s of %v: %v, want %v", c.wrong, c.known, got, c.want)
		}
	}
}

func named(values ...string) (all []api.Named) {
	for _, v := range values {
		all = append(all, api.Named{Value: v})
	}
	return all
}

// Paths that are not clean are not found with pages either, whatever the method, and never reach
// the pages.
func TestPathsAreExactWithPages(t *testing.T) {
	reached := ""
	s := newService(t, withPages(func(PageBackend) http.HandlerFunc {
		return func(_ http.ResponseWriter, r *http.Request) { reached = r.URL.Path }
	}))
	for _, path := range []string{"/v1", "/v1/", "/v1//labour/sources", "/v1/labour/../labour/sources",
		"/v1/labour/trace/%2e%2e"} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
			r := from("198.51.100.9:1", method, path, nil)
			r.Header.Set("Authorization", "Bearer "+s.secret)
			w := httptest.NewRecorder()
			s.handler.ServeHTTP(w, r)
			if w.Code != http.StatusNotFound || reached != "" {
				t.Errorf("%s %s: %d, a page for %q", method, path, w.Code, reached)
			}
		}
	}
	s.handler.ServeHTTP(httptest.NewRecorder(), from("198.51.100.9:1", http.MethodGet, "/skills", nil))
	if reached != "/skills" {
		t.Errorf("the pages were asked for %q", reached)
	}
}
