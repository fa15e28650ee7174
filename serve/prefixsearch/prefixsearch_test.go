package prefixsearch

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatFindsWhat(t *testing.T) {
	for _, c := range []struct {
		search, name string
		finds        bool
	}{
		{"", "Anything", true}, {" - ", "Anything", true}, {"a", "", false},
		{"care", "Senior CARER", true}, {"are", "Senior carer", false}, {"assist care", "Care assistant", true},
		{"care care", "Care assistant", true}, {"care nurse", "Care assistant", false},
		{"developer", "Développeur", false}, {"develop", "Développeur", true}, {"ÎLE", "ile de france", true},
		{"kings", "King's Lynn", true}, {"king’s lynn", "Kings Lynn", true}, {"lynn", "King's-Lynn", true},
		{"c", "C++ developer", true}, {"c++", "C++ developer", true}, {"c++", "C# developer", false},
		{"c#", "c#", true},
		{"zoo", "Zookeeper", true}, {"zoo", "A Zookeeper", true}, {"9", "Band 9", true}, {"9", "Band 8", false},
		{"0", "Band 0", true}, {"0", "Band 1", false}, {"a", "b", false}, {"a", "Band 0", false}, {"a", "A-level",
			true}, {"a:", "Band A", true},
		{"лон", "Лондон", true}, {"лон", "Париж", false}, {"٣", "Level ٣", true}, {"٣", "Level ٤", false},
		{"z", "Anna", false}, {"2", "Level 2", true}, {"caerdydd", "Caerdydd", true},
		{"ffestiniog", "Blaenau Ffestiniog", true},
	} {
		if ParseSearch(c.search).Matches(NewName(c.name)) != c.finds {
			t.Errorf("%q finds %q: %v", c.search, c.name, !c.finds)
		}
	}
	if ParseSearch("b c").Matches(NewName("ab c")) || !ParseSearch("ab cd").Matches(NewName("ab", "cd")) ||
		ParseSearch("abcd").Matches(NewName("ab", "cd")) {
		t.Error("texts that belong together keep their words apart")
	}
}

// TestAgainstOracle compares with words cut at everything that is no letter.
func TestAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abAB 12-.,'+#")), 0, 20, -1)
		name, search := text.Draw(t, "name"), text.Draw(t, "search")
		cut := func(s string) []string {
			s = strings.ReplaceAll(strings.ToLower(s), "'", "")
			return strings.FieldsFunc(s, func(r rune) bool { return !strings.ContainsRune("ab12+#", r) })
		}
		want := true
		for _, asked := range cut(search) {
			found := false
			for _, word := range cut(name) {
				found = found || strings.HasPrefix(word, asked)
			}
			want = want && found
		}
		if ParseSearch(search).Matches(NewName(name)) != want {
			t.Fatalf("%q finds %q: %v", search, name, !want)
		}
	})
}

func BenchmarkNameOf(b *testing.B) {
	for b.Loop() {
		NewName("Senior care assistant (nights)", "Raddridge Couriers & Sons")
	}
}

func BenchmarkFinds(b *testing.B) {
	name, search := NewName("Senior care assistant (nights)", "Raddridge Couriers & Sons"), ParseSearch("care cour")
	for b.Loop() {
		search.Matches(name)
	}
}
