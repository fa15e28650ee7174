package ledger

import (
	"fmt"
	"testing"
)

// BenchmarkSkillOfTheBook reads what was printed of one skill in eight quarters, 10,000
// numbers in each.
func BenchmarkSkillOfTheBook(b *testing.B) {
	book, err := Open(b.TempDir(), false)
	if err != nil {
		b.Fatal(err)
	}
	for q := range 8 {
		var entries []Entry
		for i := range 10_000 {
			entries = append(entries, Entry{Measure: i % 5, Signature: "place_soc", Place: fmt.Sprintf("borough-%d", i%36), Value: fmt.Sprint(1111 + i/36), From: 24312 + 3*q, To: 24324 + 3*q, N: int64(i % 97)})
		}
		var p Page
		if err := p.Add("care", entries); err != nil {
			b.Fatal(err)
		}
		if err := book.Append(fmt.Sprintf("2026-%02d", q), &p); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if all, err := book.Skill("care"); err != nil || len(all) != 80_000 {
			b.Fatal(len(all), err)
		}
	}
}
