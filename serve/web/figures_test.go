package web_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// envelope is an answer of the interface, with each value as it is printed.
type envelope struct {
	Data    []map[string]json.RawMessage `json:"data"`
	Sources []struct {
		Statement string `json:"attribution_statement"`
	} `json:"sources"`
	Meta struct {
		AsOf string `json:"as_of"`
	} `json:"meta"`
}

// callsOf are the calls that a page says its figures come from: each leads to the programs that make it.
func callsOf(t *testing.T, p visited) []string {
	t.Helper()
	var calls []string
	for _, a := range elements(p.tree, "a") {
		u, err := url.Parse(attribute(a, "href"))
		if err == nil && u.Path == "/docs/programs" && u.Query().Has("call") {
			calls = append(calls, u.Query().Get("call"))
		}
	}
	return calls
}

// shownToken is the figure of an element as the interface prints it.
func shownToken(n *html.Node) string {
	if n.Data == "data" {
		return attribute(n, "value")
	}
	return attribute(n, "data-v")
}

// token is the printed value of a field, whose name may lead into an object.
func token(row map[string]json.RawMessage, field string) (string, bool) {
	name, rest, nested := strings.Cut(field, ".")
	raw, ok := row[name]
	if !ok {
		return "", false
	}
	if nested {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) != nil {
			return "", false
		}
		return token(inner, rest)
	}
	var s string
	if json.Unmarshal(raw, &s) == nil && raw[0] == '"' {
		return s, true
	}
	return exact(string(raw)), true
}

var decimal = regexp.MustCompile(`^-?[0-9]+\.[0-9]+$`)

// exact is a number without the zeros at its end: the interface writes 80 and a
// page 80.0.
func exact(number string) string {
	if whole, part, ok := strings.Cut(number, "."); ok && decimal.MatchString(number) {
		return strings.TrimSuffix(whole+"."+strings.TrimRight(part, "0"), ".")
	}
	return number
}

// is reports whether a row of the API is the one that a page's row is about: all
// parts of the key are values of it.
func is(row map[string]json.RawMessage, key string) bool {
	var values []string
	for name := range row {
		v, _ := token(row, name)
		values = append(values, v)
	}
	for _, part := range strings.Split(key, "|") {
		if part != "" && !slices.Contains(values, part) {
			return false
		}
	}
	return true
}

// plainFigure takes off what a page adds to a figure for the eye.
var plainFigure = strings.NewReplacer(",", "", "%", "", "+", "", "−", "-")

// TestEveryFigureIsTheInterfaces: on every page, each figure equals the answer of
// the call next to it for the same row, is printed unchanged, and has the
// statements of its sources and the date.
func TestEveryFigureIsTheInterfaces(t *testing.T) {
	s := newSite(t)
	kinds, compared := map[string]int{}, 0
	for _, p := range s.crawl(t, most) {
		var rows []map[string]json.RawMessage
		for _, call := range callsOf(t, p) {
			e := s.ask(t, p, call)
			rows = append(rows, e.Data...)
			for _, source := range e.Sources {
				if !strings.Contains(text(p.tree), source.Statement) {
					t.Errorf("%s does not show %q", p.path, source.Statement)
				}
			}
			if !strings.Contains(p.body, `datetime="`+e.Meta.AsOf+`"`) {
				t.Errorf("%s does not show as_of %s", p.path, e.Meta.AsOf)
			}
		}
		for _, e := range elements(p.tree, "") {
			if key := attribute(e, "data-row"); key != "" {
				compared += compareRow(t, p, e, key, rows, kinds)
			}
		}
	}
	if compared < 1000 || kinds["<5"] == 0 || kinds["null"] == 0 {
		t.Errorf("%d figures compared, %d of them <5 and %d not published: too few", compared, kinds["<5"],
			kinds["null"])
	}
	t.Logf("%d figures compared, %d of them <5 and %d not published", compared, kinds["<5"], kinds["null"])
}

func (s *site) ask(t *testing.T, p visited, call string) envelope {
	t.Helper()
	w := s.get(t, call)
	var e envelope
	if err := json.NewDecoder(bytes.NewReader(w.Body.Bytes())).Decode(&e); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: the call %s answers %d, %v", p.path, call, w.Code, err)
	}
	return e
}

// saysInWords reports whether a page shows a share of adverts or residents, or a margin, in whole per
// cents. Of a half the adverts decide which one, which the interface does not print.
func saysInWords(said, field string, n float64) bool {
	if field == "adverts_share_pct" && n == 0 && said == "none" {
		return true
	}
	_, fraction := math.Modf(n)
	return said == inWords(field, n) || field == "adverts_share_pct" && fraction == .5 && said == inWords(field, n-.1)
}

func inWords(field string, n float64) string {
	whole := strconv.Itoa(int(math.Floor(n + 0.5)))
	share := field == "adverts_share_pct" || field == "people_below_share_pct"
	switch {
	case share && n > 0 && n < 0.5:
		return "<1%"
	case share && n >= 99.5 && n < 100:
		return ">99%"
	case share:
		return whole + "%"
	case field == "adverts_share_margin_pct":
		return "±" + whole
	}
	return ""
}

// rowOf is the row that a figure of a page belongs to: the nearest one around it.
func rowOf(n *html.Node) *html.Node {
	for attribute(n, "data-row") == "" && n.Parent != nil {
		n = n.Parent
	}
	return n
}

// compareRow compares the figures of one row of a page and returns their number.
func compareRow(t *testing.T, p visited, e *html.Node, key string, rows []map[string]json.RawMessage,
	kinds map[string]int) int {
	t.Helper()
	figures := map[string]*html.Node{}
	for _, f := range elements(e, "") {
		if field := attribute(f, "data-f"); field != "" && rowOf(f) == e {
			figures[field] = f
		}
	}
	if len(figures) == 0 {
		return 0
	}
	for field, f := range figures {
		shown, said := shownToken(f), strings.TrimPrefix(strings.TrimSpace(text(f)), "–")
		if f.Data == "title" { // of a borough of a map: "Camden: 12.34"
			said = said[strings.LastIndex(said, ": ")+len(": "):]
		}
		kinds[shown]++
		if n, ok := new(big.Rat).SetString(shown); field == "score" && ok && said == n.FloatString(1) {
			continue // a page shows one of the four decimals
		}
		if n, err := strconv.ParseFloat(shown, 64); err == nil && saysInWords(said, field, n) {
			continue
		}
		if shown == "null" && said != "not published" || shown == "<5" && said != "<5" {
			t.Errorf("%s, %s: %s is %q and says %q", p.path, key, field, shown, said)
		}
		if regexp.MustCompile(`^-?[0-9.]+$`).MatchString(shown) && plainFigure.Replace(said) != shown {
			t.Errorf("%s, %s: %s is %s and says %q", p.path, key, field, shown, said)
		}
	}
	if !slices.ContainsFunc(rows, func(row map[string]json.RawMessage) bool {
		if !is(row, key) {
			return false
		}
		for field, f := range figures {
			if v, ok := token(row, field); !ok || v != exact(shownToken(f)) {
				return false
			}
		}
		return true
	}) {
		t.Errorf("%s: no row of the interface is %q with the figures shown: %s", p.path, key,
			nearestRow(rows, key, figures))
	}
	return len(figures)
}

// TestDownloadsAreTheInterfaces: each download as CSV has the rows of the call
// next to it.
func TestDownloadsAreTheInterfaces(t *testing.T) {
	s := newSite(t)
	downloads := map[string]bool{}
	for _, p := range s.crawl(t, 40) {
		for _, a := range elements(p.tree, "a") {
			if link := attribute(a, "href"); strings.HasPrefix(link, "/csv/") &&
				!strings.HasPrefix(link, "/csv/whole/") && !downloads[link] {
				downloads[link] = true
				call := "/v1/labour/" + strings.TrimPrefix(link, "/csv/")
				separator := "?"
				if strings.Contains(call, "?") {
					separator = "&"
				}
				got, want := s.get(t, link), s.get(t, call+separator+"format=csv")
				if got.Code != http.StatusOK || got.Body.String() != want.Body.String() {
					t.Errorf("%s is not %s: status %d", link, call, got.Code)
				}
			}
		}
	}
	if len(downloads) < 10 {
		t.Errorf("only %d downloads were found", len(downloads))
	}
	// Without a key, only endpoints of the labour data are served.
	for _, path := range []string{"/csv/jobs", "/csv/..%2Fjobs", "/csv/demand", "/csv/"} {
		if w := s.get(t, path); w.Code == http.StatusOK {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
}

// TestWholeListIsEveryPage: the whole list as CSV has the rows of all pages, once, and
// with every place those of each place behind its name and code.
func TestWholeListIsEveryPage(t *testing.T) {
	s := newSite(t)
	lines := func(path string) [][]string {
		w := s.get(t, path)
		rows, err := csv.NewReader(w.Body).ReadAll()
		if err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: status %d, %v", path, w.Code, err)
		}
		return rows
	}
	if diff := cmp.Diff(lines("/v1/labour/skills-unmet?format=csv&limit=200&place=camden&window=24"),
		lines("/csv/whole/skills-unmet?place=camden&window=24")); diff != "" {
		t.Error(diff)
	}
	every := lines("/csv/whole/skills-unmet?each=place")
	if h := s.get(t, "/csv/whole/skills-unmet?each=place").Header().Get("X-People"); !strings.Contains(h, `"protection"`) {
		t.Errorf("X-People of all places is %q", h)
	}
	if !slices.Equal(every[0][:3], []string{"place", "place_code", "rank"}) {
		t.Errorf("the columns begin with %v", every[0][:3])
	}
	n := 0
	for _, place := range []string{"camden", "central-london", "islington", "westminster"} {
		want := lines("/v1/labour/skills-unmet?format=csv&limit=200&place=" + place)[1:]
		var got [][]string
		for _, line := range every[1:] {
			if line[0] == place {
				got = append(got, line[2:])
			}
		}
		if n += len(got); cmp.Diff(want, got) != "" {
			t.Errorf("%s: %s", place, cmp.Diff(want, got))
		}
	}
	if n == 0 || n != len(every)-1 {
		t.Errorf("%d rows of %d are of the places", n, len(every)-1)
	}
	for _, query := range []string{"place=nowhere", "each=borough", "each=", "each=place&each=place",
		"each=place&place=camden", "each=place&window=7", "cursor=garbled", "each=place&cursor="} {
		r := httptest.NewRequest(http.MethodGet, "/csv/whole/skills-unmet?"+query, nil)
		r.Header.Set("If-None-Match", "*")
		if w := s.do(r); w.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d", query, w.Code)
		}
	}
}

// TestListOfEveryPlaceHasNoTag: the tag of one place does not say that the list of all places
// is unchanged, nor does it break the list off.
func TestListOfEveryPlaceHasNoTag(t *testing.T) {
	s := newSite(t)
	tag := s.get(t, "/csv/whole/skills-unmet?place=westminster").Header().Get("ETag")
	want := s.get(t, "/csv/whole/skills-unmet?each=place").Body.String()
	for _, match := range []string{"*", tag} {
		r := httptest.NewRequest(http.MethodGet, "/csv/whole/skills-unmet?each=place", nil)
		r.Header.Set("If-None-Match", match)
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("If-None-Match: %s: status %d, %d bytes of %d", match, w.Code, w.Body.Len(), len(want))
		}
	}
}

// nearestRow returns the figures that differ in the rows of that key.
func nearestRow(rows []map[string]json.RawMessage, key string, figures map[string]*html.Node) string {
	out := ""
	for _, row := range rows {
		if !is(row, key) {
			continue
		}
		for field, f := range figures {
			if v, _ := token(row, field); v != exact(shownToken(f)) {
				out += field + " " + shownToken(f) + ", not " + v + "; "
			}
		}
	}
	return out
}
