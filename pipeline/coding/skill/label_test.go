package skill

import "testing"

// TestSlugIsItsOwnLabel: the short way that MatchName takes for a slug gives what
// the long way gives.
func TestSlugIsItsOwnLabel(t *testing.T) {
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Skills() {
		if i, ok := r.matchLabel(s.Slug); !ok || r.skills[i].Slug != s.Slug {
			t.Errorf("%s: matched as %q, %v", s.Slug, r.skills[i].Slug, ok)
		}
	}
}

// TestNumbersAreInTheOrderOfSlugs: a skill's number is its place in the list of skills.
func TestNumbersAreInTheOrderOfSlugs(t *testing.T) {
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	skills := r.Skills()
	for i, s := range skills {
		if n, ok := r.FindIndexByLabel(s.Slug); !ok || n != i || r.Slug(n) != s.Slug {
			t.Errorf("%s has the number %d, %v; want %d", s.Slug, n, ok, i)
		}
		if i > 0 && skills[i-1].Slug >= s.Slug {
			t.Errorf("%s is not sorted after %s", s.Slug, skills[i-1].Slug)
		}
	}
	if _, ok := r.FindIndexByLabel("no such skill"); ok {
		t.Error("a label that no skill has was numbered")
	}
}

func BenchmarkMatchName(b *testing.B) {
	r, err := Load()
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"customer-care", "Good communication skills"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.MatchName(name)
			}
		})
	}
}
