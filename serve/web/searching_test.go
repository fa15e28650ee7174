package web

import (
	"fmt"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/serve/prefixsearch"
)

// TestHowWellANameMatches: the whole name, all words of the search, or beginnings of words. A plural s does not
// count in words of four letters or more that do not end in ss.
func TestHowWellANameMatches(t *testing.T) {
	for _, c := range []struct {
		asked, name string
		want        match
	}{
		{"care worker", "Care workers", exact}, {"workers care", "Care workers", wholeWord},
		{"worker", "Care workers", wholeWord}, {"work", "Care workers", beginning}, {"are", "Care workers", none},
		{"care nurse", "Care workers", none}, {"bus", "Bus driver", wholeWord}, {"gas", "Gas", exact},
		{"bu", "Bus", beginning}, {"its", "It", none}, {"class", "Class", exact}, {"clas", "Class", beginning},
		{"cats", "Cat", exact}, {"", "", none}, {"care", "", none},
	} {
		if got := searchOf(c.asked).in(c.name); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.asked, c.name, got, c.want)
		}
	}
}

// TestTheBestWordingIsQuoted: one that is the search, else the first that has its words, with the alternative that
// was searched for.
func TestTheBestWordingIsQuoted(t *testing.T) {
	const list = "customer {service,care}|care of customers|manag{e,ing} projects|customer care"
	for _, c := range []struct {
		asked, readable string
		match           match
	}{
		{"customer care", "customer care", wording}, {"customers", "customer service", partMatch},
		{"customer", "customer service", partMatch}, {"managing", "", none}, {"projects", "manage projects", partMatch},
		{"service", "customer service", partMatch}, {"care", "customer care", partMatch}, {"nurse", "", none},
	} {
		readable, m := searchOf(c.asked).inWordings(list)
		if readable != c.readable || m != c.match {
			t.Errorf("%q: %q and %d, want %q and %d", c.asked, readable, m, c.readable, c.match)
		}
	}
}

// foundSaid are results in words: their kind, name and address, how well they match, and a note.
func foundSaid(list []foundLink) string {
	var said []string
	for _, l := range list {
		text := fmt.Sprintf("%s: %s %s %d", l.Kind, l.Name, l.URL, l.match)
		if l.Note != "" {
			text += " (" + l.Note + ")"
		}
		said = append(said, text)
	}
	return strings.Join(said, "\n")
}

// searchedFor is a snapshot with names of each kind.
func searchedFor() *fixed {
	return &fixed{named: map[api.Vocabulary][]api.Named{
		api.Skills: {{Value: "care-plans", Name: "Planning of care"}, {Value: "sql", Name: "SQL",
			Wordings: "relational database|care of data"}, {Value: "welding", Name: "Welding"}},
		api.Occupations: {{Value: "6135", Name: "Care workers"}, {Value: "6136", Name: "Carers"}},
		api.Places:      {{Value: "camden", Name: "Camden", Code: "E09000007"}},
		api.Sectors:     {{Value: "care-services", Name: "Social care"}},
	}}
}

// TestResultsOfASearch: skills, occupations, places, sectors, subjects and documents, each by name. A skill is found
// by its wordings too, which are quoted.
func TestResultsOfASearch(t *testing.T) {
	s := &Site{documents: map[string]prefixsearch.Name{"limits": prefixsearch.NewName("take care of your key")}}
	for asked, want := range map[string]string{
		"care": `Skills: Planning of care /skills/care-plans?place=x 2
			Skills: SQL /skills/sql?place=x 4 (adverts say “care of data”)
			Occupations: Care workers /occupations/6135?place=x 2
			Occupations: Carers /occupations/6136?place=x 3
			Sectors: Social care /skills?place=x&sector=care-services 2
			Subjects that are taught: Agriculture, Horticulture and Animal Care ` +
			`/courses?q=Agriculture%2C+Horticulture+and+Animal+Care&region=x 2
			Subjects that are taught: Health, Public Services and Care ` +
			`/courses?q=Health%2C+Public+Services+and+Care&region=x 2
			Documents: Limits /docs/limits 4`,
		"E09000007": `Places: Camden /places/camden 0`,
		"6136":      `Occupations: Carers /occupations/6136?place=x 0`,
		"limits":    `Documents: Limits /docs/limits 0`,
		"nothing":   ``,
		"-":         ``,
	} {
		v := visit(searchedFor(), "/find")
		v.place = "x"
		if got := foundSaid(s.results(v, searchOf(asked))); got != linesOf(want) {
			t.Errorf("%q finds\n%s\nwant\n%s", asked, got, linesOf(want))
		}
	}
}

// TestAJobTitleFindsItsOccupation: it comes first, once, with the title unless that is its name. An unknown title, or
// one of an occupation that is not in the data, changes nothing.
func TestAJobTitleFindsItsOccupation(t *testing.T) {
	s := &Site{Options: Options{OccupationOfTitle: func(title string) (string, bool) {
		soc := map[string]string{"carers": "6135", "care workers": "6135", "welder": "5213"}[title]
		return soc, soc != ""
	}}}
	for asked, want := range map[string]string{
		"carers": `Occupations: Care workers /occupations/6135 0 (a job title of it is “carers”)
			Occupations: Carers /occupations/6136 0`,
		"care workers": `Occupations: Care workers /occupations/6135 0`,
		"welder":       ``,
		"care": `Occupations: Care workers /occupations/6135 2
			Occupations: Carers /occupations/6136 3`,
	} {
		if got := foundSaid(s.findOccupations(visit(searchedFor(), "/find"), searchOf(asked))); got != linesOf(want) {
			t.Errorf("%q finds\n%s\nwant\n%s", asked, got, linesOf(want))
		}
	}
}

// TestResultsAreGrouped: exact matches first, in one group that names their kind; then the kind with the best match.
// A group has twelve links, best first, and leads to the others.
func TestResultsAreGrouped(t *testing.T) {
	var many []foundLink
	for i := range 13 {
		many = append(many, foundLink{Kind: "Skills", Name: fmt.Sprint("s", i), match: partMatch})
	}
	many[12].match = beginning
	place, exactly := foundLink{Kind: "Places", Name: "p", match: wholeWord}, foundLink{Kind: "Sectors", Name: "e"}
	for _, c := range []struct {
		target string
		found  []foundLink
		want   string
	}{
		{"/find?q=a", append(many[:13:13], place, exactly), "Best matches: e (sector)\nPlaces: p\n" +
			"Skills: s12 s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 and 1 more at /find?all=Skills&q=a"},
		{"/find?q=a&all=Skills", many, "Skills: s12 s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11"},
		{"/find?q=a", many[:12], "Skills: s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11"},
		{"/find?q=a", nil, ""},
	} {
		var lines []string
		for _, g := range groupsOf(visit(nil, c.target), c.found) {
			line := g.Name + ":"
			for _, l := range g.Links {
				if line += " " + l.Name; l.Kind != "" {
					line += " (" + l.Kind + ")"
				}
			}
			if g.More > 0 || g.All != "" {
				line += fmt.Sprintf(" and %d more at %s", g.More, g.All)
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.target, got, c.want)
		}
	}
}

// TestTheSearchPage: nothing found is status 404, unless another publisher has it. Without a name that matches, the
// search is tried without its small words, and the nearest spelling is offered.
func TestTheSearchPage(t *testing.T) {
	s := &Site{}
	for _, c := range []struct {
		q, words, meant string
		status          int
		groups          string
		letters, absent int
	}{
		{"", "", "", 0, "", 3, 0}, {"  ", "", "", 0, "", 3, 0},
		{" welding ", "welding", "", 0, "Best matches", 0, 0},
		{"weldin", "weldin", "", 0, "Skills", 0, 0},
		{"weldung", "weldung", "welding", 404, "", 0, 0},
		{"what is the need for welding", "what is the need for welding", "", 0, "Best matches", 0, 0},
		{"salary", "salary", "", 0, "", 0, 1}, {"pay of the welding", "pay of the welding", "", 0, "Best matches", 0, 1},
		{"database", "database", "", 0, "Skills", 0, 0}, {"xyzzyx", "xyzzyx", "", 404, "", 0, 0},
	} {
		v := visit(searchedFor(), "/find?q="+strings.ReplaceAll(c.q, " ", "+"))
		shown := s.searchPage(v)
		d := shown.data.(findView)
		var groups []string
		for _, g := range d.Groups {
			groups = append(groups, g.Name)
		}
		if shown.status != c.status || d.Words != c.words || d.Meant != c.meant ||
			strings.Join(groups, ", ") != c.groups || len(d.Letters) != c.letters || len(d.Absent) != c.absent ||
			shown.template != "find" || shown.section != "/find" {
			t.Errorf("%q: %d and %+v", c.q, shown.status, d)
		}
	}
}

// TestWhatIsNotCovered: by any of its words, in the order of the list.
func TestWhatIsNotCovered(t *testing.T) {
	for asked, want := range map[string]string{"wages": "Earnings and working hours",
		"job pay": "Earnings and working hours, Find a job", "college": "Find a course",
		"benefits": "Nomis", "vacancies": "Find a job",
		"sql": "", "paydays": "", "": ""} {
		var names []string
		for _, e := range absentOf(asked) {
			names = append(names, e.Who.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
	for asked, want := range map[string]string{"how much does a Nurse earn": "Nurse", "The pay": "", "sql": "sql"} {
		if got := searchOf(asked).essential().text; got != want {
			t.Errorf("of %q is left %q, want %q", asked, got, want)
		}
	}
}

// TestSimilarSpellings: a word of four or five letters may differ by one, a longer one by two, and a shorter one by
// none. The nearest comes first, then the most frequent, then the first in the alphabet.
func TestSimilarSpellings(t *testing.T) {
	for _, c := range []struct {
		known      spellings
		word, want string
	}{
		{spellings{"cat": 1}, "cab", ""}, {spellings{"care": 1}, "cary", "care"}, {spellings{"care": 1}, "cory", ""},
		{spellings{"carer": 1}, "carex", "carer"}, {spellings{"carer": 1}, "caxex", ""},
		{spellings{"carers": 1}, "caxexs", "carers"}, {spellings{"carers": 1}, "xaxexs", ""},
		{spellings{"care": 1}, "carexx", "care"}, {spellings{"carers": 1}, "care", ""},
		{spellings{"carers": 1}, "carersyy", "carers"}, {spellings{"carers": 1}, "carersyyy", ""},
		{spellings{"cares": 1, "cafes": 1}, "caxes", "cafes"}, {spellings{"cares": 2, "cafes": 1}, "caxes", "cares"},
		{spellings{"plumbers": 1, "plumbing": 9}, "plumberx", "plumbers"},
	} {
		if got := c.known.nearest(c.word); got != c.want {
			t.Errorf("%q of %v: %q, want %q", c.word, c.known, got, c.want)
		}
	}
}

// TestWordsThatASearchKnows: those of skills and their wordings, occupations, places, sectors and subjects.
func TestWordsThatASearchKnows(t *testing.T) {
	known := spellingsOf(searchedFor())
	for word, want := range map[string]int{"welding": 1, "sql": 1, "relational": 1, "workers": 1, "camden": 1, "social": 1,
		"media": 1, "care": 6, "e09000007": 0} {
		if got := known[word]; got != want {
			t.Errorf("%q is known from %d names, want %d", word, got, want)
		}
	}
	for text, want := range map[string]string{"welding": "", "weldung": "welding", "the weldung": "the welding",
		"weldung zzzzzz": "", "weldings": "", "": "", "a b c d e weldung": "",
		"welding sql sql sql sql weldung": "welding sql sql sql sql welding"} {
		if got := known.correct(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
