package web_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// mostBytes bounds a page without its pictures, in bytes.
const mostBytes = 40_000

// tallestPlace bounds the page of a place on a phone of 390 pixels, in pixels. Other kinds of page have
// no bound: they are lists, which are as long as what they list.
const tallestPlace = 4000

// uncounted is what does not count as the text of a page: its pictures, and what search engines read.
var uncounted = regexp.MustCompile(`(?s)<svg.*?</svg>|<script type="application/ld\+json">.*?</script>`)

// TestPagesAreLight: no page has more than 40 kB but pictures, and the page of a place is at most 4,000
// pixels high on a phone. The short form looks at the heaviest pages.
func TestPagesAreLight(t *testing.T) {
	data := os.Getenv(dataEnv)
	if data == "" {
		data = t.TempDir()
		snaptest.BuildSnapshot(t, data, "2026-11-20", crowded(t))
	}
	s := siteOf(t, data)
	b := newTab(t, s, true)
	headlesstest.SetAppearance(t, b.ctx, 390, "light")
	paths := append(heavyPages(), "/skills", "/skills?place=camden", "/find")
	if long() {
		paths = append(heavyPages(), pictured()...)
	}
	for _, path := range paths {
		size := len(uncounted.ReplaceAllString(s.get(t, path).Body.String(), ""))
		if size > mostBytes {
			t.Errorf("%s has %d bytes but pictures, more than %d", path, size, mostBytes)
		}
		b.do(t, chromedp.Navigate(b.base+path))
		tall := run(t, b, chromedp.Evaluate[int]("document.documentElement.scrollHeight"))
		if isPlace := strings.HasPrefix(path, "/places/"); isPlace && tall > tallestPlace {
			t.Errorf("%s is %d pixels high on a phone, more than %d", path, tall, tallestPlace)
		}
		t.Logf("%6d bytes, %5d pixels: %s", size, tall, path)
	}
}

// heavyPages are pages of places, those of the two with the longest names among them.
func heavyPages() []string {
	return []string{"/places/camden", "/places/camden?with=islington", "/places/central-london",
		"/places/hammersmith-and-fulham", "/places/hammersmith-and-fulham?with=kensington-and-chelsea",
		"/places/kensington-and-chelsea?with=hammersmith-and-fulham"}
}

// crowded is content that fills every section of a page: two boroughs of long names with the adverts and
// the residents of Camden, boroughs to choose from, ten sectors with a skill of their own each, and many
// more skills that no advert asks for.
func crowded(t *testing.T) snaptest.Content {
	t.Helper()
	c := snaptest.DefaultContent(t, "2026-11-20")
	for i := range 10 {
		sector, skill := fmt.Sprintf("sector-with-a-long-name-%d", i), fmt.Sprintf("skill-with-a-name-%d", i)
		c.Sectors = append(c.Sectors,
			snapshots.SectorsRow{Sector: sector, Name: fmt.Sprintf("Sector, with a long name, %d", i)})
		copySkill(&c, skill, fmt.Sprintf("Skill with a name %d", i))
		copySector(&c, sector, skill)
	}
	for i := range 600 {
		name := fmt.Sprintf("%c skill of the register %d", 'A'+i%26, i)
		c.Skills = append(c.Skills, snapshots.SkillsRow{Skill: fmt.Sprintf("skill-of-the-register-%d", i), Name: name,
			ReferenceLevel: 2, Kind: "technical", Wordings: strings.ToLower(name)})
	}
	for i := range 28 {
		place := fmt.Sprintf("borough-of-a-name-%d", i)
		c.Places = append(c.Places, snapshots.PlacesRow{Place: place, Name: fmt.Sprintf("Borough of a name %d", i),
			AreaKind: "borough", Code: fmt.Sprintf("E090001%02d", i)})
	}
	copyPlace(&c, snapshots.PlacesRow{Place: "hammersmith-and-fulham", Name: "Hammersmith and Fulham",
		AreaKind: "borough", Code: "E09000013"})
	copyPlace(&c, snapshots.PlacesRow{Place: "kensington-and-chelsea", Name: "Kensington and Chelsea",
		AreaKind: "borough", Code: "E09000020"})
	return c
}

// withCopies returns the rows, and copies of those that change reports to have changed.
func withCopies[R any](rows []R, change func(row *R) bool) []R {
	out := rows[:len(rows):len(rows)]
	for _, row := range rows {
		if change(&row) {
			out = append(out, row)
		}
	}
	return out
}

// replace sets a value that is the one before, and reports whether it was.
func replace(value *string, before, after string) bool {
	if *value != before {
		return false
	}
	*value = after
	return true
}

// copySkill adds a skill with the people and the level of SQL.
func copySkill(c *snaptest.Content, skill, name string) {
	c.Skills = withCopies(c.Skills, func(r *snapshots.SkillsRow) bool {
		if !replace(&r.Skill, "sql", skill) {
			return false
		}
		r.Name, r.Wordings = name, strings.ToLower(name)
		return true
	})
	c.People = withCopies(c.People, func(r *snapshots.PeopleRow) bool { return replace(&r.Skill, "sql", skill) })
	c.Residents = withCopies(c.Residents,
		func(r *snapshots.ResidentsRow) bool { return replace(&r.Skill, "sql", skill) })
}

// copySector adds a sector with the adverts of the digital one, which ask for the skill instead of SQL.
func copySector(c *snaptest.Content, sector, skill string) {
	c.AdvertsTotal = withCopies(c.AdvertsTotal,
		func(r *snapshots.AdvertsTotalRow) bool { return replace(&r.Sector, "digital", sector) })
	c.Adverts = withCopies(c.Adverts, func(r *snapshots.AdvertsRow) bool {
		return replace(&r.Sector, "digital", sector) && replace(&r.Skill, "sql", skill)
	})
}

// copyPlace adds a borough with the figures of Camden.
func copyPlace(c *snaptest.Content, place snapshots.PlacesRow) {
	const from, fromCode = "camden", "E09000007"
	c.Places = append(c.Places, place)
	c.AdvertsTotal = withCopies(c.AdvertsTotal,
		func(r *snapshots.AdvertsTotalRow) bool { return replace(&r.Place, from, place.Place) })
	c.Adverts = withCopies(c.Adverts, func(r *snapshots.AdvertsRow) bool { return replace(&r.Place, from, place.Place) })
	c.People = withCopies(c.People, func(r *snapshots.PeopleRow) bool { return replace(&r.Place, from, place.Place) })
	c.Residents = withCopies(c.Residents,
		func(r *snapshots.ResidentsRow) bool { return replace(&r.Place, from, place.Place) })
	c.S106People = withCopies(c.S106People,
		func(r *snapshots.S106PeopleRow) bool { return replace(&r.Place, from, place.Place) })
	c.Regions = withCopies(c.Regions, func(r *snapshots.RegionsRow) bool {
		if !replace(&r.Code, fromCode, place.Code) {
			return false
		}
		r.Name = place.Name
		return true
	})
	c.CourseDemand = withCopies(c.CourseDemand, func(r *snapshots.CourseDemandRow) bool {
		if !replace(&r.RegionCode, fromCode, place.Code) {
			return false
		}
		r.RegionName = place.Name
		return true
	})
}
