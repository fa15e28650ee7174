package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// letterSkills returns skills whose names begin with the letters A, B and C in turn, sorted by value.
func letterSkills(n int) (list []api.Named) {
	for i := range n {
		name := fmt.Sprintf("%c %03d", "ABC"[i%3], i)
		list = append(list, api.Named{Value: strings.ToLower(name), Name: name})
	}
	slices.SortFunc(list, func(a, b api.Named) int { return strings.Compare(a.Value, b.Value) })
	return list
}

// A page lists 100 skills. Of more, it lists those of one letter, and links to the others.
func TestOneLetterOfMoreThanAHundredSkills(t *testing.T) {
	for _, c := range []struct {
		skills int
		chosen string
		want   string // letters with the number of their skills
	}{
		{100, "B", "A 34 #A, B 33 #B, C 33 #C"},
		{101, "B", "A 0 /find?letter=A, B 34 /find?letter=B here, C 0 /find?letter=C"},
		{101, "C", "A 0 /find?letter=A, B 0 /find?letter=B, C 33 /find?letter=C here"},
		{101, "", "A 34 /find?letter=A here, B 0 /find?letter=B, C 0 /find?letter=C"},
		{101, "X", "A 34 /find?letter=A here, B 0 /find?letter=B, C 0 /find?letter=C"},
	} {
		s := &fixed{named: map[api.Vocabulary][]api.Named{api.Skills: letterSkills(c.skills)}}
		var got []string
		for _, g := range lettersOf(visit(s, "/find"), c.chosen) {
			text := fmt.Sprintf("%s %d %s", g.Name, len(g.Links), g.All)
			if g.Here {
				text += " here"
			}
			got = append(got, text)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("letter %q of %d skills: %s, want %s", c.chosen, c.skills, got, c.want)
		}
	}
}

// scored returns rows with the given scores, named by their order.
func scored(scores ...int64) (rows []bucketRow) {
	for i, n := range scores {
		name := fmt.Sprintf("%c", 'a'+i)
		r := bucketRow{}
		r.Bucket, r.BucketName = &name, &name
		if n >= 0 {
			r.Score.TenThousandths = &n
		}
		rows = append(rows, r)
	}
	return rows
}

// A map names three boroughs at each end once six have a figure.
func TestEndsOfAMap(t *testing.T) {
	names := func(ends []bucketRow) (text string) {
		for _, e := range ends {
			text += *e.Bucket
		}
		return text
	}
	for _, c := range []struct {
		rows        []bucketRow
		most, least string
	}{
		{scored(5000, 4000, 3000, 2000, 1000), "", ""},
		{scored(6000, 5000, 4000, 3000, 2000, -1), "", ""},
		{scored(6000, 5000, 4000, 3000, 2000, 1000), "abc", "fed"},
		{scored(9000, 8000, 7000, 6000, 5000, 4000, 3000, -1), "abc", "gfe"},
		{scored(9000, 8000, 7000, 7000, 5000, 4000, 3000), "ab", "gfe"}, // the third is as high as the fourth
		{scored(9000, 8000, 7000, 3000, 3000, 3000, 3000), "abc", ""},
		{scored(7000, 7000, 7000, 7000, 7000, 7000), "", ""},
		{scored(7001, 7001, 7001, 7002, 7001, 7000), "", ""}, // they show the same figure
	} {
		highest, lowest := mapEnds(measures()[0], c.rows)
		if names(highest) != c.most || names(lowest) != c.least {
			t.Errorf("of %d boroughs the highest are %q and the lowest %q, want %q and %q", len(c.rows), names(highest),
				names(lowest), c.most, c.least)
		}
	}
}

func TestAreasAtTheEndsOfAMapAreMarked(t *testing.T) {
	var areas []chart.Area
	for _, r := range scored(8, 7, 6, 5, 4, 3, 2, 1) {
		areas = append(areas, chart.Area{Place: *r.Bucket, Here: *r.Bucket == "d"})
	}
	areas = append(areas, chart.Area{Place: "without a figure"})
	rows := scored(8, 7, 6, 5, 4, 3, 2, 1)
	markEnds(areas, rows[:3], rows[5:])
	marked := ""
	for _, a := range areas {
		if a.End {
			marked += a.Place
		}
	}
	if marked != "abcdfgh" {
		t.Errorf("%q are marked, want the first and the last three and d, the area of the page", marked)
	}
}

// A borough of fewer than 20 adverts, or with a share that does not differ from all others, has no
// colour.
func TestUnclearBoroughsHaveNoColour(t *testing.T) {
	row := func(place string, asking, adverts int64) bucketRow {
		r := bucketRow{SkillsUnmetRow: askedOf(asking, adverts)}
		r.Bucket = &place
		return r
	}
	rows := []bucketRow{row("few", 19, 19), row("clear", 18, 20), row("same", 100, 1000)}
	all := []api.SkillsUnmetRow{askedOf(1000, 10_000)}
	asked := api.SkillsUnmetQuery{}
	s := &fixed{unmet: func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow { asked = q; return all }}
	for field, want := range map[string]string{
		"score":              "map[few:a handful of adverts same:no clear difference]",
		"adverts_share_pct":  "map[few:a handful of adverts same:no clear difference]",
		"people_turned_down": "map[]",
	} {
		got := unclearOf(visit(s, "/skills/sql"), measure{Field: field}, filter{Window: 12}, "sql", rows)
		if fmt.Sprint(map[string]string(got)) != want {
			t.Errorf("%s: %v, want %s", field, got, want)
		}
	}
	if asked.Skill != "sql" || asked.Limit != 1 || asked.By != "" {
		t.Errorf("all places together are asked for with %+v", asked)
	}
	all = nil
	if got := unclearOf(visit(s, "/skills/sql"), measures()[0], filter{Window: 12}, "sql", rows); len(got) > 0 {
		t.Errorf("without figures of all places %v are unclear", got)
	}
}

// The largest changes come first, whether up or down. A page lists eight.
func TestTheLargestMovesComeFirst(t *testing.T) {
	var moves []mover
	for i, change := range []figure.Tenths{10, -90, 30, 40, -50, 60, 70, 80, 20} {
		moves = append(moves, mover{Skill: fmt.Sprint(i), Was: 500, Is: 500 + change})
	}
	list := func(moves []mover) (text string) {
		for _, m := range moves {
			text += m.Skill
		}
		return text
	}
	for n, want := range map[int]string{2: "10", 8: "17654320", 9: "17654328"} {
		if got := list(largestMoves(slices.Clone(moves[:n]))); got != want {
			t.Errorf("of %d moves %s are listed, want %s", n, got, want)
		}
	}
}

func TestPointsAreRoundedAwayFromZero(t *testing.T) {
	for tenths, want := range map[figure.Tenths]int64{0: 0, 4: 0, 5: 1, 14: 1, 15: 2, -4: 0, -5: -1, -14: -1, -15: -2} {
		if got := wholePoints(tenths); got != want {
			t.Errorf("%d tenths are %d points, want %d", tenths, got, want)
		}
	}
}

func TestSharesOfSourcesAreRounded(t *testing.T) {
	for _, c := range [][3]int64{{0, 200, 0}, {1, 200, 1}, {1, 201, 0}, {3, 200, 2}, {197, 200, 99}, {199, 200, 99},
		{200, 200, 100}, {201, 200, 100}} {
		if got := figure.WholePercent(c[0], c[1]); got != c[2] {
			t.Errorf("%d of %d is %d per cent, want %d", c[0], c[1], got, c[2])
		}
	}
}

// A quarter's share is rounded once: 289 of 2000 are 14.45 per cent, which is 14 and not 15.
func TestQuartersAreRoundedOnce(t *testing.T) {
	quarters := []api.Quarter{{From: dayOf("2026-07-01"), Adverts: 2000, AdvertsBySkill: map[string]int64{"sql": 289}}}
	if got := saidOf(quarterPoints(quarters, "sql", figure.CodingErrors{}, dayOf("2026-09-30"))); got != "Jul–Sep 26 14%" {
		t.Error(got)
	}
}

// A page gives the snapshot's reason why figures about people are missing, and none if its query
// failed.
func TestWhyThereAreNoFiguresAboutPeople(t *testing.T) {
	for _, c := range []struct {
		people *api.People
		want   string
	}{
		{nil, ""}, {&api.People{Published: true}, ""}, {&api.People{PlaceNote: "None yet.", Note: "None yet."}, ""},
		{&api.People{MissingNote: "Of no month.", Note: "Of no month. Leave out by."}, "Of no month."},
	} {
		if got := missingPeopleNote(c.people); got != c.want {
			t.Errorf("%+v: %q, want %q", c.people, got, c.want)
		}
	}
}

func TestNewsOfPeople(t *testing.T) {
	june, september := snapshots.Date{Time: dayOf("2026-06-30")}, snapshots.Date{Time: dayOf("2026-09-30")}
	of := func(d *snapshots.Date) *snapshots.Manifest { return &snapshots.Manifest{PeopleAsOf: d} }
	for _, c := range []struct {
		now    *snapshots.Date
		before *snapshots.Manifest
		want   string
	}{
		{nil, of(&june), "There are no figures about people yet."},
		{&september, nil, "Figures about people are of the year to 30 September 2026."},
		{&september, of(nil), "Figures about people are new: they are of the year to 30 September 2026."},
		{&september, of(&june), "Figures about people are new: they are of the year to 30 September 2026."},
		{&september, of(&september), "Figures about people stay as they were: of the year to 30 September 2026."},
	} {
		if got := newsOfPeople(*of(c.now), c.before); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A correction without a new value is a withdrawal, which does not repeat the old one.
func TestACorrectedValueWithoutAnotherIsWithdrawn(t *testing.T) {
	null, five, six := "null", "5", "6"
	for _, c := range []struct {
		old, new *string
		want     correction
	}{
		{&five, nil, correction{Withdrawn: true, Reason: "a slip"}},
		{&five, &null, correction{Withdrawn: true, Reason: "a slip"}},
		{&five, &six, correction{Old: "5", New: "6", Reason: "a slip"}},
		{nil, &six, correction{Old: "no figure", New: "6", Reason: "a slip"}},
		{&null, &six, correction{Old: "no figure", New: "6", Reason: "a slip"}},
	} {
		if got := *correctionOf(api.Correction{Old: c.old, New: c.new, Reason: "a slip"}); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

func TestPartsOfAList(t *testing.T) {
	for _, c := range []struct {
		target      string
		n, from, to int
		first, next string
	}{
		{"/s", 50, 0, 50, "", ""}, {"/s", 51, 0, 50, "", "/s?page=2"}, {"/s?page=0", 51, 0, 50, "", "/s?page=2"},
		{"/s?page=x", 50, 0, 50, "", ""},
		{"/s?page=2&by=place", 101, 50, 100, "/s?by=place", "/s?by=place&page=3"}, {"/s?page=3", 101, 100, 101, "/s", ""},
		{"/s?page=2001", 101, 101, 101, "/s", ""},
	} {
		from, to, first, next := visit(nil, c.target).part(c.n, 50)
		if from != c.from || to != c.to || first != c.first || next != c.next {
			t.Errorf("%s of %d rows: %d to %d, %q and %q, want %+v", c.target, c.n, from, to, first, next, c)
		}
	}
}

// A page shows ten rows of a breakdown and links to all of them, 50 to a page.
func TestRowsOfABreakdown(t *testing.T) {
	for _, c := range []struct {
		target      string
		rows, shown int
		more, next  string
	}{
		{"/skills/sql?by=soc", 10, 10, "", ""},
		{"/skills/sql?by=soc", 11, 10, "/skills/sql?by=soc&rows=all#breakdown", ""},
		{"/skills/sql?rows=all", 50, 50, "", ""},
		{"/skills/sql?rows=all", 51, 50, "", "/skills/sql?page=2&rows=all"},
	} {
		d := &skillView{}
		d.cut(visit(nil, c.target), make([]bucketRow, c.rows))
		more := ""
		if d.More != nil {
			more = d.More.URL
		}
		if len(d.Rows) != c.shown || more != c.more || d.Next != c.next || d.First != "" {
			t.Errorf("%s: %d of %d rows, %q and %q, want %+v", c.target, len(d.Rows), c.rows, more, d.Next, c)
		}
	}
}

func TestPublishersAreNamed(t *testing.T) {
	s := stamp{Sources: []api.Source{{Key: "a", Publisher: "A Ltd"}, {Key: "b", Publisher: "B Ltd"}}}
	for key, want := range map[string]string{"a": "A Ltd", "b": "B Ltd", "c": "c"} {
		if got := s.Publisher(key); got != want {
			t.Errorf("the publisher of %s is %q, want %q", key, got, want)
		}
	}
}

// An unusual host could be a command of a shell that somebody pastes an example into.
func TestExamplesHaveNoUnusualHost(t *testing.T) {
	for host, want := range map[string]string{"labour.example": "http://labour.example", "a.b:8080": "http://a.b:8080",
		"[::1]:80": "http://[::1]:80", "a$(b)": "{base_url}", "": "{base_url}", "a b": "{base_url}"} {
		r := visit(nil, "/").Request
		r.Host = host
		if got := (&Site{}).baseOf(r); got != want {
			t.Errorf("the address on %q is %s, want %s", host, got, want)
		}
	}
}
