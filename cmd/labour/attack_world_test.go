package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/disclosure/synthtest"
)

// attackedWorld is a world of raw feed records that is attacked through the
// interface: every skill is a data set of its own over the same public space.
type attackedWorld struct {
	synthtest.TestWorld
	skills    map[string]outcomes // by slug
	employed  map[string]int      // by borough, in its one development
	sought    map[string]int      // residents by the sector that they seek
	residents int                 // in each borough
	end       time.Time           // the end of the newest closed quarter
	months    int                 // with adverts, of the 24 up to the day of publishing
	settings  string              // more of labour.yaml
}

// outcomes are the people of one skill.
type outcomes struct{ TurnedDownFor, TurnedDownWith, HiredWith, HiredWithout []synthtest.Person }

// attackedSpace is a place tree with an area within an area, and an area that cuts
// it; three sectors, two occupations, two levels.
func attackedSpace() *attackedWorld {
	return &attackedWorld{
		TestWorld: synthtest.TestWorld{Places: []string{"camden", "hackney", "islington", "westminster"},
			Areas: map[string][]string{"north": {"camden", "islington"}, "outer": {"camden", "hackney", "islington"},
				"canal": {"hackney", "westminster"}},
			Sectors: []string{"care-services", "construction-and-the-built-environment", "digital"},
			SOCs:    []string{"2134", "2139", "6135"},
			Levels:  []string{"2", "3"}, Sources: []string{"platform"}},
		skills:    map[string]outcomes{},
		employed:  map[string]int{"camden": 3, "hackney": 7, "islington": 12, "westminster": 9},
		sought:    map[string]int{"digital": 3, "care-services": 50, "construction-and-the-built-environment": 40},
		residents: 400, end: time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC), months: 22}
}

// at is n people of the same place, sector and age; the last values of the other
// filters stand for them, unless the text names others: "camden digital 2134 2".
func (w *attackedWorld) at(n int, where string, age int) (out []synthtest.Person) {
	p := synthtest.Person{Sector: "digital", SOC: "2134", Level: "2", Source: "platform", AgeMonths: age}
	for _, word := range strings.Fields(where) {
		for _, f := range []struct {
			of   []string
			into *string
		}{{w.Places, &p.Place}, {w.Sectors, &p.Sector}, {w.SOCs, &p.SOC}, {w.Levels, &p.Level}} {
			if slices.Contains(f.of, word) {
				*f.into = word
			}
		}
	}
	for range n {
		out = append(out, p)
	}
	return out
}

// bandStarts are the ages, in months, at which the bands between the windows begin.
var bandStarts = []int{0, 3, 6, 12}

// random draws about n people, each at the beginning of a band.
func (w *attackedWorld) random(seed uint64, n float64) []synthtest.Person {
	people := w.NewPersonGenerator(seed).People(int(n))
	for i := range people {
		at, _ := slices.BinarySearch(bandStarts, people[i].AgeMonths+1)
		people[i].AgeMonths = bandStarts[at-1]
	}
	return people
}

// attackedFixtures are the cases by hand, the worlds that break naive masks, and
// random ones with shares.
func attackedFixtures() *attackedWorld {
	w := attackedSpace()
	put := func(skill string, groups ...[]synthtest.Person) {
		people := slices.Concat(groups...)
		w.skills[skill] = outcomes{TurnedDownFor: people}
	}
	// total minus siblings
	put("accounting", w.at(9, "camden", 0), w.at(3, "islington", 0))
	// an extreme sum
	put("agile", w.at(9, "camden", 0), w.at(4, "islington", 0), w.at(4, "westminster", 0))
	// below a "<5"
	put("angular", w.at(30, "camden", 0), w.at(2, "hackney care-services", 0), w.at(2, "hackney digital", 0))
	// null is at least 5
	put("arabic", w.at(5, "camden", 0), w.at(1, "westminster", 0))
	// difference of windows
	put("audit", w.at(8, "camden", 0), w.at(3, "camden", 3), w.at(20, "hackney", 6))
	// complement of a filter
	put("barista", w.at(37, "camden care-services", 0), w.at(3, "camden", 0), w.at(30, "hackney care-services", 0))
	// inclusion and exclusion
	put("bar-work", w.at(6, "camden digital", 0), w.at(19, "camden care-services", 0), w.at(32, "hackney digital", 0),
		w.at(3, "westminster care-services", 0))
	// months
	put("barbering", w.at(9, "camden", 0), w.at(7, "camden", 1), w.at(3, "camden", 2))
	// a whole tree
	put("bengali", w.at(12, "camden", 0), w.at(11, "hackney", 3), w.at(9, "westminster care-services", 6),
		w.at(40, "islington care-services 6135", 12))
	put("apis", w.at(3, "camden", 0))                                      // nothing is printed of it but "<5"
	w.skills["blockchain"] = outcomes{TurnedDownFor: w.at(8, "camden", 0), // shares
		TurnedDownWith: w.at(12, "camden", 0), HiredWith: w.at(6, "camden", 0), HiredWithout: w.at(1, "camden", 0)}
	// shares subtracted
	w.skills["bookkeeping"] = outcomes{TurnedDownFor: slices.Concat(w.at(15, "camden", 0), w.at(6, "hackney", 0)),
		TurnedDownWith: slices.Concat(w.at(15, "camden", 0), w.at(3, "hackney", 0))}
	var two, small []synthtest.Person
	for i, p := range w.Places[:2] {
		for _, s := range w.Sectors[:2] {
			for _, l := range w.Levels {
				two = append(two, w.at(2, p+" "+s+" "+l, 0)...)
			}
		}
		small = append(small, w.at(1+i, p, 0)...)
	}
	put("beauty-therapy", two)
	put("baking-pastry", small, w.at(3, "islington care-services", 0), w.at(4, "westminster", 3))
	put("backend-development", w.at(14, "camden digital", 0), w.at(12, "hackney care-services", 0),
		w.at(3, "hackney digital", 0),
		w.at(25, "westminster construction-and-the-built-environment", 0)) // a borough is a sector
	for i, skill := range []string{"administration", "adult-social-care", "animation-3d"} {
		n := []float64{40, 120, 400}[i]
		without := w.random(uint64(31+i), n)
		w.skills[skill] = outcomes{TurnedDownFor: without, TurnedDownWith: w.random(uint64(41+i), n),
			HiredWith: w.random(uint64(51+i), n), HiredWithout: w.random(uint64(61+i), n/2)}
	}
	return w
}

// feed writes the records, and labour.yaml next to them.
func (w *attackedWorld) feed(t *testing.T, dir string) {
	t.Helper()
	files := map[string]*strings.Builder{}
	put := func(kind string, record map[string]any) {
		if files[kind] == nil {
			files[kind] = &strings.Builder{}
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		files[kind].Write(append(line, '\n'))
	}
	for i, slug := range w.Places {
		code := map[string]string{"camden": "E09000007", "hackney": "E09000012", "islington": "E09000019",
			"westminster": "E09000033"}[slug]
		put("boroughs", map[string]any{"slug": slug, "name": slug, "code": code})
		put("s106", map[string]any{"id": fmt.Sprint("site-", i), "borough": slug, "obligations": 4, "jobs_created": 30,
			"apprenticeships_started": 6,
			"local_people_employed":   w.employed[slug], "training_places": 20, "contributions_gbp": 1000})
	}
	for i := range w.residents * len(w.Places) {
		put("residents", w.resident(i))
	}
	w.adverts(put)
	w.applications(put)
	for kind, text := range files {
		w.write(t, dir, "feed/"+kind+".ndjson", text.String())
	}
	var areas strings.Builder
	for slug, boroughs := range w.Areas {
		fmt.Fprintf(&areas, "  - {slug: %s, name: %s, boroughs: [%s]}\n", slug, slug, strings.Join(boroughs, ", "))
	}
	w.write(t, dir, "labour.yaml",
		fmt.Sprintf("platform: {name: Attacked Works, link: \"https://works.example\", feed: feed}\n"+
			"contact: data@works.example\nserved_areas:\n%s%s", areas.String(), w.settings))
}

func (w *attackedWorld) write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// resident is the same in every world of the same numbers: who seeks which sector
// comes from the first ones, their skills from the number.
func (w *attackedWorld) resident(i int) map[string]any {
	r := map[string]any{"id": fmt.Sprint("r-", i), "borough": w.Places[i%len(w.Places)], "seeking_work": i%3 != 0}
	n := i
	for _, sector := range w.Sectors {
		if n >= 0 && n < w.sought[sector] {
			r["sector_sought"] = sector
		}
		n -= w.sought[sector]
	}
	var held []map[string]any
	for k, skill := range w.slugs() {
		if i%(k+2) == 0 {
			held = append(held, map[string]any{"skill": skill, "level": 2 + i%3})
		}
	}
	if len(held) > 0 {
		r["skills"] = held
	}
	return r
}

func (w *attackedWorld) slugs() []string {
	var slugs []string
	for s := range w.skills {
		slugs = append(slugs, s)
	}
	slices.Sort(slugs)
	return slugs
}

// combination names what an advert asks for and where.
func combination(p synthtest.Person) string {
	return strings.Join([]string{p.Place, p.Sector, p.SOC, p.Level}, "_")
}

// eachAdvert gives the adverts: one each month for every combination, and more of
// some, so that the public order is not that of the names. The age is that of the
// month in which it was posted.
func (w *attackedWorld) eachAdvert(advert func(p synthtest.Person, again int)) {
	for i, place := range w.Places {
		for j, sector := range w.Sectors {
			for k, soc := range w.SOCs {
				for l, level := range w.Levels {
					for age := range w.months {
						for again := range 1 + (7*i+3*j+5*k+l)%3 {
							advert(synthtest.Person{Place: place, Sector: sector, SOC: soc, Level: level,
								Source: "platform", AgeMonths: age}, again)
						}
					}
				}
			}
		}
	}
}

func (w *attackedWorld) adverts(put func(string, map[string]any)) {
	n := 0
	w.eachAdvert(func(p synthtest.Person, again int) {
		n++
		asked := []map[string]any{}
		for _, s := range w.slugs() {
			asked = append(asked, map[string]any{"skill": s, "level": int(p.Level[0] - '0')})
		}
		put("adverts", map[string]any{"id": fmt.Sprintf("%s_%d_%d", combination(p), p.AgeMonths, again),
			"imported_from": "platform", "employer": fmt.Sprint("Employer ", n%11), "title": fmt.Sprint("Post ", n),
			"kind":      "job",
			"posted_on": firstOf(w.end, p.AgeMonths).AddDate(0, 0, again).Format(time.DateOnly),
			"boroughs":  []string{p.Place},
			"sector":    p.Sector, "soc": p.SOC, "skills": asked})
		if p.AgeMonths > 0 || again > 0 {
			return
		}
		for i := range employersEach {
			n++
			put("adverts", map[string]any{"id": fmt.Sprintf("%s_%d", combination(p), i), "imported_from": "platform",
				"employer": fmt.Sprint("Small employer ", n),
				"title":    "Post", "kind": "job", "posted_on": firstOf(w.end, 0).Format(time.DateOnly),
				"boroughs": []string{p.Place}, "sector": p.Sector, "soc": p.SOC})
		}
	})
}

// employersEach is how many employers of each combination people apply to, each in
// turn, so that none knows a large part of a small count.
const employersEach = 16

// firstOf is the first day of the month that is so many months before end's.
func firstOf(end time.Time, age int) time.Time {
	return time.Date(end.Year(), end.Month()-time.Month(age), 1, 0, 0, 0, 0, time.UTC)
}

// applications turn people into applications of one resident each.
func (w *attackedWorld) applications(put func(string, map[string]any)) {
	n := 0
	for _, skill := range w.slugs() {
		of := w.skills[skill]
		resident, applied := 0, map[string]int{}
		one := func(p synthtest.Person, outcome string, had, reason bool) {
			n, resident = n+1, resident+1 // a resident has one application for a skill
			level := int(p.Level[0] - '0')
			held := level - 1
			if had {
				held = level
			}
			at := firstOf(w.end, p.AgeMonths).AddDate(0, 0, 3).Format(time.RFC3339)
			asked := map[string]any{"skill": skill, "asked_level": level, "held_level": held}
			if reason {
				asked["turned_down_for"] = true
			}
			put("applications", map[string]any{"id": fmt.Sprint("p-", n), "resident": fmt.Sprint("r-", resident),
				"advert":     fmt.Sprintf("%s_%d", combination(p), applied[combination(p)]%employersEach),
				"applied_at": at, "outcome": outcome, "outcome_recorded_at": at, "skills": []map[string]any{asked}})
			applied[combination(p)]++
		}
		for _, p := range of.TurnedDownFor {
			one(p, "turned_down", false, true)
		}
		for _, p := range of.TurnedDownWith {
			one(p, "turned_down", true, false)
		}
		for _, p := range of.HiredWith {
			one(p, "hired", true, false)
		}
		for _, p := range of.HiredWithout {
			one(p, "hired", false, false)
		}
	}
}
