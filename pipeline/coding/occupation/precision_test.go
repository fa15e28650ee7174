package occupation

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recorded is where real adverts lie, seen from this folder; they are not part of
// the project.
const recorded = "../../../../shared/data"

// score counts what became of labelled titles.
type score struct{ titles, coded4, coded2, right4, right2 int }

// add counts a title with the unit groups that were given by hand ("-" where none
// could be).
func (s *score) add(label string, got Coding) {
	s.titles++
	if got.SOC == "" {
		return
	}
	s.coded2++
	right := func(digits int) bool {
		return slices.ContainsFunc(strings.Split(label, "|"),
			func(code string) bool { return strings.HasPrefix(code, got.SOC[:digits]) })
	}
	if right(2) {
		s.right2++
	}
	if len(got.SOC) == 4 {
		s.coded4++
		if right(4) {
			s.right4++
		}
	}
}

func share(part, whole int) float64 { return float64(part) / float64(max(1, whole)) }

// either is how far a share of n may be off, with a confidence of 95 %.
func either(p float64, n int) float64 { return 1.96 * math.Sqrt(p*(1-p)/float64(max(1, n))) }

// floors are the least shares that a part must reach.
type floors struct{ coded4, coded2, right4, right2 float64 }

func (s score) check(t *testing.T, part string, f floors) {
	t.Helper()
	coded4, coded2 := share(s.coded4, s.titles), share(s.coded2, s.titles)
	right4, right2 := share(s.right4, s.coded4), share(s.right2, s.coded2)
	t.Logf("%-22s %4d titles; coded %.2f to four digits, %.2f to two; right %.2f ± %.2f to four, %.2f ± %.2f to two",
		part, s.titles,
		coded4, coded2, right4, either(right4, s.coded4), right2, either(right2, s.coded2))
	if coded4 < f.coded4 || coded2 < f.coded2 || right4 < f.right4 || right2 < f.right2 {
		t.Errorf("%s is under its floor: %+v", part, f)
	}
}

// The labels of advert-titles.tsv were given by hand before the coder saw the
// titles. The part held out was never looked at again: nothing was changed in view
// of how its titles are coded. A title that a person could not label counts as wrong
// when it is coded.
func TestPrecisionOnAdvertTitles(t *testing.T) {
	reg, parts, groups := load(t), map[string]*score{"development": {}, "held out": {}, "blind": {}},
		map[string]*score{}
	for _, row := range advertTitles(t) {
		got := reg.CodeTitle(row.title)
		parts[row.part].add(row.label, got)
		if groups[row.group] == nil {
			groups[row.group] = &score{}
		}
		groups[row.group].add(row.label, got)
	}
	parts["development"].check(t, "development", floors{0.93, 0.99, 0.90, 0.91})
	parts["held out"].check(t, "held out", floors{0.92, 0.98, 0.82, 0.86})
	parts["blind"].check(t, "blind", floors{0.90, 0.98, 0.83, 0.91})
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		groups[group].check(t, group, floors{0.80, 0.90, 0.70, 0.75})
	}
}

// The groups of the careers service were given by its editors, several to many
// profiles, and some by an older reading of the classification.
func TestPrecisionOnCareersProfiles(t *testing.T) {
	reg, s := load(t), score{}
	for _, row := range table(t, "H/ncs-job-profiles-soc2020.csv") {
		if row[1] != "" {
			s.add(strings.ReplaceAll(row[1], " ", "|"), reg.CodeTitle(row[0]))
		}
	}
	s.check(t, "careers profiles", floors{0.96, 0.99, 0.87, 0.90})
}

// One advert per board and title, FNV-1a of "board/id" divisible by 5. Of these,
// every advert whose hash divided by 5 is divisible by 3 is held out.
func TestPrecisionOnBoards(t *testing.T) {
	reg, titles, development, heldOut := load(t), boardTitles(t), score{}, score{}
	for _, row := range labels(t, "testdata/labels.tsv") {
		title, ok := titles[row[0]+"/"+row[1]]
		if !ok {
			t.Errorf("advert %s/%s is not in the recorded data", row[0], row[1])
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(row[0] + "/" + row[1]))
		part := &development
		if h.Sum32()/5%3 == 0 {
			part = &heldOut
		}
		part.add(row[2], reg.CodeTitle(title))
	}
	development.check(t, "boards", floors{0.92, 0.98, 0.88, 0.88})
	heldOut.check(t, "boards, held out", floors{0.90, 0.97, 0.84, 0.86})
}

// advertTitle is a labelled title of an advert.
type advertTitle struct{ part, group, title, label string }

// sectorGroups are the categories of the sources, by words that they hold.
var sectorGroups = [...][2]string{
	{"health", "health"}, {"nhs", "health"}, {"nursing", "health"}, {"social", "social care"},
	{"charity", "social care"},
	{"teaching", "education"}, {"education", "education"}, {"school", "education"}, {"training", "education"},
	{"account", "finance"}, {"financ", "finance"}, {"bank", "finance"}, {"insurance", "finance"}, {"legal", "legal"},
	{"law", "legal"},
	{"it ", "technology"}, {"technology", "technology"}, {"engineering", "engineering"}, {"energy", "engineering"},
	{"manufactur", "engineering"},
	{"factory", "engineering"}, {"scien", "engineering"}, {"construction", "trades"}, {"maintenance", "trades"},
	{"motoring", "trades"},
	{"domestic", "trades"}, {"property", "property"}, {"estate", "property"}, {"hospitality", "hospitality"},
	{"catering", "hospitality"},
	{"travel", "hospitality"}, {"leisure", "hospitality"}, {"retail", "retail"}, {"fmcg", "retail"},
	{"logistics", "logistics"},
	{"purchasing", "logistics"}, {"sales", "sales"}, {"marketing", "sales"}, {"customer", "sales"},
	{"admin", "administration"}, {"hr", "administration"},
}

func sectorGroup(category string) string {
	for _, g := range sectorGroups {
		if strings.Contains(strings.ToLower(category)+" ", g[0]) {
			return g[1]
		}
	}
	return "other"
}

// advertTitles reads the labelled titles.
func advertTitles(t *testing.T) []advertTitle {
	t.Helper()
	given := map[string][]string{}
	for _, row := range labels(t, "testdata/advert-titles.tsv") {
		given[row[0]] = row[1:]
	}
	var out []advertTitle
	for _, row := range table(t, "H/advert-titles-by-sector.csv") {
		h := sha256.Sum256([]byte(strings.Join(row[:3], "|")))
		if l, ok := given[hex.EncodeToString(h[:8])]; ok {
			out = append(out, advertTitle{l[0], sectorGroup(row[1]), row[2], l[1]})
		}
	}
	return out
}

// labels reads a table of three columns whose lines that begin with # are remarks.
func labels(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(row) != 3 {
			t.Fatalf("%s: %q is not three columns", path, line)
		}
		rows = append(rows, row)
	}
	return rows
}

// table reads a recorded table without its header, or skips the test.
func table(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join(recorded, path))
	if err != nil {
		t.Skipf("the recorded data (../shared/data/%s) are not there", path)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// boardTitles reads the titles of recorded boards by "board/id".
func boardTitles(t *testing.T) map[string]string {
	t.Helper()
	titles := map[string]string{}
	for _, row := range table(t, "B/ashby/uk-jobs-summary.csv") {
		titles[row[0]+"/"+row[1]] = row[2]
	}
	boards, err := filepath.Glob(filepath.Join(recorded, "B", "greenhouse", "*.json"))
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
				ID    json.Number
				Title string
			}
		}
		if err := json.Unmarshal(raw, &board); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		for _, j := range board.Jobs {
			titles[name+"/"+j.ID.String()] = j.Title
		}
	}
	return titles
}
