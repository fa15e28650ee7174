package sector

import (
	"encoding/csv"
	"os"
	"slices"
	"testing"

	"labour/pipeline/coding/occupation"
)

// Recorded apprenticeship standards state both a title and a route: the title
// coded to its occupation and from there to a sector should lead to that
// route. One unit group often feeds several routes, so agreement is far from
// whole; a fall under the floor means that a table or a rule broke.
func TestSectorByOccupationAgreesWithTheStatedRoute(t *testing.T) {
	rows := recordedStandards(t)
	reg := load(t)
	soc, err := occupation.Load()
	if err != nil {
		t.Fatal(err)
	}
	title, route := slices.Index(rows[0], "title"), slices.Index(rows[0], "route")
	resolved, agree := 0, 0
	for _, row := range rows[1:] {
		got, ok := reg.SlugOfSOC(soc.CodeTitle(row[title]).SOC)
		if !ok {
			continue
		}
		resolved++
		if want, _ := reg.SlugOfRoute(row[route]); got == want {
			agree++
		}
	}
	t.Logf("%d standards, %d resolved, %d agree", len(rows)-1, resolved, agree)
	if resolved*10 < (len(rows)-1)*6 || agree*100 < resolved*75 || agree*100 < (len(rows)-1)*68 {
		t.Errorf("%d of %d standards resolved, %d agree", resolved, len(rows)-1, agree)
	}
}

// recordedStandards are the rows of the recorded apprenticeship standards, their names
// first. Without them the test is skipped.
func recordedStandards(t *testing.T) [][]string {
	t.Helper()
	file, err := os.Open("../../../../shared/data/A/apprenticeship-standards-2021.csv")
	if err != nil {
		t.Skip("the recorded apprenticeship standards (../shared/data/A) are not there")
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
