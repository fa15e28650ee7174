package onsgeography

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/fakepublishers"
	"labour/sources/sourcetest"
)

// TestChanges reads a table of changes: a council that was recoded, two that were
// merged, one that went on, and a joint code that is none.
func TestChanges(t *testing.T) {
	change := func(a, b, c string) row { return row{"LAD22CD": a, "LAD23CD": b, "LAD25CD": c, "LAD25NM": "x"} }
	_, run := portal(t, fakepublishers.NewArcGIS(map[string]fakepublishers.ArcGISTable{"CHANGES": {Rows: []row{
		change("E08000016", "E08000016", "E08000038"), change("E07000163", "E06000065", "E06000065"),
		change("E07000169", "E06000065", "E06000065"), change("E06000061 / E06000062", "E06000061", "E06000061"),
	}}}), []Service{{ServiceName: "CHANGES", CodeChangeKind: KindCouncil}})
	records, faults := run()
	var got []string
	for _, r := range records {
		c := r.(sources.AreaCodeChange)
		got = append(got, fmt.Sprint(c.Kind, " ", c.From, " ", c.To, " ", c.Edition))
	}
	want := []string{"council E08000016 E08000016 2023", "council E08000016 E08000038 2025",
		"council E07000163 E06000065 2023",
		"council E06000065 E06000065 2025", "council E07000169 E06000065 2023"}
	if diff := cmp.Diff(want, got); diff != "" || len(faults) != 1 || faults[0].Code != sources.FaultBadValue {
		t.Errorf("(- want, + got):\n%s\nfaults %+v", diff, faults)
	}
	_, run = portal(t, fakepublishers.NewArcGIS(sampleTables()),
		[]Service{{ServiceName: "CTRY", AreaKinds: []string{KindNation}},
			{ServiceName: "LAD_RGN", CodeChangeKind: KindCouncil}})
	if _, faults := run(); len(faults) < 2 || faults[0].Code != sources.FaultColumnMissing {
		t.Errorf("a table of one year: faults %+v", faults)
	}
}

// TestKnownChanges: with the default services a replaced code has its successor. Each code is an
// official one, and none leads back to itself.
func TestKnownChanges(t *testing.T) {
	changes, err := knownChanges()
	if err != nil {
		t.Fatal(err)
	}
	to := map[string][]string{}
	for _, c := range changes {
		if err := errors.Join(checkCode(KindCouncil, c.From), checkCode(KindCouncil, c.To)); err != nil || c.From == c.To ||
			c.Edition < "2017" {
			t.Errorf("%+v: %v", c, err)
		}
		to[c.From] = append(to[c.From], c.To)
	}
	for code, want := range map[string]string{"E07000163": "[E06000065]", "E08000016": "[E08000038]",
		"E07000190": "[E07000246]", "S12000015": "[S12000047]"} {
		if got := fmt.Sprint(to[code]); got != want {
			t.Errorf("%s became %s, want %s", code, got, want)
		}
	}
	for code := range to {
		for steps, at := 0, code; len(to[at]) > 0; steps++ {
			if at = to[at][0]; steps > 3 {
				t.Fatalf("%s leads nowhere", code)
			}
		}
	}
	for _, services := range [][]Service{nil, {{ServiceName: "LAD", AreaKinds: []string{KindCouncil}}}} {
		s, err := New(Config{Services: services})
		if err != nil {
			t.Fatal(err)
		}
		found, _, err := sourcetest.ReadExtract(s, sources.Extract{}, nil)
		if err != nil || (len(found) > 0) != (services == nil) {
			t.Errorf("services %v: %d records, %v", services, len(found), err)
		}
	}
}
