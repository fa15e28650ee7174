package skill

import (
	"bufio"
	"bytes"
	_ "embed" // the register is part of the program
	"fmt"
	"io"
	"slices"
	"strings"
)

// Kind groups skills for a reader of the register. It has one effect: no level
// is read for a licence, which a person holds or does not hold.
type Kind string

// kinds is the closed list of Skill.Kind.
var kinds = []Kind{
	"technical", "engineering", "trade", "green", "care", "health", "education", "hospitality", "retail",
	"transport", "office", "finance", "legal", "creative", "beauty", "security", "cleaning", "sales",
	"management", "language", "transferable", "licence",
}

const (
	licence      Kind = "licence"
	transferable Kind = "transferable"
)

// Skill is one entry of the register.
type Skill struct {
	Slug  string // lower-case letters, digits and hyphens; never changes once published
	Name  string // as shown to residents and planners
	Kind  Kind
	Level Level // reference level: the one usually asked for, 1 to 5
	// Wordings are its patterns without their signs, separated by "|".
	Wordings string
}

// Register is a validated list of skills made ready for recognising. It does
// not change after loading and may be used by many goroutines at once.
type Register struct {
	skills   []Skill
	bySlug   map[string]int32
	ordered  []int32 // indices of skills in the order of their slugs
	number   []int32 // the place in ordered, by index
	patterns []pattern
	too      map[int32][]int32 // by a pattern's index, the patterns that ask for another skill too
	labels   map[string]int32  // normalised label -> skill
	required [][]uint32        // per skill: words of which one must be near a weak pattern
	words    *vocabulary
	phrases  *trie // payload: index in patterns
	cues     *cueLists
}

//go:embed register.tsv
var embedded []byte

// header is the first line of a register file.
const header = "slug\tname\tkind\tlevel\tpatterns\tcontexts"

// Load reads the register that is part of the program.
func Load() (*Register, error) {
	r, err := Parse(bytes.NewReader(embedded))
	if err != nil {
		return nil, fmt.Errorf("embedded skill register: %w", err)
	}
	return r, nil
}

// Parse reads a register: tab-separated lines of slug, name, kind, reference
// level, patterns and contexts under a header line; empty lines and lines that
// start with "# " are passed over. Patterns and contexts are separated by "|";
// "{a,b}" is written out. A context is a stop phrase, which holds one of the
// skill's patterns and hides it ("excel in"), or "+word", a word of which one
// must stand near a weak pattern. A weak stop phrase gives way near such a word. All faults are reported at once, joined.
func Parse(src io.Reader) (*Register, error) {
	b := newBuilder()
	lines := bufio.NewScanner(src)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		b.line++
		text := strings.TrimSuffix(lines.Text(), "\r")
		switch {
		case b.line == 1 && text != header:
			b.fault("the header must be %q", header)
		case b.line == 1 || text == "" || strings.HasPrefix(text, "# "):
		default:
			b.entry(strings.Split(text, "\t"))
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read skill register: %w", err)
	}
	return b.finish()
}

// Skills lists the register sorted by slug.
func (r *Register) Skills() []Skill {
	out := make([]Skill, len(r.ordered))
	for n, i := range r.ordered {
		out[n] = r.skills[i]
	}
	return out
}

// order numbers the skills by their slugs.
func (r *Register) order() {
	r.ordered, r.number = make([]int32, len(r.skills)), make([]int32, len(r.skills))
	for i := range r.ordered {
		r.ordered[i] = int32(i)
	}
	slices.SortFunc(r.ordered, func(a, b int32) int { return strings.Compare(r.skills[a].Slug, r.skills[b].Slug) })
	for n, i := range r.ordered {
		r.number[i] = int32(n)
	}
}

// Slug is the slug of the skill with a number.
func (r *Register) Slug(number int) string { return r.skills[r.ordered[number]].Slug }

// Lookup finds a skill by its slug.
func (r *Register) Lookup(slug string) (Skill, bool) {
	i, ok := r.bySlug[slug]
	if !ok {
		return Skill{}, false
	}
	return r.skills[i], true
}

// labelled is the skill that has a normalised text, the words of which are path, as a
// label or as a pattern.
func (r *Register) labelled(text string, path []uint32) (skill int32, ok bool) {
	if skill, ok = r.labels[text]; ok {
		return skill, true
	}
	for _, p := range r.phrases.at(r.phrases.find(path)) {
		if skill = r.patterns[p].skill; skill >= 0 {
			return skill, true
		}
	}
	return 0, false
}
