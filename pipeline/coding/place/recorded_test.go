package place

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"labour/sources"
)

const recorded = "../../../../shared/data"

// recordedGazetteer is built from the 361 current councils of the recorded list.
func recordedGazetteer(t *testing.T) *Gazetteer {
	t.Helper()
	f, err := os.Open(filepath.Join(recorded, "F/geo-lookups-la_all_codes.csv"))
	if err != nil {
		t.Skip("the recorded data is not here (../shared/data): ", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var councils []sources.Area
	for _, r := range rows[1:] {
		if r[18] == "TRUE" {
			councils = append(councils, sources.Area{Code: r[0], Name: r[1], Kind: "council"})
		}
	}
	g, err := New(councils, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The country as the recorded Ashby boards state it in a field of their own
// judges what the free text alone says.
func TestCountryOnRecordedBoards(t *testing.T) {
	g := recordedGazetteer(t)
	files, err := filepath.Glob(filepath.Join(recorded, "B/ashby/*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("no recorded boards: ", err)
	}
	var right, wrong, unknown int
	for _, name := range files {
		var board struct {
			Jobs []struct {
				Location string
				Address  struct {
					PostalAddress struct{ AddressCountry string }
				}
			}
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &board); err != nil {
			t.Fatal(err)
		}
		for _, j := range board.Jobs {
			want := countryOf(j.Address.PostalAddress.AddressCountry)
			got := g.Code([]sources.Location{{Text: j.Location}}, false, &Memory{}).Country
			switch {
			case want == Unknown:
			case got == Unknown:
				unknown++
				t.Logf("unknown: %q (%s)", j.Location, j.Address.PostalAddress.AddressCountry)
			case got == want:
				right++
			default:
				wrong++
				t.Logf("wrong: %q is not %s", j.Location, j.Address.PostalAddress.AddressCountry)
			}
		}
	}
	t.Logf("free text alone: %d right, %d wrong, %d unknown", right, wrong, unknown)
	if decided := right + wrong; decided == 0 || float64(right)/float64(decided) < 0.98 {
		t.Errorf("precision of the country test is under 98 %%: %d right, %d wrong", right, wrong)
	}
}
