package place

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// boardLocations are the location texts of the recorded boards, one for each job.
func boardLocations(t *testing.T) (texts []string) {
	t.Helper()
	for _, kind := range []string{"ashby", "greenhouse"} {
		files, err := filepath.Glob(filepath.Join(recorded, "B", kind, "*.json"))
		if err != nil || len(files) == 0 {
			t.Skip("no recorded boards: ", err)
		}
		for _, name := range files {
			var board struct {
				Jobs []struct{ Location json.RawMessage }
			}
			b, err := os.ReadFile(name)
			if err == nil {
				err = json.Unmarshal(b, &board)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			for _, j := range board.Jobs {
				var text string
				var named struct{ Name string }
				if json.Unmarshal(j.Location, &text) != nil && json.Unmarshal(j.Location, &named) == nil {
					text = named.Name
				}
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// Every job of a recorded board that names London and no borough counts in London.
func TestRecordedBoardsCountInLondon(t *testing.T) {
	councils := recordedCouncils(t)
	served := ServedArea{Slug: "capital", Name: "The capital"}
	for _, c := range councils {
		if slices.Contains(londonBoroughs, c.Name) {
			served.Councils = append(served.Councils, c.Code)
		}
	}
	g, faults := NewGazetteer(councils, nil, nil, served)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	placed, london := map[Precision]int{}, 0
	for _, text := range boardLocations(t) {
		c := codeText(g, text)
		if c.Country != CountryUK {
			continue
		}
		placed[c.Precision]++
		if strings.Contains(strings.ToLower(text), "london") && text != "Reading (London)" { // which is Reading
			london++
			inBorough := slices.ContainsFunc(c.Councils,
				func(code string) bool { return slices.Contains(served.Councils, code) })
			if !inBorough && !slices.Equal(c.ServedAreas, []string{"capital"}) {
				t.Errorf("%q: %+v", text, c)
			}
		}
	}
	t.Logf("British: %d in a council, %d in an area only, %d nowhere; %d name London", placed[PrecisionCouncil],
		placed[PrecisionArea], placed[PrecisionUnknown], london)
	if london == 0 {
		t.Error("no job names London")
	}
}
