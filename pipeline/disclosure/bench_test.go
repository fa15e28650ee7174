package disclosure

import "testing"

// BenchmarkSkill prints one common skill of a large city.
func BenchmarkSkill(b *testing.B) {
	w := world(1, 36, 160, 600, 8000)
	for b.Loop() {
		w.rules.Print(w.skill)
	}
}
