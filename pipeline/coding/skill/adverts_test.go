package skill

import (
	"compress/gzip"
	"encoding/csv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/sources/plaintext"
)

// sectorGroups are the sectors of the recorded adverts, by words of their category.
var sectorGroups = [...][2]string{
	{"nhs", "health, NHS"}, {"schools", "schools"}, {"Nursing", "care and nursing"}, {"Hospitality", "hospitality"},
	{"Travel", "hospitality"},
	{"Engineering", "engineering and trades"}, {"Manufacturing", "engineering and trades"},
	{"Trade", "engineering and trades"},
	{"IT Jobs", "technology"}, {"Consultancy", "technology"}, {"Sales", "sales and service"},
	{"Retail", "sales and service"},
	{"Customer", "sales and service"}, {"Other", "sales and service"}, {"", "office, finance and people"},
}

// floors of precision and recall by group stand a little below what was measured; "" is any other.
var floors = map[string][2]float64{"": {0.79, 0.78}, "seen": {0.90, 0.85}, "held": {0.78, 0.78}}

// recordedAdvert is an advert of the recorded data.
type recordedAdvert struct {
	title, group string
	text         []rune
}

// read is as much of the text as was read to label an advert of a part.
func (a recordedAdvert) read(part string) string {
	characters := 1000
	if part == "seen" || part == "held" {
		characters = 2500
	}
	return string(a.text[:min(len(a.text), characters)])
}

// TestAdvertsBySector measures precision and recall on adverts of every sector that
// were labelled by hand. A skill that was found and is not on the list counts as wrong.
func TestAdvertsBySector(t *testing.T) {
	r, groups, parts := load(t), map[string]*tally{}, map[string]*tally{"tuned": {}, "last": {}, "blind": {},
		"seen": {}, "held": {}}
	adverts := recordedAdverts(t)
	for _, f := range rowsOf(t, "adverts.tsv") {
		a, ok := adverts[f[0]+"/"+f[1]]
		if !ok {
			t.Fatalf("advert %s of %s is not in the recorded data", f[1], f[0])
		}
		group := a.group
		switch f[2] {
		case "blind":
			group = "labelled without sight of what is found"
		case "seen", "held":
			group = f[2]
		}
		want := wanted(t, r, f[1], strings.Fields(strings.Join(f[3:], " ")))
		found := r.AppendRequiredSkills(nil, &MatchBuffers{}, a.title, a.read(f[2]))
		parts[f[2]].count(found, want, f[1])
		if groups[group] == nil {
			groups[group] = &tally{}
		}
		groups[group].count(found, want, f[1])
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		t.Logf("%-27s %v", group, groups[group])
		floor, ok := floors[group]
		if !ok {
			floor = floors[""]
		}
		if g := groups[group]; g.precision() < floor[0] || g.recall() < floor[1] {
			t.Errorf("%s is under its floor", group)
		}
	}
	t.Logf("%-27s %v", "last", parts["last"])
	t.Logf("%-27s %v", "tuned", parts["tuned"])
	if path := os.Getenv("SKILL_LABELS_OUT"); path != "" {
		notes := slices.Concat(parts["tuned"].notes, parts["last"].notes, parts["blind"].notes, parts["seen"].notes)
		if err := os.WriteFile(path, []byte(strings.Join(notes, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// wanted is the skills that an advert asks for by its labels.
func wanted(t *testing.T, r *Register, advert string, slugs []string) map[string]bool {
	t.Helper()
	want := map[string]bool{}
	for _, slug := range slugs {
		if _, ok := r.FindSkill(slug); !ok {
			t.Fatalf("label of %s names skill %q, which is not in the register", advert, slug)
		}
		want[slug] = true
	}
	return want
}

// recordedAdverts reads the adverts by file and id.
func recordedAdverts(t *testing.T) map[string]recordedAdvert {
	t.Helper()
	adverts := map[string]recordedAdvert{}
	for _, set := range []struct {
		file                  string
		title, text, category int
	}{{"adverts-nhs", 1, 2, -1}, {"adverts-schools", 1, 8, -1}, {"adverts-mixed-2013", 1, 2, 6}} {
		file, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", "H", set.file+".csv.gz"))
		if err != nil {
			t.Skip("the recorded adverts ../shared/data/H are not here:", err)
		}
		defer file.Close()
		packed, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(packed).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			category := set.file
			if set.category >= 0 {
				category = row[set.category]
			}
			adverts[set.file+"/"+row[0]] = recordedAdvert{row[set.title], groupOf(category),
				[]rune(plaintext.FromHTML(row[set.text]))}
		}
	}
	return adverts
}

func groupOf(category string) string {
	i := slices.IndexFunc(sectorGroups[:], func(g [2]string) bool { return strings.Contains(category, g[0]) })
	return sectorGroups[i][1]
}
