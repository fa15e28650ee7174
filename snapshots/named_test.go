package snapshots_test

import (
	"errors"
	"testing"

	"labour/snapshots"
)

func TestFileNamed(t *testing.T) {
	for name, want := range map[string]string{"people": "tables/people.parquet", "reach": "embargoed/reach.parquet"} {
		table, file, err := snapshots.FileNamed(name)
		if err != nil || table.Name != name || file != want {
			t.Errorf("%s: %s in %s, %v", name, table.Name, file, err)
		}
	}
	for name, nearest := range map[string]string{"advert": "adverts", "Skills_gap": "skills_gaps", "trend": "trends"} {
		_, _, err := snapshots.FileNamed(name)
		var unknown *snapshots.UnknownError
		if !errors.As(err, &unknown) || unknown.Nearest != nearest || unknown.Name != name {
			t.Errorf("%s: %v, want the nearest %s", name, err, nearest)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		name  string
		names []string
		want  string
	}{{"care", nil, ""}, {"care", []string{"core", "bare"}, "bare"}, {"sql", []string{"python", "sqlite"}, "sqlite"}} {
		if got := snapshots.Nearest(tt.name, tt.names); got != tt.want {
			t.Errorf("nearest of %v to %s is %q, want %q", tt.names, tt.name, got, tt.want)
		}
	}
}
