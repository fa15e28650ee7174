package skill

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// labelled is a labelled advert.
type labelled struct {
	part      string
	fold      int
	words     []string // each once, those of the title with "^"
	count     int      // of words
	want      map[string]bool
	finds     map[string]likelyFind // by skill
	wordings  map[string]string     // of the finds
	sentences map[string][]string   // words, by the byte at which they begin
	beside    map[string][]string   // by skill, the words of the sentence of its find
}

// readLabelled reads the labelled adverts that are not held back. Those have no finds in view of
// which every known edition was mended.
func readLabelled(t *testing.T, r *Register) (adverts []*labelled) {
	t.Helper()
	recorded, byID := recordedAdverts(t), map[string]*labelled{}
	add := func(id, part, title, text string, labels []string) {
		a := &labelled{part: part, fold: len(adverts) % folds, want: wanted(t, r, id, labels)}
		a.read(r, title, text)
		adverts, byID[id] = append(adverts, a), a
	}
	for _, f := range rowsOf(t, "adverts.tsv") {
		if a := recorded[f[0]+"/"+f[1]]; f[2] != "held" {
			add(f[0]+"/"+f[1], f[2], a.title, a.read(f[2]), strings.Fields(strings.Join(f[3:], " ")))
		}
	}
	for _, a := range readWritten(t) {
		if a.Part == "tuned" {
			add(a.ID, "written", a.Title, a.Text, a.Labels)
		}
	}
	boards := map[[2]string][]string{}
	for _, l := range readLabels(t) {
		if key := [2]string{l.file, l.job}; l.asked {
			boards[key] = append(boards[key], l.skill)
		}
	}
	texts := map[string]map[string]string{}
	for _, key := range slices.SortedFunc(maps.Keys(boards), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		if texts[key[0]] == nil {
			texts[key[0]] = readBoard(t, filepath.Join("..", "..", "..", "..", "shared", "data", "B", key[0]))
		}
		add(key[0]+"/"+key[1], "boards", "", texts[key[0]][key[1]], boards[key])
	}
	for _, f := range rowsOf(t, "finds.tsv") {
		if byID[f[0]] == nil {
			t.Fatal(f[0])
		}
		byID[f[0]].readFinds(r, f[1:])
	}
	return adverts
}

func rowsOf(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows
}

// read reads the words of an advert that the register knows.
func (a *labelled) read(r *Register, title, text string) {
	s, begin := &Scratch{}, ""
	a.sentences = map[string][]string{}
	rd := reader{reg: r, text: s.join(title, text)}
	for token, ok := rd.next(); ok; token, ok = rd.next() {
		if token.gap&gapStop != 0 || begin == "" {
			begin = strconv.Itoa(int(token.start))
		}
		if a.count++; token.word == 0 {
			continue
		}
		word := r.words.words[token.word-1]
		a.sentences[begin] = append(a.sentences[begin], word)
		if int(token.start) < s.title {
			word = "^" + word
		}
		a.words = append(a.words, word)
	}
	slices.Sort(a.words)
	a.words = slices.Compact(a.words)
}

// readFinds reads finds as "skill:wording:hits:sentence", with a "t" behind the hits where the title has one.
func (a *labelled) readFinds(r *Register, finds []string) {
	a.finds, a.beside, a.wordings = map[string]likelyFind{}, map[string][]string{}, map[string]string{}
	for _, find := range finds {
		f := strings.Split(find, ":")
		a.wordings[f[0]] = f[1]
		a.finds[f[0]] = likelyFind{skill: int(r.bySlug[f[0]]), hits: int(f[2][0] - '0'), titled: strings.HasSuffix(f[2], "t"), finds: len(finds)}
		a.beside[f[0]] = a.sentences[f[3]]
	}
}

// measure counts what was found and what is left and added of it.
func (a *labelled) measure(r *Register, l *likely, before, after *tally) {
	s := &Scratch{}
	l.begin(s)
	for _, w := range a.words {
		bare, title := strings.CutPrefix(w, "^")
		l.note(s, r.words.numbers(bare)[0], title)
	}
	s.count = a.count
	enough := l.score(s)
	var was, is []Found
	for skill, f := range a.finds {
		if p := r.patternOf(skill, a.wordings[skill]); p >= 0 {
			f.wording = l.wording[p]
		}
		for _, w := range a.beside[skill] {
			f.beside += int32(l.byWord[r.words.numbers(w)[0]].beside)
		}
		was = append(was, Found{Skill: skill})
		if !enough || l.keeps(s, f) {
			is = append(is, Found{Skill: skill})
		}
	}
	for i, scored := range l.scored {
		skill := r.Slug(scored.number)
		if _, found := a.finds[skill]; enough && !found && l.adds(s.scores[i], len(a.finds)) {
			is = append(is, Found{Skill: skill})
		}
	}
	before.count(was, a.want, "")
	after.count(is, a.want, "")
}
