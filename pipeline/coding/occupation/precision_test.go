package occupation

import (
	"encoding/csv"
	"encoding/json"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is where real job boards' answers lie, seen from this folder; they
// are not part of the project.
const recorded = "../../../../shared/data/B"

// score counts what became of labelled titles.
type score struct{ titles, coded, right4, right2 int }

func (s *score) add(label, got string) {
	s.titles++
	if got == "" {
		return
	}
	s.coded++
	if label == got {
		s.right4++
	}
	if label != "-" && label[:2] == got[:2] {
		s.right2++
	}
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// The labels were given by hand to adverts of UK places picked by a fixed
// rule: one advert per board and title, FNV-1a of "board/id" divisible by 5. Of
// these, every advert whose hash divided by 5 is divisible by 3 is held out:
// it was labelled last, without seeing how it was coded, and nothing was
// changed in view of it. A title that a person could not label and the coder
// codes counts as wrong.
func TestPrecisionOnRealTitles(t *testing.T) {
	development, heldOut := measure(t, load(t))
	check(t, "development", development, 0.86, 0.90, 0.94)
	check(t, "held out", heldOut, 0.84, 0.80, 0.88)
}

// With the office's related titles beside the embedded ones, no part may get worse
// by more than a title or two.
func TestPrecisionWithTheOfficesTitles(t *testing.T) {
	grown, _ := load(t).WithTitles(officeTitles(t))
	development, heldOut := measure(t, grown)
	check(t, "development, with the office's titles", development, 0.86, 0.90, 0.94)
	check(t, "held out, with the office's titles", heldOut, 0.84, 0.80, 0.88)
}

func measure(t *testing.T, reg *Register) (development, heldOut score) {
	t.Helper()
	titles := realTitles(t)
	for _, row := range labels(t) {
		title, ok := titles[row[0]+"/"+row[1]]
		if !ok {
			t.Errorf("advert %s/%s is not in the recorded data", row[0], row[1])
			continue
		}
		part := &development
		if held(row[0] + "/" + row[1]) {
			part = &heldOut
		}
		part.add(row[2], reg.Code(title).SOC)
	}
	return development, heldOut
}

func check(t *testing.T, part string, s score, coded, at4, at2 float64) {
	t.Helper()
	t.Logf("%s: %d titles, %.3f coded, precision %.3f at 4 digits, %.3f at 2", part, s.titles,
		share(s.coded, s.titles), share(s.right4, s.coded), share(s.right2, s.coded))
	if share(s.coded, s.titles) < coded || share(s.right4, s.coded) < at4 || share(s.right2, s.coded) < at2 {
		t.Errorf("%s is under the floor: %.2f coded, %.2f at 4 digits, %.2f at 2", part, coded, at4, at2)
	}
}

func held(key string) bool {
	h := fnv.New32a()
	h.Write([]byte(key))
	return h.Sum32()/5%3 == 0
}

func labels(t *testing.T) [][]string {
	t.Helper()
	raw, err := os.ReadFile("testdata/labels.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != 3 || row[2] != "-" && len(row[2]) != 4 {
			t.Fatalf("label %q is not board, job id, unit group", line)
		}
		rows = append(rows, row)
	}
	return rows
}

// realTitles reads the titles of recorded adverts by "board/id".
func realTitles(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(recorded, "ashby", "uk-jobs-summary.csv"))
	if err != nil {
		t.Skip("the recorded job boards (../shared/data/B) are not there")
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	titles := map[string]string{}
	for _, row := range rows[1:] {
		titles[row[0]+"/"+row[1]] = row[2]
	}
	boards, err := filepath.Glob(filepath.Join(recorded, "greenhouse", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range boards {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var board struct {
			Jobs []struct {
				ID    json.Number `json:"id"`
				Title string      `json:"title"`
			} `json:"jobs"`
		}
		if err := json.Unmarshal(raw, &board); err != nil {
			t.Fatal(err)
		}
		for _, job := range board.Jobs {
			titles[strings.TrimSuffix(filepath.Base(path), ".json")+"/"+job.ID.String()] = job.Title
		}
	}
	return titles
}
