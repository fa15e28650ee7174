package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// quarterAdverts is how many adverts each month of the quarters below has: a number that nothing
// else on a page is.
const quarterAdverts = 4273

// changedContent has adverts in Camden of the third quarter of 2025 and of 2026. before and after are
// the numbers of adverts a month that ask for each skill.
func changedContent(t *testing.T, before, after map[string]int32) snaptest.Content {
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.Adverts, c.AdvertsTotal = nil, nil
	two, three := int32(2), int32(3)
	for year, asking := range map[int]map[string]int32{2025: before, 2026: after} {
		for month := time.July; month <= time.September; month++ {
			first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
			for place, kind := range map[string]string{"": snapshots.AreaKindAll, "camden": snapshots.AreaKindBorough} {
				c.AdvertsTotal = append(c.AdvertsTotal, snapshots.AdvertsTotalRow{AreaKind: kind, Place: place,
					Sector: "digital", SOC: "2134", Source: "platform",
					Month: first, Adverts: quarterAdverts, InCouncil: quarterAdverts, Employer1: 1, Employer2: &two,
					Employer3: &three})
				for skill, adverts := range asking {
					c.Adverts = append(c.Adverts, snapshots.AdvertsRow{Skill: skill, Level: 2, AreaKind: kind,
						Place: place, Sector: "digital", SOC: "2134",
						Source: "platform", Month: first, Adverts: adverts})
				}
			}
		}
	}
	return c
}

func siteWith(t *testing.T, c snaptest.Content) *site {
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	return siteOf(t, data)
}

// wordsOf is the text of a page with one blank between words.
func (s *site) wordsOf(t *testing.T, path string) string {
	return strings.Join(strings.Fields(text(s.page(t, path))), " ")
}

// The last whole quarter is compared with the same one a year before: what exceeds chance is
// listed, and all else is no clear change.
func TestMovers(t *testing.T) {
	s := siteWith(t, changedContent(t, map[string]int32{"python": 855, "sql": 1000, "project-management": 1282},
		map[string]int32{"python": 1282, "sql": 1010, "project-management": 855}))
	for _, path := range []string{"/changes", "/changes?place=camden", "/places/camden"} {
		words := s.wordsOf(t, path)
		for _, want := range []string{"Asked for more oftenPython +10 20% to 30%",
			"Asked for less oftenProject management −10 30% to 20%",
			"Share of the adverts of July to September 2026 (1,000 adverts or more) against July to September 2025 (1,000 " +
				"adverts or more)",
			"No clear change: 1 other skill."} {
			if !strings.Contains(words, want) {
				t.Errorf("%s has no %q: %s", path, want, words)
			}
		}
	}
	if words := s.wordsOf(t, "/changes"); !strings.Contains(words, "the API has months and no quarters") {
		t.Errorf("the page does not say how its figures are computed: %s", words)
	}
	if file := s.get(t, "/changes.csv?place=camden").Body.String(); !strings.Contains(file,
		"\npython,Python,2026-07,30.0,1000+,2025-07,20.0,1000+,") || strings.Contains(file, "\nsql,") {
		t.Errorf("the changes as CSV: %s", file)
	}
	same := siteWith(t, changedContent(t, map[string]int32{"python": 855, "sql": 1000},
		map[string]int32{"python": 870, "sql": 1010}))
	if words := same.wordsOf(t, "/changes"); !strings.Contains(words, "No clear change: no skill is asked for") ||
		strings.Contains(words, "Asked for") {
		t.Errorf("without a change the page says %s", words)
	}
	// The first edition has 14 months: the first whole year of quarters ends in December 2026.
	if words := newSite(t).wordsOf(t, "/changes"); !strings.Contains(words, "From January 2027 at the earliest") {
		t.Errorf("a first edition says %s", words)
	}
}

// The numbers of adverts by which chance is judged are on no page, in no answer and no header.
func TestExactBasesAreNotPrinted(t *testing.T) {
	s := siteWith(t, changedContent(t, map[string]int32{"python": 859, "sql": 1013},
		map[string]int32{"python": 1283, "sql": 1019}))
	hidden := regexp.MustCompile(`\b(4,?273|12,?819|25,?638|859|1,?013|1,?283|1,?019|2,?577|3,?039|3,?849|3,?057)\b`)
	for _, path := range []string{"/", "/skills", "/skills?place=camden", "/skills/python",
		"/skills/python?place=camden", "/skills/python?by=place", "/skills/python?by=sector",
		"/skills/python/chart.svg", "/embed/skills/python", "/places/camden", "/places/camden?with=islington",
		"/changes", "/changes?place=camden", "/changes.csv", "/changes.csv?place=camden",
		"/csv/whole/skills-unmet", "/csv/skills-unmet?skill=python&by=month&window=24", "/v1/labour/skills-unmet",
		"/v1/labour/skills-unmet?skill=python&by=month&window=24",
		"/v1/labour/skills-unmet?skill=python&by=place&format=csv", "/v1/labour/skills-unmet?format=parquet",
		"/snapshots/2026-11-20.1"} {
		w := s.get(t, path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, w.Code)
		}
		if found := hidden.FindString(w.Body.String()); found != "" {
			t.Errorf("%s prints %s", path, found)
		}
		for name, values := range w.Header() {
			if found := hidden.FindString(strings.Join(values, " ")); found != "" {
				t.Errorf("%s has %s in the header %s", path, found, name)
			}
		}
	}
}

// The table of a line by quarter has months, and the page says so; the choice is called neither.
func TestTableOfAQuarterLineSaysMonths(t *testing.T) {
	words := newSite(t).wordsOf(t, "/skills/sql")
	for _, want := range []string{"How it changed, by quarter", "This table is by month", "Over time"} {
		if !strings.Contains(words, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(words, "By month") {
		t.Error("a line by quarter is called By month")
	}
}
