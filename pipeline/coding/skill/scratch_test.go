package skill

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestScratchIsClean: a used Scratch gives what a new one gives, also after
// another register of another size.
func TestScratchIsClean(t *testing.T) {
	r := load(t)
	small, err := ParseRegister(strings.NewReader(header+"\na\tA\ttrade\t1\talpha\t\n"), '\t')
	if err != nil {
		t.Fatal(err)
	}
	s := &MatchBuffers{}
	for _, text := range []string{sample, "alpha", "Benefits\nPython", "alpha Python", sample, ""} {
		for _, reg := range []*Register{r, small, r} {
			want := reg.Recognise(text)
			if got := reg.AppendRequiredSkills(nil, s, "", text); !slices.Equal(got, want) {
				t.Errorf("%q: reused %v, new %v", text, got, want)
			}
		}
	}
}

// TestSignForAnd: "and" is also written as a sign, and as HTML writes that.
func TestSignForAnd(t *testing.T) {
	r, err := ParseRegister(strings.NewReader(header+"\na\tA\ttrade\t1\talpha and beta\t\n"), '\t')
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"alpha and beta": 1, "Alpha & beta": 1, "alpha &amp; beta": 1,
		"alpha beta": 0, "alpha &beta": 0, "alpha, beta": 0} {
		if got := r.Recognise(text); len(got) != want {
			t.Errorf("%q: %v, want %d", text, got, want)
		}
	}
}

// TestEndlessSentence: a text without full stops is read to its end.
func TestEndlessSentence(t *testing.T) {
	r := load(t)
	text := strings.Repeat("no C python ", 3*longestSentence) + "plumbing"
	if got := slugs(r.Recognise(text)); !slices.Contains(got, "plumbing") || !slices.Contains(got, "python") {
		t.Error(got)
	}
}

func TestRecogniseAllocatesNothing(t *testing.T) {
	r := load(t)
	s := &MatchBuffers{}
	dst := r.AppendRequiredSkills(nil, s, "", sample)
	if n := testing.AllocsPerRun(20, func() { dst = r.AppendRequiredSkills(dst[:0], s, "", sample) }); n != 0 {
		t.Errorf("%v allocations per advert with grown buffers, want 0", n)
	}
}

// sample is an advert of our own making.
const sample = `Café & Kitchen Supervisor – Lewisham

Acme Example Kitchens feeds half of the borough. We are a family business.

About the role
You will run the kitchen, prepare food with five cooks, and keep stock control up to date in Excel.
• Commercial kitchen skills, at least 3 years' experience
• Level 2 food hygiene (essential); first aid is desirable but not essential
• Strong communication skills and attention to detail
• A driving licence is not needed
• We will teach you our till

What we offer
Staff meals, childcare vouchers, free gym and yoga, pension, dental care.
`

func FuzzRecognise(f *testing.F) {
	f.Add(sample)
	f.Add("C++ C# .NET c++11 a.b.c.d.e R&D ci/cd node.js. x.")
	f.Add("e\u0301\u0301 \xff\xfe ’s ʼ don’t İ ﬀ https:// http://")
	r, err := Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := r.Recognise(text)
		for i, x := range found {
			if _, ok := r.FindSkill(x.Skill); !ok || x.Level > LevelExpert || x.MatchedBy == "" {
				t.Errorf("impossible %+v", x)
			}
			if i > 0 && found[i-1].Skill >= x.Skill {
				t.Errorf("%q is not sorted after %q, each once", x.Skill, found[i-1].Skill)
			}
		}
		if !slices.Equal(found, r.Recognise(text)) {
			t.Error("two runs differ")
		}
		if utf8.ValidString(text) && !slices.Equal(slugs(found), slugs(r.Recognise(strings.ReplaceAll(text, "\n", "\r\n")))) {
			t.Error("line ends change what is found")
		}
	})
}

func BenchmarkRecognise(b *testing.B) {
	r := load(b)
	text := strings.Repeat(sample, 5)
	s := &MatchBuffers{}
	var dst []FoundSkill
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst = r.AppendRequiredSkills(dst[:0], s, "", text)
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(); err != nil {
			b.Fatal(err)
		}
	}
}
