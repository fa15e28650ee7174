package sector

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/coding/occupation"
)

func load(testing.TB) *Register { return Load() }

// The embedded tables have as many columns as they should, a slug made of each route's name,
// no name of two routes, and each prefix once with a route that there is.
func TestTablesAreWhole(t *testing.T) {
	prefix := regexp.MustCompile(`^[0-9]{1,4}$`)
	slugs, names, prefixes := map[string]bool{noRoute: true}, map[string]string{}, map[string]bool{}
	for i, row := range readTable(routesTSV) {
		words := strings.FieldsFunc(strings.ToLower(row[1]), func(c rune) bool { return c < 'a' || c > 'z' })
		if len(row) != 3 || row[0] != strings.Join(words, "-") {
			t.Fatalf("routes row %d: %q", i+1, row)
		}
		slugs[row[0]] = true
		for _, name := range append([]string{row[1]}, strings.Split(row[2], "|")...) {
			if other := names[fold(name)]; fold(name) == "" || other != "" && other != row[0] {
				t.Errorf("the name %q of %s is empty or also of %q", name, row[0], other)
			}
			names[fold(name)] = row[0]
		}
	}
	for i, row := range readTable(prefixesTSV) {
		if len(row) != 2 || !prefix.MatchString(row[0]) || prefixes[row[0]] || !slugs[row[1]] {
			t.Errorf("prefixes row %d: %q", i+1, row)
		}
		prefixes[row[0]] = true
	}
}

func TestSectors(t *testing.T) {
	reg := load(t)
	all := reg.Sectors()
	if len(all) != 15 {
		t.Errorf("%d sectors, want the 15 routes", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b Sector) int { return strings.Compare(a.Slug, b.Slug) }) {
		t.Error("the sectors are not sorted by slug")
	}
	for _, s := range all {
		if name, ok := reg.SectorName(s.Slug); !ok || name != s.Name {
			t.Errorf("SectorName(%q) = %q, %v", s.Slug, name, ok)
		}
		if slug, ok := reg.SlugOfRoute(s.Slug); !ok || slug != s.Slug {
			t.Errorf("ByRoute(%q) = %q, %v", s.Slug, slug, ok)
		}
	}
	if name, ok := reg.SectorName("none"); ok {
		t.Errorf("Name of an unknown slug = %q", name)
	}
	all[0].Slug = "changed"
	if reg.Sectors()[0].Slug == "changed" {
		t.Error("All gives away the register's own slice")
	}
}

func TestByRoute(t *testing.T) {
	reg := load(t)
	tests := []struct{ name, slug string }{
		{"Digital", "digital"},
		{"CONSTRUCTION", "construction-and-the-built-environment"},
		{"Construction & the Built Environment", "construction-and-the-built-environment"},
		{"Education and childcare", "education-and-early-years"},
		{"Education and early years", "education-and-early-years"},
		{" legal,finance  and accounting. ", "legal-finance-and-accounting"},
		{"Plumbing", ""},
		{"", ""},
		{" , ", ""},
	}
	for _, tt := range tests {
		if slug, ok := reg.SlugOfRoute(tt.name); slug != tt.slug || ok != (tt.slug != "") {
			t.Errorf("ByRoute(%q) = %q, %v, want %q", tt.name, slug, ok, tt.slug)
		}
	}
}

func TestBySOC(t *testing.T) {
	reg := load(t)
	tests := []struct{ soc, slug string }{
		{"2134", "digital"},
		{"2121", "construction-and-the-built-environment"},
		{"2122", "engineering-and-manufacturing"},
		{"3544", "digital"},
		{"6135", "care-services"},
		{"6131", "health-and-science"},
		{"5434", "catering-and-hospitality"},
		{"1112", ""},
		{"2463", ""},
		{"21", ""},
		{"213", "digital"}, // all its unit groups have this route
		{"231", "education-and-early-years"},
		{"31", ""},
		{"21345", ""},
		{"213x", ""},
		{"", ""},
		{"0000", ""},
	}
	for _, tt := range tests {
		if slug, ok := reg.SlugOfSOC(tt.soc); slug != tt.slug || ok != (tt.slug != "") {
			t.Errorf("BySOC(%q) = %q, %v, want %q", tt.soc, slug, ok, tt.slug)
		}
	}
}

// Every unit group must have a line, so that none is without a route by
// oversight, and every line must decide for some unit group.
func TestEveryUnitGroupIsDecided(t *testing.T) {
	reg := load(t)
	soc, err := occupation.Load()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	var without []string
	for _, g := range soc.Groups() {
		if g.Digits != 4 {
			continue
		}
		if _, found := reg.prefixOf(g.Code); !found {
			t.Errorf("unit group %s (%s) has no line", g.Code, g.Name)
		}
		if _, ok := reg.SlugOfSOC(g.Code); !ok {
			without = append(without, g.Code)
		}
		for n := 4; n > 0; n-- {
			if _, ok := reg.prefixes[g.Code[:n]]; ok {
				used[g.Code[:n]] = true
				break
			}
		}
	}
	for prefix := range reg.prefixes {
		if !used[prefix] {
			t.Errorf("the line of prefix %s decides for no unit group", prefix)
		}
	}
	if want := []string{"1112", "1256", "2463", "3431"}; !slices.Equal(without, want) {
		t.Errorf("unit groups without a route: %v, want %v", without, want)
	}
}

// The names of the routes in recorded standards must all be known.
func TestRecordedRoutesAreKnown(t *testing.T) {
	rows := recordedStandards(t)
	column := slices.Index(rows[0], "route")
	if column < 0 {
		t.Fatalf("no column route in %q", rows[0])
	}
	reg := load(t)
	for _, row := range rows[1:] {
		if _, ok := reg.SlugOfRoute(row[column]); !ok {
			t.Errorf("the route %q is not known", row[column])
		}
	}
}

// The longest prefix is found by trying all of them.
func TestLongestPrefixAgainstBruteForce(t *testing.T) {
	reg := load(t)
	rapid.Check(t, func(t *rapid.T) {
		soc := rapid.StringMatching(`[1-9][1-6][1-9][0-9]`).Draw(t, "soc")
		best, want := "", ""
		for prefix, slug := range reg.prefixes {
			if strings.HasPrefix(soc, prefix) && len(prefix) > len(best) {
				best, want = prefix, slug
			}
		}
		if want == noRoute {
			want = ""
		}
		if got, ok := reg.SlugOfSOC(soc); got != want || ok != (want != "") {
			t.Fatalf("BySOC(%s) = %q, want %q by %s", soc, got, want, best)
		}
	})
}

func FuzzByRoute(f *testing.F) {
	reg := load(f)
	f.Add("Construction & the built environment")
	f.Add("\xff-&")
	f.Fuzz(func(t *testing.T, name string) {
		slug, ok := reg.SlugOfRoute(name)
		if ok != (slug != "") {
			t.Fatalf("ByRoute(%q) = %q, %v", name, slug, ok)
		}
		if same, _ := reg.SlugOfRoute(" " + strings.ToUpper(name) + "!"); ok && strings.EqualFold(strings.ToUpper(name),
			name) && same != slug {
			t.Fatalf("%q and its capitals are %q and %q", name, slug, same)
		}
	})
}

func BenchmarkBySOC(b *testing.B) {
	reg := load(b)
	for b.Loop() {
		reg.SlugOfSOC("2134")
	}
}

// The slugs are those of the sectors, in order.
func TestSlugsAreThoseOfTheSectors(t *testing.T) {
	r := Load()
	slugs := r.Slugs()
	if !slices.IsSorted(slugs) || len(slugs) != len(r.Sectors()) || len(slugs) != 15 {
		t.Fatalf("the slugs are %q", slugs)
	}
	for i, s := range r.Sectors() {
		if slugs[i] != s.Slug {
			t.Errorf("slug %d is %s, want %s", i, slugs[i], s.Slug)
		}
	}
}

// A code of two digits has a sector if all of its unit groups have that one; longer and shorter
// codes have none.
func TestCodesOfEachLength(t *testing.T) {
	for soc, want := range map[string]string{"23": "education-and-early-years", "22": "", "2": "", "": "", "22371": "",
		"2237": "health-and-science", "223": "health-and-science"} {
		if got, ok := Load().SlugOfSOC(soc); got != want || ok != (want != "") {
			t.Errorf("%q is in %q, %t, want %q", soc, got, ok, want)
		}
	}
}

// A name is its letters and digits in lower case, from a to z and 0 to 9, with "and" for "&".
func TestNamesAreFolded(t *testing.T) {
	for name, want := range map[string]string{"A Z & a-z, 0 to 9": "azandaz0to9", "@[`{/:": "", "é": ""} {
		if got := fold(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
