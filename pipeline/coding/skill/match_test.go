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
		if slug, ok := r.matchLabel(s.Slug); !ok || slug != s.Slug {
			t.Errorf("%s: matched as %q, %v", s.Slug, slug, ok)
		}
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
