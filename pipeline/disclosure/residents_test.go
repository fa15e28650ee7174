package disclosure_test

import (
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/lattice"
	"labour/snapshots/figure"
)

func TestResidents(t *testing.T) {
	areas := disclosure.Rules{Lattice: lattice.New([]lattice.Area{{Slug: "north", Boroughs: []string{"a", "b"}}}, nil)}
	type row struct {
		place            string
		level            int
		residents, below int64
		want             string
	}
	for _, tt := range []struct {
		name  string
		rules disclosure.Rules
		rows  []row
	}{
		{"plain", disclosure.Rules{}, []row{{"", 3, 2000, 900, "45.0"}, {"a", 3, 1000, 400, "40.0"}, {"b", 3, 1000, 500, "50.0"}}},
		{"a small part needs a cover", disclosure.Rules{}, []row{{"", 3, 3000, 903, "30.0"}, {"a", 3, 1000, 3, "null"}, {"b", 3, 1000, 400, "null"}, {"c", 3, 1000, 500, "50.0"}}},
		{"so does the other part", disclosure.Rules{}, []row{{"", 3, 3000, 1897, "63.0"}, {"a", 3, 1000, 997, "null"}, {"b", 3, 1000, 400, "null"}, {"c", 3, 1000, 500, "50.0"}}},
		{"people outside every place", disclosure.Rules{}, []row{{"", 3, 2100, 903, "43.0"}, {"a", 3, 1000, 400, "null"}, {"b", 3, 1000, 500, "50.0"}}},
		{"A12 levels are a chain", disclosure.Rules{}, []row{{"", 2, 1200, 145, "null"}, {"", 3, 1200, 148, "12.0"}, {"", 4, 1200, 600, "50.0"}}},
		{"nothing below an area that is hidden", areas, []row{{"", 3, 900, 300, "33.0"}, {"north", 3, 300, 3, "null"}, {"a", 3, 150, 3, "null"}, {"b", 3, 150, 0, "null"}, {"c", 3, 300, 97, "null"}, {"d", 3, 300, 200, "65.0"}}},
	} {
		var in []disclosure.Population
		for _, r := range tt.rows {
			in = append(in, disclosure.Population{Place: r.place, Level: r.level, Residents: r.residents, Below: r.below})
		}
		shares, err := tt.rules.Residents("care", in)
		if err != nil {
			t.Fatal(err)
		}
		for i, share := range shares.Shares {
			got := "null"
			if share != nil {
				got = string(figure.AppendTenths(nil, *share))
			}
			if got != tt.rows[i].want {
				t.Errorf("%s: %+v prints %s", tt.name, tt.rows[i], got)
			}
		}
	}
}
