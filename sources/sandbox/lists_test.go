package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"labour/sources/soc2020"
)

// TestListsNameWhatTheRegistersHave compares with the registers of the pipeline,
// as data: the sandbox does not import it.
func TestListsNameWhatTheRegistersHave(t *testing.T) {
	first := func(file string) map[string]bool {
		b, err := os.ReadFile(filepath.Join("..", "..", "pipeline", "coding", file))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]bool{}
		for line := range strings.Lines(string(b)) {
			word, _, _ := strings.Cut(line, "\t")
			out[word] = true
		}
		return out
	}
	l := load()
	skills, routes := first("skill/register.tsv"), first("sector/routes.tsv")
	for _, s := range l.skills {
		if !skills[s.slug] {
			t.Errorf("%s is no skill of the register", s.slug)
		}
	}
	for _, j := range l.jobs {
		if !soc2020.IsGroup(j.soc) || !routes[j.sector] || len(texts.Styles[j.sector]) == 0 || texts.Routes[j.sector] == "" {
			t.Errorf("%s: %s or %s is in no register", j.titles[0], j.soc, j.sector)
		}
	}
	for _, line := range rows("lists/jobs.tsv") {
		for _, word := range strings.Fields(line[6]) {
			slug, _, _ := strings.Cut(strings.TrimSuffix(word, "?"), ":")
			if _, known := l.bySlug[slug]; !known {
				t.Errorf("%s asks for %q, which is no skill of the list", line[0], slug)
			}
		}
	}
	for name, columns := range map[string][]int{"jobs": {3}, "skills": {2, 3}, "councils": {4, 5, 6}} {
		for _, line := range rows("lists/" + name + ".tsv") {
			for _, i := range columns {
				if _, err := strconv.ParseFloat(line[i], 64); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if len(texts.Wording) != 3 || len(texts.Wording["n"]) != 6 || len(texts.Wording["x"]) != 6 ||
		len(texts.Subjects) != 15 || len(texts.NameHeads)*len(texts.NameTails) < 800 {
		t.Errorf("texts.json is not whole: %+v", texts)
	}
	if len(l.skills) < 200 || len(l.jobs) < 150 || len(l.boroughs) != 33 {
		t.Errorf("%d skills, %d jobs, %d boroughs", len(l.skills), len(l.jobs), len(l.boroughs))
	}
}
