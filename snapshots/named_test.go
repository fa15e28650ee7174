package snapshots_test

import (
	"errors"
	"testing"

	"labour/snapshots"
)

func TestFindFile(t *testing.T) {
	for name, want := range map[string]string{"people": "tables/people.parquet", "reach": "embargoed/reach.parquet"} {
		table, file, err := snapshots.FindFile(name)
		if err != nil || table.Name != name || file != want {
			t.Errorf("%s: %s in %s, %v", name, table.Name, file, err)
		}
	}
	for name, nearest := range map[string]string{"advert": "adverts", "Skills_gap": "skills_gaps", "trend": "trends"} {
		_, _, err := snapshots.FindFile(name)
		var unknown *snapshots.UnknownNameError
		if !errors.As(err, &unknown) || unknown.Suggestion != nearest || unknown.Name != name {
			t.Errorf("%s: %v, want the nearest %s", name, err, nearest)
		}
	}
}

// TestUnknownNamesAreAnsweredWithTheNearest, if there is one.
func TestUnknownNamesAreAnsweredWithTheNearest(t *testing.T) {
	for nearest, want := range map[string]string{"": `there is no table "advert"`,
		"adverts": `there is no table "advert"; the nearest is "adverts"`} {
		err := &snapshots.UnknownNameError{NameKind: "table", Name: "advert", Suggestion: nearest}
		if got := err.Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestMostSimilar(t *testing.T) {
	for _, tt := range []struct {
		name  string
		names []string
		want  string
	}{{"care", nil, ""}, {"care", []string{"core", "bare"}, "bare"}, {"care", []string{"bare", "core"}, "bare"},
		{"sql", []string{"python", "sqlite"}, "sqlite"}, {"sql", []string{"sqlite", "a"}, "a"},
		{"sql", []string{"sql", "sqlite"}, "sql"}} {
		if got := snapshots.MostSimilar(tt.name, tt.names); got != tt.want {
			t.Errorf("nearest of %v to %s is %q, want %q", tt.names, tt.name, got, tt.want)
		}
	}
}
