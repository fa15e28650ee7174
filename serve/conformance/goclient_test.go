package conformance

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// peopleLine returns the line that the programs of the clients print of meta.people, which must be of
// twelve months.
func (s *server) peopleLine(t *testing.T) string {
	t.Helper()
	var answer struct {
		Meta struct {
			People struct{ From, To, Protection string }
		}
	}
	s.ok(t, "/v1/labour/skills-unmet?limit=1", &answer)
	p := answer.Meta.People
	from, err := time.Parse(time.DateOnly, p.From)
	if err != nil || from.AddDate(1, 0, -1).Format(time.DateOnly) != p.To {
		t.Fatalf("meta.people is of %s to %s: %v", p.From, p.To, err)
	}
	return "Figures about people are of " + p.From + " to " + p.To + " and " + p.Protection
}

// goAnswer is an answer with the Go types of its rows and its metadata.
type goAnswer struct{ row, meta, path string }

// The Go types, made of the document as the README says, hold every field of every answer. Each
// row of skills not met has its base, a band, and its margin, a number.
func TestGoTypesHoldTheAnswers(t *testing.T) {
	s := opened(t)
	answers := []goAnswer{{"SkillsUnmetRow", "PeopleMeta", "/v1/labour/skills-unmet?limit=200"},
		{"SkillsUnmetRow", "PeopleMeta", query("/v1/labour/skills-unmet", "skill", s.skill(t), "by", "place")},
		{"SkillsGapsRow", "Meta", "/v1/labour/skills-gaps"},
		{"CourseDemandRow", "Meta", "/v1/labour/course-demand?limit=5000&region=E09000007"},
		{"EvidenceRow", "Meta", "/v1/labour/evidence"},
		{"SourcesRow", "Meta", "/v1/labour/sources"}, {"RegionsRow", "Meta", "/v1/labour/regions"},
		{"JobsRow", "Meta", "/v1/jobs"}, {"PathwaysRow", "CountMeta", "/v1/pathways"},
		{"EventsRow", "EventsMeta", "/v1/events"}}
	if s.own != nil { // of another server its datasets may be closed
		answers = append(answers, goAnswer{"DemandRow", "Meta", "/v1/labour/demand"},
			goAnswer{"TrendsRow", "Meta", "/v1/labour/trends"}, goAnswer{"OutlookRow", "Meta", "/v1/labour/outlook"},
			goAnswer{"ReachRow", "Meta", "/v1/labour/reach"}, goAnswer{"SignalsRow", "Meta", "/v1/labour/signals"},
			goAnswer{"PrioritiesRow", "Meta", "/v1/labour/priorities"})
	}
	dir := t.TempDir()
	market := filepath.Join(dir, "labourmarket")
	if err := os.CopyFS(market, os.DirFS("../clients/go")); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module try\n\ngo 1.26\n"}
	var calls strings.Builder
	for i, a := range answers {
		files[itoa(i)+".json"] = string(s.get(t, a.path).body)
		calls.WriteString("\tholds[market." + a.row + ", market." + a.meta + "](" + strconv.Quote(itoa(i)+".json") +
			")\n")
	}
	files["main.go"] = strings.Replace(goReader, "CALLS", calls.String(), 1)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.run(t, market, "sh", "-c", "go run ./types < "+s.document(t, dir)+" > types.go")
	s.runReadme(t, dir)
	if said := s.run(t, dir, "go", "run", "."); said != "" {
		t.Error(said)
	}
}

// runReadme runs the program of the Go types' README, which says which year its figures about people
// describe.
func (s *server) runReadme(t *testing.T, dir string) {
	t.Helper()
	_, program := client(t, "go", "go")
	file := filepath.Join(dir, "readme", "main.go")
	program = strings.ReplaceAll(program, "place=camden", "place="+s.borough(t))
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(program), 0o600)); err != nil {
		t.Fatal(err)
	}
	if said, want := s.run(t, dir, "go", "run", "./readme"), s.peopleLine(t); !strings.Contains(said, want) {
		t.Errorf("the program did not print %q:\n%s", want, said)
	}
}

// goReader decodes answers into types, which must know every field and have rows.
const goReader = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	market "try/labourmarket"
)

func holds[Row, Meta any](file string) {
	var list market.List[Row, Meta]
	f, err := os.Open(file)
	if err == nil {
		d := json.NewDecoder(f)
		d.DisallowUnknownFields()
		err = d.Decode(&list)
	}
	if err != nil || len(list.Data) == 0 {
		fmt.Printf("%s, %T: %d rows, %v\n", file, list, len(list.Data), err)
	}
}

// based reports the rows without the base or the margin of their share.
func based(file string) {
	var list market.List[market.SkillsUnmetRow, market.PeopleMeta]
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		fmt.Println(file, err)
	}
	bands := []string{"5-19", "20-49", "50-99", "100-249", "250-999", "1000+"}
	for _, row := range list.Data {
		if !slices.Contains(bands, row.AdvertsBase) || row.AdvertsShareMarginPct <= 0 {
			fmt.Printf("%s: base %q, margin %v\n", row.Skill, row.AdvertsBase, row.AdvertsShareMarginPct)
		}
	}
}

func main() {
CALLS	based("0.json")
}
`
