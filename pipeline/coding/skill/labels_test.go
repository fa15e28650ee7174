package skill

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// label is one line of testdata/labels.tsv: whether an advert asks for a skill,
// judged by a person who read it.
type label struct {
	file, job, skill string
	asked            bool
}

// The floors stand a little below what was measured; see the package comment.
const (
	floorPrecision = 0.84
	floorRecall    = 0.86
)

func TestLabels(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "data", "B")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the recorded adverts ../shared/data/B are not here:", err)
	}
	r := load(t)
	asked := map[[2]string]map[string]bool{}
	for _, l := range readLabels(t) {
		key := [2]string{l.file, l.job}
		if asked[key] == nil {
			asked[key] = map[string]bool{}
		}
		if _, ok := r.FindSkill(l.skill); !ok {
			t.Fatalf("label names skill %q, which is not in the register", l.skill)
		}
		asked[key][l.skill] = l.asked
	}
	texts := map[string]map[string]string{}
	var tuned, held tally
	for key, want := range asked {
		if texts[key[0]] == nil {
			texts[key[0]] = readBoard(t, filepath.Join(root, key[0]))
		}
		text, ok := texts[key[0]][key[1]]
		if !ok {
			t.Fatalf("advert %s of %s is not in the recorded data", key[1], key[0])
		}
		side := &tuned
		if sha256.Sum256([]byte(key[1]))[0]%2 == 1 {
			side = &held
		}
		side.count(r.Recognise(text), want, key[1])
	}
	all := tally{adverts: tuned.adverts + held.adverts, right: tuned.right + held.right,
		wrong: tuned.wrong + held.wrong, missed: tuned.missed + held.missed}
	t.Logf("tuned on: %v", &tuned)
	t.Logf("held out: %v", &held)
	t.Logf("all:      %v", &all)
	if path := os.Getenv("SKILL_LABELS_OUT"); path != "" {
		notes := tuned.notes
		slices.Sort(notes)
		if err := os.WriteFile(path, []byte(strings.Join(notes, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if all.precision() < floorPrecision || all.recall() < floorRecall {
		t.Errorf("precision %.3f, recall %.3f; floors %.2f and %.2f", all.precision(), all.recall(), floorPrecision,
			floorRecall)
	}
}

// tally counts what was recognised against the labels. A skill without a label
// counts as not asked, so a new wrong match can never pass unseen.
type tally struct {
	adverts, right, wrong, missed int
	notes                         []string
}

func (y *tally) count(found []FoundSkill, want map[string]bool, job string) {
	y.adverts++
	seen := map[string]bool{}
	for _, f := range found {
		seen[f.Skill] = true
		if want[f.Skill] {
			y.right++
			continue
		}
		y.wrong++
		_, known := want[f.Skill]
		y.notes = append(y.notes, fmt.Sprintf("wrong\t%s\t%s\t%s\t%v", f.Skill, f.MatchedBy, job, known))
	}
	for skill, asked := range want {
		if asked && !seen[skill] {
			y.missed++
			y.notes = append(y.notes, "missed\t"+skill+"\t\t"+job)
		}
	}
}

func (y *tally) precision() float64 { return float64(y.right) / float64(max(1, y.right+y.wrong)) }
func (y *tally) recall() float64    { return float64(y.right) / float64(max(1, y.right+y.missed)) }
func (y *tally) String() string {
	return fmt.Sprintf("%d adverts, %d right, %d wrong, %d missed: precision %.3f, recall %.3f",
		y.adverts, y.right, y.wrong, y.missed, y.precision(), y.recall())
}

func readLabels(t *testing.T) []label {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "labels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []label
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if n == 1 {
			continue
		}
		if len(f) != 4 || f[3] != "yes" && f[3] != "no" {
			t.Fatalf("labels.tsv line %d: %q", n, lines.Text())
		}
		out = append(out, label{file: f[0], job: f[1], skill: f[2], asked: f[3] == "yes"})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// posting has the text fields of the three recorded board formats.
type posting struct {
	ID               json.RawMessage `json:"id"`
	DescriptionPlain string          `json:"descriptionPlain"`
	AdditionalPlain  string          `json:"additionalPlain"`
	Content          string          `json:"content"`
	Lists            []struct {
		Text    string `json:"text"`
		Content string `json:"content"`
	} `json:"lists"`
}

// readBoard gives the plain texts of a recorded board by advert id.
func readBoard(t *testing.T, path string) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Jobs []posting `json:"jobs"`
	}
	if raw[0] == '[' {
		err = json.Unmarshal(raw, &board.Jobs)
	} else {
		err = json.Unmarshal(raw, &board)
	}
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, p := range board.Jobs {
		parts := []string{p.DescriptionPlain, plain(html.UnescapeString(p.Content))}
		for _, l := range p.Lists {
			parts = append(parts, l.Text, plain(l.Content))
		}
		parts = append(parts, p.AdditionalPlain)
		texts[strings.Trim(string(p.ID), `"`)] = strings.Join(parts, "\n")
	}
	return texts
}

// plain strips the simple mark-up of the recorded boards: every tag but an
// inline one ends a line.
func plain(markup string) string {
	var out strings.Builder
	for {
		open := strings.IndexByte(markup, '<')
		if open < 0 {
			break
		}
		out.WriteString(markup[:open])
		end := strings.IndexByte(markup[open:], '>')
		if end < 0 {
			break
		}
		tag := strings.Trim(markup[open:open+end], "</")
		if name, _, _ := strings.Cut(tag, " "); !slices.Contains([]string{"b", "i", "em", "strong", "span", "a", "u"},
			name) {
			out.WriteByte('\n')
		}
		markup = markup[open+end+1:]
	}
	return html.UnescapeString(out.String() + markup)
}
