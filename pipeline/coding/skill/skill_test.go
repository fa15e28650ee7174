package skill

import (
	"slices"
	"testing"
)

// load is the embedded register, or the end of the test.
func load(tb testing.TB) *Register {
	tb.Helper()
	r, err := Load()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// checkLevel checks the level of a skill that is found in a text.
func checkLevel(t *testing.T, r *Register, text, skill string, want Level) {
	t.Helper()
	found := r.Recognise(text)
	i := slices.IndexFunc(found, func(f FoundSkill) bool { return f.Skill == skill })
	if i < 0 {
		t.Errorf("%q: %s not found in %v", text, skill, found)
	} else if found[i].Level != want {
		t.Errorf("%q: %s at level %d (%s), want %d (%s)", text, skill, found[i].Level, found[i].Level.Name(), want,
			want.Name())
	}
}

func TestLoad(t *testing.T) {
	r := load(t)
	if n := len(r.Skills()); n < 320 {
		t.Errorf("%d skills, want 320 or more", n)
	}
}
