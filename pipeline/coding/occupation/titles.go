package occupation

import (
	"bytes"
	_ "embed" // the coding index is part of the program
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"labour/sources"
)

// Added tells what became of the office's titles.
type Added struct {
	Titles    int // titles that are new
	Known     int // titles that are known already: the embedded code stays
	Qualified int // titles left out because they hold for one industry or duty only
	Ambiguous int // titles left out because the office gives them several codes
	Uncoded   int // titles left out because they have no words or no unit group
}

// WithTitles gives a register that also knows the titles of the Office for National Statistics: its
// coding index and its lists of related titles. The embedded titles win, since they are worded like
// adverts. A title of one word is taken as a whole title only: the index has "Engineer", which says
// nothing about other engineers. r itself is never changed.
func (r *Register) WithTitles(list []sources.OccupationTitle) (*Register, Added) {
	more := moreTitles{register: r, codes: map[string]string{}}
	for _, t := range list {
		more.take(t)
	}
	phrases := append(slices.Clone(r.index.phrases), more.phrases()...)
	return &Register{groups: r.groups, names: r.names, index: newIndex(phrases), model: r.model}, more.added
}

// WithGroups gives a register with the office's names of the groups, where they
// say more than the embedded ones in other capitals, and the codes of those that
// the register does not hold. These are left out: "unknown codes fail closed", and
// a code that appears in an edition has to be taken into the program first.
func (r *Register) WithGroups(list []sources.OccupationGroup) (grown *Register, unknown []string) {
	grown = &Register{groups: slices.Clone(r.groups), names: map[string]string{}, index: r.index, model: r.model}
	office := map[string]string{}
	for _, g := range list {
		if !r.Valid(g.SOC) {
			unknown = append(unknown, g.SOC)
			continue
		}
		office[g.SOC] = g.Name
	}
	for i, g := range grown.groups {
		if name, ok := office[g.Code]; ok && !strings.EqualFold(name, g.Name) {
			grown.groups[i].Name = name
		}
		grown.names[g.Code] = grown.groups[i].Name
	}
	slices.Sort(unknown)
	return grown, slices.Compact(unknown)
}

// moreTitles gathers the usable titles.
type moreTitles struct {
	register *Register
	added    Added
	order    []string
	codes    map[string]string // folded title -> unit group, "" if several
}

func (m *moreTitles) take(t sources.OccupationTitle) {
	words := foldWords(t.Title)
	if len(words) == 0 || len(t.SOC) != 4 || !m.register.Valid(t.SOC) {
		m.added.Uncoded++
		return
	}
	if t.Qualified {
		m.added.Qualified++
		return
	}
	if _, ok := m.register.index.find(words); ok {
		m.added.Known++
		return
	}
	key := strings.Join(words, " ")
	other, seen := m.codes[key]
	switch {
	case !seen:
		m.order = append(m.order, key)
		m.codes[key] = t.SOC
	case other != "" && other != t.SOC:
		m.codes[key] = ""
		m.added.Ambiguous++
	}
}

func (m *moreTitles) phrases() []phrase {
	var out []phrase
	for _, key := range m.order {
		if code := m.codes[key]; code != "" {
			words := strings.Split(key, " ")
			out = append(out, phrase{words: words, soc: code, whole: len(words) == 1})
		}
	}
	m.added.Titles = len(out)
	return out
}

// Source: Office for National Statistics, SOC 2020 coding index, licensed under the Open Government Licence v3.0.
//
//go:embed codingindex.tsv.gz
var codingIndex []byte

// officeTitles reads the coding index that the program carries: one line for each
// sub-unit group, with its code, name, description and titles.
func officeTitles() ([]phrase, error) {
	packed, err := gzip.NewReader(bytes.NewReader(codingIndex))
	if err != nil {
		return nil, fmt.Errorf("unpack the coding index: %w", err)
	}
	raw, err := io.ReadAll(packed)
	if err != nil {
		return nil, fmt.Errorf("unpack the coding index: %w", err)
	}
	out := make([]phrase, 0, 30_000)
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 || len(f[0]) < 4 {
			return nil, fmt.Errorf("read the coding index: line %q is not four columns", line)
		}
		soc := f[0][:4]
		for title := range strings.SplitSeq(f[3], "|") {
			if words := foldWords(title); len(words) > 0 {
				out = append(out, phrase{words: words, soc: soc})
			}
		}
	}
	return out, nil
}

// joinTitles returns the titles that are looked up whole: those of the coding index
// that have one unit group there, and the program's own. A title of one word from the
// coding index is no part of a longer one: "Engineer" says little about other engineers.
func joinTitles(own, office []phrase) []phrase {
	out := slices.Clone(own)
	place := make(map[string]int, len(own)+len(office))
	for i, p := range own {
		place[strings.Join(p.words, " ")] = i
	}
	codes := make(map[string]string, len(office)) // "" = several
	for _, p := range office {
		key := strings.Join(p.words, " ")
		if other, seen := codes[key]; seen && other != p.soc {
			codes[key] = ""
			continue
		}
		codes[key] = p.soc
	}
	for _, p := range office {
		key := strings.Join(p.words, " ")
		soc := codes[key]
		if soc == "" {
			continue
		}
		if i, known := place[key]; known {
			out[i].soc = soc
			continue
		}
		place[key] = len(out)
		p.whole = len(p.words) == 1
		out = append(out, p)
	}
	return out
}
