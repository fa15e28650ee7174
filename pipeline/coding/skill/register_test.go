package skill

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// header is the first line of a register.
var header = strings.Join(columns, "\t")

// parse reads lines whose fields are separated by ";" under the header.
func parse(lines ...string) (*Register, error) {
	return ParseRegister(strings.NewReader(header+"\n"+strings.ReplaceAll(strings.Join(lines, "\n"), ";", "\t")), '\t')
}

func TestParseReportsEveryFault(t *testing.T) {
	_, err := parse(
		"a;Alpha;trade;1;alpha;",
		"a;Again;trade;1;again;",                // line 3
		"b;Beta;trade;6;beta;",                  // 4
		"c;Gamma;hobby;1;gamma;",                // 5
		"d;;trade;1;delta;",                     // 6
		"E e;Epsilon;trade;1;epsilon;",          // 7
		"f;Phi;trade;1;;",                       // 8
		"g;Chi;trade;1;ALPHA;",                  // 9
		"h;Eta;trade;1;~eta;",                   // 10
		"i;Iota;trade;1;{iota;",                 // 11
		"j;Kappa;trade;1;kappa;in lambda",       // 12
		"k;Mu;trade;1;mu;mu and alpha|alpha mu", // fine: both hold mu
		"l;Nu;trade",                            // 14
		"m;Xi;trade;1;xi;xi rho",
		"n;Rho;trade;1;xi rho;",                 // 16: stop phrase of m is a pattern of n
		"o;Pi;trade;1;a b c d e f g h i j k;",   // 17
		"p;Rho;trade;1;tau;",                    // 18: name of n
		"q;Phi;trade;1;phi|&psi|&mu and alpha;", // the last is a stop phrase of k
	)
	if err == nil {
		t.Fatal("no fault reported")
	}
	for _, want := range []string{
		`line 3: duplicate slug "a"`,
		`line 4: level "6" is not 1 to 5`,
		`line 5: kind "hobby"`,
		`line 6: skill d has no name`,
		`line 7: slug "E e"`,
		`line 8: skill f has no pattern`,
		`line 9: ambiguous pattern "alpha": a and g`,
		`line 10: skill h: weak patterns and required words`,
		`line 11: "{iota": braces`,
		`line 12: stop phrase "in lambda" holds no pattern of j`,
		`line 14: 3 fields`,
		`stop phrase "xi rho" is a pattern of n`,
		`line 17: pattern "a b c d e f g h i j k" has more than 10 words`,
		`line 18: ambiguous pattern "rho": n and p`,
		`pattern "&psi" is no wording of another skill`,
		`pattern "&mu and alpha" is no wording of another skill`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("fault %q is not reported in:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "line 13") {
		t.Errorf("line 13 has no fault:\n%v", err)
	}
}

func TestParseRefusesHeaderAndNothing(t *testing.T) {
	for _, text := range []string{"", "slug\tname\n", header + "\n"} {
		if _, err := ParseRegister(strings.NewReader(text), '\t'); err == nil {
			t.Errorf("%q was read without a fault", text)
		}
	}
}

func TestOwnRegister(t *testing.T) {
	r, err := parse("# a comment", "", "b-b;Beta blocks;trade;2;{red,blue} block{,s};", "a;Alpha;office;4;=Alpha;")
	if err != nil {
		t.Fatal(err)
	}
	want := []Skill{{"a", "Alpha", "office", 4, "Alpha"}, {"b-b", "Beta blocks", "trade", 2, "{red,blue} block{,s}"}}
	if diff := cmp.Diff(want, r.Skills()); diff != "" {
		t.Error(diff)
	}
	if got := slugs(r.Recognise("alpha Alpha blue blocks")); !slices.Equal(got, []string{"a", "b-b"}) {
		t.Error(got)
	}
	both, err := parse("a;Alpha;trade;1;&red block;", "b;Beta;trade;2;red block;")
	if err != nil {
		t.Fatal(err)
	}
	if got := slugs(both.Recognise("red block")); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("a wording of two skills asks for %v", got)
	}
	near, err := parse("a;Alpha;trade;1;&~red block;+kiln", "b;Beta;trade;2;red block;")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{"red block": {"b"}, "red block from a kiln": {"a", "b"}} {
		if got := slugs(near.Recognise(text)); !slices.Equal(got, want) {
			t.Errorf("%q asks for %v, want %v", text, got, want)
		}
	}
	if _, ok := r.FindSkill("b"); ok {
		t.Error("found a skill that is not there")
	}
}

func TestExpandBracesIsBounded(t *testing.T) {
	if _, err := expandBraces(strings.Repeat("{a,b}", 60)); err != errWordings {
		t.Errorf("2 to the 60 wordings: %v", err)
	}
}

func TestExpandBraces(t *testing.T) {
	for text, want := range map[string][]string{
		"a":          {"a"},
		"{a,b} c":    {"a c", "b c"},
		"x{,s}":      {"x", "xs"},
		"{a,b}{c,d}": {"ac", "ad", "bc", "bd"},
		"a}":         nil, "{a": nil, "{a{b}}": nil, "}{": nil, "{a}b}": nil,
	} {
		got, err := expandBraces(text)
		if (err != nil) != (want == nil) || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestCuePhrases: every cue list expands, and no two words of the vocabulary
// share a hash, which newCueLists relies on.
func TestCuePhrases(t *testing.T) {
	r := load(t)
	for _, list := range cueLines {
		for _, part := range strings.Split(list.text, "|") {
			texts, err := expandBraces(part)
			if err != nil || len(texts) == 0 {
				t.Errorf("%q: %v", part, err)
			}
			for _, text := range texts {
				for _, w := range splitWords(text) {
					if _, ok := r.words.add(foldWord(w)); !ok {
						t.Errorf("word %q shares a hash", w)
					}
				}
			}
		}
	}
}

// TestMatchName codes the labels of the national apprenticeship service's
// closed list, and labels with usual additions.
func TestMatchName(t *testing.T) {
	r := load(t)
	for name, want := range map[string]string{
		"Communication skills": "communication", "IT skills": "it-skills", "Attention to detail": "attention-to-detail",
		"Organisation skills": "organisation", "Customer care skills": "customer-care",
		"Problem solving skills": "problem-solving", "Presentation skills": "presentation",
		"Administrative skills": "administration", "Number skills": "number-skills",
		"Analytical skills": "analytical-skills", "Logical": "logical-thinking", "Team working": "team-working",
		"Creative": "creativity", "Initiative": "initiative", "Non judgemental": "non-judgemental",
		"Patience": "patience", "Physical fitness": "physical-fitness",
		"c-plus-plus": "c-plus-plus", "C++": "c-plus-plus", "R": "r-language", "Go": "go-language",
		"knowledge of Python": "python", "Good plumbing skills": "plumbing", "CSCS card": "cscs-card",
		"Basket weaving": "", "": "", "skills": "", "Python and SQL": "",
	} {
		if got, ok := r.MatchName(name); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", name, got, ok, want)
		}
	}
	for _, s := range r.Skills() {
		for _, label := range []string{s.Name, s.Slug, strings.ToUpper(s.Name)} {
			if got, _ := r.MatchName(label); got != s.Slug {
				t.Errorf("%q is coded %q, want %q", label, got, s.Slug)
			}
		}
	}
}

func TestLevelNames(t *testing.T) {
	var names []string
	for l := range Level(7) {
		names = append(names, l.Name())
	}
	if want := []string{"unknown", "entry", "basic", "working", "advanced", "expert", "unknown"}; !slices.Equal(names,
		want) {
		t.Error(names)
	}
	for years, want := range map[int]Level{0: LevelEntry, 1: LevelBasic, 2: LevelWorking, 4: LevelWorking,
		5: LevelAdvanced, 9: LevelAdvanced,
		10: LevelExpert, 99: LevelExpert} {
		if got := levelOfYears(years); got != want {
			t.Errorf("%d years: %s, want %s", years, got.Name(), want.Name())
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(header + "\na\tAlpha\ttrade\t1\talpha|=C++|~go > now\tgo to|+c\n")
	f.Add(header + "\na\t \ttrade\t9\t{x,{y}|é\t~\n# c\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRegister(strings.NewReader(text), '\t')
		if err != nil {
			return
		}
		for _, s := range r.Skills() {
			if got, ok := r.FindSkill(s.Slug); !ok || got != s || !s.Level.IsStated() || s.Name == "" {
				t.Errorf("bad skill %+v", s)
			}
		}
		r.Recognise(text)
	})
}

// Recognise is AppendRequiredSkills of a text without a title, with buffers of its own.
func (r *Register) Recognise(text string) []FoundSkill {
	return r.AppendRequiredSkills(nil, &MatchBuffers{}, "", text)
}

// MatchName returns the slug of the skill that Number codes a label to.
func (r *Register) MatchName(name string) (slug string, ok bool) {
	number, ok := r.FindIndexByLabel(name)
	if !ok {
		return "", false
	}
	return r.Slug(number), true
}
