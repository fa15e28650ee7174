package web

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"labour/serve/api"
)

// TestEveryRowButAMonthHasAPage: a row of a breakdown leads to the page filtered by its value. Pages cannot
// be filtered by month. The filtered page is the first of its list, so its address has no cursor.
func TestEveryRowButAMonthHasAPage(t *testing.T) {
	v := visit(planSnapshot(), "/skills/sql?by=sector&cursor=abc&rows=50&soc=6")
	for by, want := range map[api.Breakdown]string{
		api.ByMonth:  "",
		api.ByPlace:  "/skills/sql?place=x&soc=6",
		api.BySector: "/skills/sql?sector=x&soc=6",
		api.BySOC:    "/skills/sql?soc=x",
	} {
		if got := v.narrowAddress(by, "x"); got != want {
			t.Errorf("by %s: %q, want %q", by, got, want)
		}
	}
}

// TestPastPagesKeepTheirSnapshot: the links and forms of a past page stay in its snapshot. Links to what is of
// no snapshot, to another site, to a named snapshot and to the current figures stay as they are.
func TestPastPagesKeepTheirSnapshot(t *testing.T) {
	s := &Site{}
	s.snapshotSections = s.datedSections()
	const id = "2026-11-18.1"
	for page, want := range map[string]string{
		`<a href="/">`:                      `<a href="/?snapshot=2026-11-18.1">`,
		`<a href="/skills?by=a&amp;c=d#e">`: `<a href="/skills?by=a&amp;c=d&amp;snapshot=2026-11-18.1#e">`,
		`<svg data-link="/skills/sql?place={place}">`: `<svg data-link="/skills/sql?place={place}` +
			`&amp;snapshot=2026-11-18.1">`,
		`<a href="/csv/whole/skills-unmet">`: `<a href="/csv/whole/skills-unmet?snapshot=2026-11-18.1">`,
		`<form action="/find" method="get">`: `<form action="/find" method="get">` +
			`<input type="hidden" name="snapshot" value="2026-11-18.1">`,
		`<path d="M0 0"/><svg viewBox="0 0 1 1"  data-link="/skills/sql" role=img/>`: `<path d="M0 0"/>` +
			`<svg viewBox="0 0 1 1"  data-link="/skills/sql?snapshot=2026-11-18.1" role=img/>`,
		`<script>x = '<a href="/skills">'</script>`:  "",
		`<a data-current href="/skills">`:            "",
		`<a href="/skills?snapshot=2026-11-17.1">`:   "",
		`<a href="/docs/methods#who">`:               "",
		`<a href="/snapshots/2026-11-18.1#changed">`: "",
		`<link href="/static/style.css">`:            "",
		`<a href="//example.com/skills">`:            "",
		`<a href="https://example.com/skills">`:      "",
		`<a href="#map">`:                            "",
	} {
		if got := s.keepSnapshot(page, id); got != want && (want != "" || got != page) {
			t.Errorf("%s becomes %s", page, got)
		}
	}
}

// TestTheChosenRegionStandsOnceInTheMenu: a borough of the service stands with the boroughs, and a borough
// elsewhere stands with the regions only if it is chosen.
func TestTheChosenRegionStandsOnceInTheMenu(t *testing.T) {
	s := &fixed{named: map[api.Vocabulary][]api.Named{
		api.Places:      {{Value: "camden", Name: "Camden", Code: "E09000007"}, {Value: "east", Name: "East"}},
		api.RegionNames: {{Value: "E12000007"}, {Value: "London"}, {Value: "E09000007"}, {Value: "E06000065"}},
	}, regions: map[string]api.Region{
		"E12000007": {Code: "E12000007", Name: "London", Kind: "region"},
		"London":    {Code: "E12000007", Name: "London", Kind: "region"},
		"E09000007": {Code: "E09000007", Name: "Camden", Kind: "borough"},
		"E06000065": {Code: "E06000065", Name: "North Yorkshire", Kind: "borough"},
	}}
	camden, london := option{Value: "camden", Name: "Camden"}, option{Value: "E12000007", Name: "London"}
	chosenCamden := option{Value: "camden", Name: "Camden", Chosen: true}
	craven := option{Value: "E06000065", Name: "North Yorkshire", Chosen: true}
	split := api.Region{Code: "E07000110", Name: "Splitton", Kind: "borough", SplitInto: api.Keys{"E1", "E2"}}
	for _, c := range []struct {
		chosen         api.Region
		wider, borough []option
	}{
		{api.Region{}, []option{london}, []option{camden}},
		{s.regions["E09000007"], []option{london}, []option{chosenCamden}},
		{s.regions["E06000065"], []option{london, craven}, []option{camden}},
		{split, []option{london, {Value: "E07000110", Name: "Splitton", Chosen: true}}, []option{camden}},
	} {
		var got [][]option
		for _, g := range regionGroups(visit(s, "/courses"), c.chosen) {
			got = append(got, g.Options)
		}
		want := [][]option{c.wider, c.borough}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("chosen %+v: %v, want %v", c.chosen, got, want)
		}
	}
}

// TestAMapNamesItsHighestAndLowest: three boroughs at each end, the outermost first, if there are at least six.
func TestAMapNamesItsHighestAndLowest(t *testing.T) {
	square := func(west float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{west, 51}, {west + 1, 51}, {west + 1, 52}, {west, 52}, {west, 51}}}}
	}
	for n, want := range map[int]string{5: " / ", 6: "abc / fed", 8: "abc / hgf"} {
		s, scores := &fixed{named: map[api.Vocabulary][]api.Named{}}, []int64{}
		for i := range n {
			name := string(rune('a' + i))
			s.named[api.Places] = append(s.named[api.Places], api.Named{Value: name, Name: name, Kind: "borough"})
			s.outlines = append(s.outlines, api.Outline{Place: name, Shape: square(float64(i))})
			scores = append(scores, int64(1000*(90-i)))
		}
		d := &skillView{Skill: "sql"}
		drawMap(visit(s, "/skills/sql?map=score"), filter{Window: 12}, d, scored(scores...))
		if d.Map == nil {
			t.Fatalf("%d boroughs: no map", n)
		}
		if got := namesOf(d.Map.Most) + " / " + namesOf(d.Map.Least); got != want {
			t.Errorf("%d boroughs: %q, want %q", n, got, want)
		}
	}
}

func namesOf(ends []mapEnd) (names string) {
	for _, e := range ends {
		names += *e.BucketName
	}
	return names
}

// TestASortedListIsOfEverySkill: a list in another order than the ranking needs every row of it.
func TestASortedListIsOfEverySkill(t *testing.T) {
	s := planSnapshot()
	rows := []api.SkillsUnmetRow{shareOf(120, 0, ""), shareOf(305, 0, "")}
	var asked api.SkillsUnmetQuery
	s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
		asked = q
		return rows
	}
	v := visit(s, "/skills?sort=adverts_share_pct")
	p := (&Site{}).list(v, filter{Window: 12}, order{by: "adverts_share_pct"}, &skillsView{})
	if len(p.Rows) != 2 || p.Rows[0].AdvertsShare.Tenths != 305 || asked.After != nil || asked.Limit <= rowsPerPage {
		t.Errorf("rows %+v of the query %+v", p.Rows, asked)
	}
}
