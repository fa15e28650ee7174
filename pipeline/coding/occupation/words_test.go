package occupation

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// A title is read as lower-case ASCII: without accents, with dashes and quotes of one form, and at
// most 300 bytes of it.
func TestTitlesInASCII(t *testing.T) {
	for text, want := range map[string]string{"Café Manager": "cafe manager", "a\tb\nc": "a b c",
		"A – B — C • D · E": "a  -  b  -  c  -  d  -  e", "co‐op co‑op": "co-op co-op",
		"children’s ‘x’": "children's 'x'", "日 x": "  x", "": "",
		strings.Repeat("a", longestTitle+1):                strings.Repeat("a", longestTitle),
		strings.Repeat("a", longestTitle):                  strings.Repeat("a", longestTitle),
		strings.Repeat("a", longestTitle-1) + "é and more": strings.Repeat("a", longestTitle-1) + " "} {
		if got := toASCII(text); got != want {
			t.Errorf("%.40q is %.60q, want %.60q", text, got, want)
		}
	}
}

// A word has the signs that belong to its name.
func TestEndsOfWords(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "ab c": 2, " a": 0, "c++ x": 3, "c# x": 2, "cc+": 2,
		"c+": 2, "ac+": 2,
		".net x": 4, ".ne": 0, "7.5t": 4, "7.t": 1, "a.5": 1, "7.": 1, "o'neill": 7, "'a": 0, "a'": 2, "az09": 4, "a-b": 1,
		"a/b": 1, "a:b": 1, "a`b": 1, "a{b": 1, "c+++": 4, "#a": 0} {
		if got := wordEnd(text, 0); got != want {
			t.Errorf("%q ends at %d, want %d", text, got, want)
		}
	}
	if got := wordEnd("a b.c", 2); got != 3 {
		t.Errorf("a later word ends at %d, want 3", got)
	}
}

// The singular of a word.
func TestSingulars(t *testing.T) {
	for word, want := range map[string]string{"nurses": "nurse", "bus": "bus", "gas": "gas", "class": "class",
		"campus":   "campus",
		"analysis": "analysis", "deputies": "deputy", "ties": "tie", "cars": "car", "cat": "cat", "as": "as", "": ""} {
		if got := singular(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
}

// Two words are near if one letter is another, or if two neighbours are swapped.
func TestWordsThatAreNear(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"manager", "manager", true}, {"manager", "manoger", true}, {"manager", "xanager", true}, {"manager",
			"managex", true},
		{"manager", "amnager", true}, {"manager", "managre", true}, {"manager", "mnaager", true}, {"manager", "manage",
			false},
		{"manager", "mxnxger", false}, {"manager", "rmanage", false}, {"manager", "managxx", false}, {"manager",
			"xxnager", false},
		{"ab", "ba", true}, {"abc", "bad", false}, {"abc", "xba", false}, {"a", "b", true},
	} {
		if got := isNear(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
		if got := isNear(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %t", c.b, c.a, got)
		}
	}
}

// A word is put right if it is in no title, has six letters or more, and one usual word of seven or
// more is near it.
func TestWordsThatArePutRight(t *testing.T) {
	var titles []phrase
	for range minTitlesWithWord {
		for _, word := range []string{"manager", "teacher", "teachen", "nurses", "plumbers"} {
			titles = append(titles, phrase{words: []string{word}})
		}
	}
	for range minTitlesWithWord - 1 {
		titles = append(titles, phrase{words: []string{"welders"}})
	}
	s := newSpelling(titles)
	for word, want := range map[string]string{"manoger": "manager", "maanger": "manager", "manger": "manager",
		"managers": "manager", "mamager": "manager", "managge": "managge", "manage": "manager", "mange": "mange",
		"manager": "manager", "teachex": "teachex", "teache": "teache", "nursex": "nursex", "nurse": "nurse",
		"welderx":  "welderx",
		"plumberz": "plumbers", "plumber": "plumbers", "": ""} {
		words := segment{"x", word}
		s.correct(words)
		if words[1] != want || words[0] != "x" {
			t.Errorf("%q is put right to %q, want %q", word, words, want)
		}
	}
}

// A known title has its unit group, in any case and number.
func TestUnitGroupsOfTitles(t *testing.T) {
	reg := load(t)
	for title, want := range map[string]string{"carer": "6135", "Carers": "6135", "Nurse": "2237", "xyzzy": "",
		"": "", "(!)": "",
		"carer xyzzy": ""} {
		if got, ok := reg.UnitGroupOfTitle(title); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %t, want %q", title, got, ok, want)
		}
	}
}

// The subject of a manager's title, and the forms of such titles that are looked for.
func TestWhatIsManaged(t *testing.T) {
	for title, want := range map[string]string{
		"head of finance": "finance: head of", "director of finance": "finance: director",
		"finance director": "finance: director",
		"director finance": "finance: director", "vp finance": "finance: director", "finance vp": "finance: director",
		"head of": "", "of finance": "", "head": "", "director": "", "finance": "", "head of head": "",
		"operations lead": "operations: manager", "nurse lead": "", "lead": "", "director head": "", "finance of head": "",
	} {
		function, forms := gradeFunction(reading{core: strings.Fields(title)})
		got := strings.Join(function, " ")
		if got != "" {
			got += ": " + strings.Join(slices.Concat(forms[0].before, forms[0].after), " ")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	function, _ := gradeFunction(reading{core: []string{"director"}, suffixes: [][]string{{"finance"}, {"it"}}})
	if !slices.Equal(function, []string{"finance"}) {
		t.Errorf("of a director, finance: %q", function)
	}
	for title, want := range map[string]bool{"nurse lead": true, "operations lead": false, "lead": false, "nurse": false,
		"lead nurse": false, "": false} {
		if got := endsInLead(strings.Fields(title)); got != want {
			t.Errorf("%q ends in lead: %t", title, got)
		}
	}
}

// The longest known title within a title is its occupation. The coding is surer if that title is more
// of the whole, and less sure for a single word or a title without a role.
func TestKnownTitlesWithinATitle(t *testing.T) {
	ix := newIndex([]phrase{{words: []string{"staff", "nurse"}, soc: "2237"}, {words: []string{"nurse"}, soc: "2237"},
		{words: []string{"data", "scientist"}, soc: "2433"}, {words: []string{"forklift", "truck"}, soc: "8222"},
		{words: []string{"forklift"}, soc: "8222"}, {words: []string{"clerk"}, soc: "4159"},
		{words: []string{"operations", "manager"}, soc: "1241"}})
	for title, want := range map[string]Coding{
		"staff nurse": {"2237", .85, MatchPhrase}, "night staff nurse": {"2237", .5 + .35*2/3, MatchPhrase},
		"night nurse": {"2237", .5 + .35/2 - .1, MatchPhrase}, "data scientist lead": {"2433", .85, MatchPhrase},
		"forklift truck": {"8222", .8, MatchPhrase}, "big forklift truck": {"8222", .5 + .35*2/3 - .05, MatchPhrase},
		"forklift": {}, "xyzzy": {}, "lead": {}, "xyzzy lead": {},
		"clerk": {"4159", .75, MatchPhrase}, "betting clerk": {}, // too vague within a longer title
		"operations manager": {"1241", .85, MatchPhrase}, "community operations manager": {},
	} {
		got := byPhrase(ix, reading{core: strings.Fields(title)})
		if got.SOC != want.SOC || got.MatchedBy != want.MatchedBy || math.Abs(got.Confidence-want.Confidence) > 1e-9 {
			t.Errorf("%q is %+v, want %+v", title, got, want)
		}
	}
}

// TestManagersOfAFunction: the occupation of the longest part of the function that has a known
// manager. The head of a subject teaches, but its director does not.
func TestManagersOfAFunction(t *testing.T) {
	ix := newIndex([]phrase{{words: []string{"marketing", "director"}, soc: "1132"},
		{words: []string{"head", "of", "science"}, soc: "2313"}, {words: []string{"head", "of", "care"}, soc: "1171"},
		{words: []string{"sales", "manager"}, soc: "1150"}})
	for title, want := range map[string]Coding{
		"director of marketing": {"1132", .85, MatchManager}, "head of marketing": {"1132", .85, MatchManager},
		"director of global marketing": {"1132", .65, MatchManager},
		"director of marketing east":   {"1132", .65, MatchManager},
		"head of science":              {"2313", .85, MatchManager}, "director of science": {},
		"director of care":  {"1171", .85, MatchManager},
		"director of sales": {"1150", .7, MatchManager}, "sales lead": {"1150", .7, MatchManager}, "marketing lead": {},
		"director of xyzzy": {}, "marketing": {},
	} {
		got := byGrade(ix, reading{core: strings.Fields(title)})
		if got.SOC != want.SOC || got.MatchedBy != want.MatchedBy || math.Abs(got.Confidence-want.Confidence) > 1e-9 {
			t.Errorf("%q is %+v, want %+v", title, got, want)
		}
	}
}

// A title of two roles is the first of them; each role may be a single word.
func TestFirstOfTwoRoles(t *testing.T) {
	for title, want := range map[string]string{
		"sous chef and waiter": "sous chef", "sous chef or head waiter": "sous chef", "chef and waiter": "chef and waiter",
		"sous chef and kitchen": "sous chef and kitchen", "head kitchen and waiter": "head kitchen and waiter",
		"sous chef and": "sous chef and",
	} {
		words := strings.Fields(title)
		r := reading{main: words, base: words, core: words}
		r.firstOfTwo()
		if got := strings.Join(r.core, " "); got != want {
			t.Errorf("%q is %q, want %q", title, got, want)
		}
		if left := len(words) - len(r.core); left > 0 && len(r.suffixes[0]) != left-1 {
			t.Errorf("%q: the second role is %q", title, r.suffixes)
		}
	}
}
