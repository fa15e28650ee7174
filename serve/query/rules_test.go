package query

import (
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
)

// The order of two rows: boroughs before areas, then the larger score, the larger share of adverts,
// the skill and the bucket.
func TestOrderOfARanking(t *testing.T) {
	base := position{score: 500, share: 100, skill: "m", bucket: "m"}
	for name, later := range map[string]func(p *position){
		"an area":         func(p *position) { p.isArea, p.score = true, 900 },
		"a smaller score": func(p *position) { p.score, p.share = 499, 900 },
		"without a score": func(p *position) { p.score, p.share = notPublished, 900 },
		"a smaller share": func(p *position) { p.share, p.skill = 99, "a" },
		"a later skill":   func(p *position) { p.skill, p.bucket = "n", "a" },
		"a later bucket":  func(p *position) { p.bucket = "n" },
	} {
		after := base
		later(&after)
		if base.compare(after) >= 0 || after.compare(base) <= 0 {
			t.Errorf("%s: %d and %d, want it to come after", name, base.compare(after), after.compare(base))
		}
	}
	if base.compare(base) != 0 {
		t.Error("a row does not stand with itself")
	}
}

// The response says whether figures about people are published for its filters, and else why not.
func TestWhatIsSaidAboutPeople(t *testing.T) {
	date := snapshots.Date{}
	s := &Snapshot{manifest: snapshots.Manifest{PeopleAsOf: &date},
		people: api.People{Protection: "rounded", Withdrawn: true, Note: "One skill was withdrawn."},
		cached: cachedTables{peoplePlaces: map[string]bool{"camden": true}}}
	const ofSource = "People are known only where they applied on the platform, so figures about people are not " +
		"published for adverts of other sources."
	const ofMonth = "Figures about people are of one period, the year to the end of the last quarter, and of no month."
	const ofFilters = "There are figures about people for one filter, or for a place with one other; a breakdown " +
		"counts as a filter. Leave out all but one besides the place."
	for _, c := range []struct {
		q              api.SkillsUnmetQuery
		reason, advice string // both empty = published
	}{
		{api.SkillsUnmetQuery{}, "", ""},
		{api.SkillsUnmetQuery{Place: "camden", Sector: "care"}, "", ""},
		{api.SkillsUnmetQuery{Source: api.PlatformKey}, "", ""},
		{api.SkillsUnmetQuery{Source: "boards"}, ofSource, " Leave out source, or ask for source=platform."},
		{api.SkillsUnmetQuery{Source: "boards", Sector: "care"}, ofSource, " Leave out source."},
		{api.SkillsUnmetQuery{Source: "boards", Place: "camden", By: api.ByPlace}, ofSource,
			" Leave out source, or ask for source=platform."},
		{api.SkillsUnmetQuery{Source: "boards", Sector: "care", By: api.ByMonth}, ofSource,
			" Leave out source and by."},
		{api.SkillsUnmetQuery{Source: "boards", Sector: "care", Level: 2}, ofSource,
			" Leave out source and all other filters but one besides place."},
		{api.SkillsUnmetQuery{Sector: "care", Level: 2, By: api.ByMonth}, ofMonth,
			" Leave out by and all other filters but one besides place."},
		{api.SkillsUnmetQuery{By: api.ByMonth}, ofMonth, " Leave out by."},
		{api.SkillsUnmetQuery{Sector: "care", Level: 2}, ofFilters, ""},
	} {
		p := s.peopleOf(c.q)
		if c.reason == "" && (!p.Published || !p.Withdrawn || p.Note != "One skill was withdrawn.") ||
			c.reason != "" && (p.Published || p.Withdrawn || p.Note != c.reason+c.advice+" One skill was withdrawn.") ||
			p.MissingNote != c.reason || p.Protection != "rounded" {
			t.Errorf("%+v: %+v", c.q, *p)
		}
	}
	if p := s.AboutPeople(""); !p.Published || p.Withdrawn || p.Note != "" {
		t.Errorf("of no single skill: %+v", p)
	}
	s.allWithdrawn = true
	if p := s.peopleOf(api.SkillsUnmetQuery{By: api.ByMonth}); p.Published || !p.Withdrawn ||
		p.Note != "One skill was withdrawn." || p.MissingNote != "" {
		t.Errorf("once all are withdrawn: %+v", *p)
	}
	if p := s.AboutPeople(""); p.Published || !p.Withdrawn {
		t.Errorf("of no single skill once all are withdrawn: %+v", p)
	}
	s.manifest.PeopleAsOf = nil
	if p := s.peopleOf(api.SkillsUnmetQuery{}); p.Published || p.MissingNote != p.Note ||
		p.Note != "This snapshot has no figures about people." {
		t.Errorf("without people: %+v", *p)
	}
	if s.people.Note != "One skill was withdrawn." {
		t.Error("a query changes the note of the snapshot")
	}
}

func TestTextsInSQLAreQuoted(t *testing.T) {
	for want, list := range map[string][]string{"[]": nil, "['a']": {"a"}, "['it''s', '', 'b, c']": {"it's", "", "b, c"}} {
		if got := literals(list); got != want {
			t.Errorf("%q is %s, want %s", list, got, want)
		}
	}
}

// The first word of a search is looked up and the others are compared.
func TestWordsOfASearch(t *testing.T) {
	for text, want := range map[string]string{"": "|", " - ": "|", "Care": " care|", "Care home": " care|home",
		"a b c": " a|b c"} {
		arguments := map[string]any{}
		setWords(arguments, text)
		got := strings.Join([]string{arguments["word"].(string), arguments["more_words"].(string)}, "|")
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Only tables of the snapshot and released embargoed datasets are read.
func TestSQLOfEmbargoedDatasetsIsLeftOut(t *testing.T) {
	table, trends := `getvariable('tables') || '/skills.parquet'`, `getvariable('embargoed') || '/trends.parquet'`
	if m := (snapshots.Manifest{}); !mayRead(table, m) || mayRead(trends, m) || mayRead(table+trends, m) ||
		!mayRead("", m) {
		t.Error("an embargoed dataset may be read, or a table may not")
	}
	for _, spec := range partsOf(snapshots.Manifest{}, []string{"a.parquet"}) {
		if (len(spec.events) > 0) != (spec.name == platform) || spec.name == embargoed {
			t.Errorf("part %s has the event files %q", spec.name, spec.events)
		}
	}
}
