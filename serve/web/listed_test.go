package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// ranked are rows with the ranks 1 to n, of kinds in turn.
func ranked(n int) (rows []api.SkillsUnmetRow) {
	for i := range n {
		r := askedOf(int64(i+1), 1000)
		r.Rank, r.Skill = i+1, fmt.Sprintf("s%02d", i+1)
		rows = append(rows, r)
	}
	return rows
}

// TestAListIsSortedByTheChosenFigure: the largest first, equal ones by rank, and rows without it last. A page has
// twenty, and one kind of skill has only those.
func TestAListIsSortedByTheChosenFigure(t *testing.T) {
	s := &fixed{named: map[api.Vocabulary][]api.Named{}}
	for i := range 42 {
		s.named[api.Skills] = append(s.named[api.Skills], api.Named{Value: fmt.Sprintf("s%02d", i+1),
			Kind: []string{"care", "technical"}[i%2]})
	}
	said := func(rows []api.SkillsUnmetRow) string {
		var names []string
		for _, r := range rows {
			names = append(names, strings.TrimPrefix(r.Skill, "s"))
		}
		return strings.Join(names, " ")
	}
	rows := ranked(42)
	rows[40].AdvertsShare.Tenths, rows[40].AdvertsSample.Requiring = 42, 42 // as large as the last
	for _, c := range []struct {
		o                 order
		target            string
		want, first, next string
	}{
		{order{by: "adverts_share_pct"}, "/skills?sort=adverts_share_pct",
			"41 42 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23", "", "/skills?page=2&sort=adverts_share_pct"},
		{order{by: "adverts_share_pct"}, "/skills?page=3", "02 01", "/skills", ""},
		{order{by: "score", kind: "care"}, "/skills?kind=care",
			"01 03 05 07 09 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39", "", "/skills?kind=care&page=2"},
		{order{by: "score", kind: "technical"}, "/skills?kind=technical&page=2", "42", "/skills?kind=technical", ""},
	} {
		part, first, next := c.o.page(visit(s, c.target), slices.Clone(rows))
		if got := said(part); got != c.want || first != c.first || next != c.next {
			t.Errorf("%s: %s, %q and %q, want %+v", c.target, got, first, next, c)
		}
	}
	kinds := menusSaid([]optionGroup{{Options: kindsOfSkill(s, "care")}})
	if kinds != "[care Care*, technical Technical]" {
		t.Errorf("the kinds are %s", kinds)
	}
	s.named[api.Skills] = []api.Named{{Value: "a", Kind: "technical"}, {Value: "b"}, {Value: "c", Kind: "care"}}
	kinds = menusSaid([]optionGroup{{Options: kindsOfSkill(s, "")}})
	if kinds != "[care Care, technical Technical]" {
		t.Errorf("the kinds are %s", kinds)
	}
}

// TestRowsWithoutAFigureAreLast, in the order of their ranks.
func TestRowsWithoutAFigureAreLast(t *testing.T) {
	rows := ranked(5)
	for i, n := range map[int]int64{1: 10, 3: 30, 4: 10} {
		rows[i].TurnedDown = api.Count{Count: figure.CountOf(n)}
	}
	slices.Reverse(rows)
	sortRows(rows, measures()[3].number)
	var ranks []int
	for _, r := range rows {
		ranks = append(ranks, r.Rank)
	}
	if !slices.Equal(ranks, []int{4, 2, 5, 1, 3}) {
		t.Errorf("the ranks are %v", ranks)
	}
}

// TestFiguresOfARow: each as a number, unless it is not one.
func TestFiguresOfARow(t *testing.T) {
	tenths := func(n figure.Tenths) api.Percent { return api.Percent{Tenths: &n} }
	score := int64(70_000)
	few, err := figure.ParseCount[int64](nil, figure.StatusUnderFive)
	if err != nil {
		t.Fatal(err)
	}
	full := api.SkillsUnmetRow{Score: api.Score{TenThousandths: &score}, AdvertsShare: api.Share{Tenths: 301},
		PeopleBelow: tenths(402), TurnedDown: api.Count{Count: figure.CountOf(5)}, HiredWith: tenths(603),
		TurnedDownWith: tenths(704), Difference: tenths(-101)}
	empty := api.SkillsUnmetRow{TurnedDown: api.Count{Count: few}}
	for i, want := range []int64{70_000, 301, 402, 5, 603, 704, -101} {
		m := measures()[i]
		if n, ok := m.number(full); n != want || !ok {
			t.Errorf("%s is %d (%v), want %d", m.Field, n, ok, want)
		}
		if n, ok := m.number(empty); n != 0 || ok != (m.Field == "adverts_share_pct") {
			t.Errorf("without figures %s is %d (%v)", m.Field, n, ok)
		}
	}
	if n, ok := (measure{get: func(api.SkillsUnmetRow) any { return "text" }}).number(full); n != 0 || ok {
		t.Errorf("a text is the number %d", n)
	}
	has, hasNot := columnsOf([]api.SkillsUnmetRow{{}, full}), columnsOf([]api.SkillsUnmetRow{empty})
	for _, m := range measures() {
		if shown := m.Field == "adverts_share_pct" || m.Field == "people_turned_down"; !has[m.Field] ||
			hasNot[m.Field] != shown {
			t.Errorf("a table has the column %s: %v and %v", m.Field, has[m.Field], hasNot[m.Field])
		}
	}
	if got := fraction([]api.SkillsUnmetRow{full, empty, full}); got != "2 of 3" {
		t.Errorf("a difference have %s", got)
	}
}

// TestOrdersOfAList: by score, unless the address has another figure. Its form keeps another order, and its heads
// lead to the first page of each.
func TestOrdersOfAList(t *testing.T) {
	s := filtered()
	s.named[api.Skills] = []api.Named{{Value: "driving", Kind: "licence"}}
	for _, c := range []struct {
		target    string
		want      order
		ok, whole bool
		keep      string
	}{
		{"/skills", order{by: "score"}, true, false, "[]"},
		{"/skills?sort=score", order{by: "score"}, true, false, "[]"},
		{"/skills?sort=people_turned_down", order{by: "people_turned_down"}, true, true,
			"[{people_turned_down sort false}]"},
		{"/skills?kind=licence", order{by: "score", kind: "licence"}, true, true, "[]"},
		{"/skills?kind=care", order{by: "score", kind: "care"}, false, true, "[]"},
		{"/skills?sort=rank", order{by: "rank"}, false, true, "[{rank sort false}]"},
	} {
		v := visit(s, c.target)
		if o := orderOf(v); o != c.want || (v.err == nil) != c.ok || o.whole() != c.whole || fmt.Sprint(o.keep()) != c.keep {
			t.Errorf("%s: %+v (%v), whole %v, keeps %v", c.target, o, v.err, o.whole(), o.keep())
		}
	}
	heads := order{by: "people_turned_down"}.heads(visit(s, "/skills?sort=people_turned_down&page=2&cursor=x&soc=6"))
	if heads[0].URL != "/skills?soc=6" || heads[1].URL != "/skills?soc=6&sort=adverts_share_pct" || heads[0].Here ||
		!heads[3].Here {
		t.Errorf("%+v", heads)
	}
}

// TestThePageOfSkills: its files are of its filters, also that of every place.
func TestThePageOfSkills(t *testing.T) {
	s := filtered()
	s.unmet = func(api.SkillsUnmetQuery) []api.SkillsUnmetRow { return ranked(3) }
	v := visit(s, "/skills?place=camden&level=2")
	shown := (&Site{}).skills(v)
	d := shown.data.(skillsView)
	if shown.title != "Unmet skills: Camden, level 2, last 12 months" || shown.section != "/skills" || len(d.Rows) != 3 ||
		d.Whole != "/whole/skills-unmet?level=2&place=camden" || d.Every != "/whole/skills-unmet?each=place&level=2" ||
		d.Sorted != "score" ||
		d.Filter.Encode() != "level=2&place=camden" || !d.Columns["adverts_share_pct"] || !v.stamp.People ||
		d.First != "" || d.Next != "" || len(d.Heads) != 7 {
		t.Errorf("%+v with %+v", shown, d)
	}
	v = visit(s, "/skills?cursor=x&soc=6")
	v.after = &api.SkillsUnmetPosition{Rank: 20}
	if d := (&Site{}).skills(v).data.(skillsView); d.First != "/skills?soc=6" {
		t.Errorf("the first page is %s", d.First)
	}
	home := (&Site{}).home(visit(s, "/"))
	if d := home.data.(skillsView); len(d.Rows) != 3 || d.Where != "all places, last 12 months" ||
		d.Form.Action != "/skills" || home.template != "home" {
		t.Errorf("the first page: %+v", d)
	}
}
