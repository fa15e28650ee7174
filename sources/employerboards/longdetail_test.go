package employerboards

import (
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/sourcetest"
)

// TestDetailThatIsTooLong is a fault, and its advert stays as the list has it; details of an advert
// that is not listed are not used.
func TestDetailThatIsTooLong(t *testing.T) {
	const whole, one, other = "smartrecruiters/b", "smartrecruiters/b/posting/p0", "smartrecruiters/b/posting/p9"
	s := connector(t, Config{Boards: []Board{{Vendor: "smartrecruiters", Token: "b", Employer: "B"}}})
	list := []byte(pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, 1), 1, ""))
	text := func(n int) []byte {
		return []byte(`{"id":"p0","jobAd":{"sections":{"jobDescription":{"text":"` + strings.Repeat("x", n) + `"}}}}`)
	}
	for n, faults := range map[int]int{5: 0, 1 << 20: 0, 1<<20 + 1: 1} {
		records, got, err := sourcetest.ReadExtract(s, sources.Extract{Objects: []sources.ArchivedObject{{Name: whole},
			{Name: one},
			{Name: other}}}, bodies{whole: list, one: text(n), other: []byte(`{"id":"p9"}`)})
		if err != nil || len(records) != 1 || len(got) != faults {
			t.Errorf("%d bytes: %d adverts, %d faults, %v", n, len(records), len(got), err)
			continue
		}
		want := n
		if faults > 0 {
			want = 0
		}
		if had := len(records[0].(sources.Advert).Text); had != want {
			t.Errorf("of %d bytes the advert has %d, want %d", n, had, want)
		}
	}
}
