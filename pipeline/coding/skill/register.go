package skill

import (
	"bufio"
	"bytes"
	_ "embed" // the register is part of the program
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
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
	too      map[int32][]int32 // skills that a pattern asks for beside its own, by its index
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

// builder collects a register and the faults of its source.
type builder struct {
	reg    *Register
	line   int
	faults []error
	stops  map[string]int     // words of a stop phrase -> line
	too    map[string][]int32 // words of a pattern -> skills that it asks for beside its own
}

func newBuilder() *builder {
	const patterns = 1 << 16 // room for those of the program's register
	return &builder{stops: map[string]int{}, too: map[string][]int32{}, reg: &Register{bySlug: map[string]int32{}, too: map[int32][]int32{},
		patterns: make([]pattern, 0, patterns), labels: make(map[string]int32, patterns), words: newVocabulary(), phrases: newTrie(),
	}}
}

func (b *builder) fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Errorf("line %d: "+format, append([]any{b.line}, args...)...))
}

// signs are those within a pattern that direct the search.
var signs = strings.NewReplacer(">", " ", "=", "")

// wordings are patterns as a reader may see them, without the signs that direct the search.
func wordings(patterns string) string {
	var out []string
	for p := range strings.SplitSeq(patterns, "|") {
		if p = strings.TrimLeft(strings.TrimSpace(p), "=~@!&"); p != "" {
			out = append(out, strings.Join(strings.Fields(signs.Replace(p)), " "))
		}
	}
	return strings.Join(out, "|")
}

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// entry reads one line of the register.
func (b *builder) entry(fields []string) {
	if len(fields) != 6 {
		b.fault("%d fields, expected 6", len(fields))
		return
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	s := Skill{Slug: fields[0], Name: fields[1], Kind: Kind(fields[2]), Wordings: wordings(fields[4])}
	if level, err := strconv.ParseUint(fields[3], 10, 8); err != nil || !Level(level).Stated() {
		b.fault("level %q is not 1 to 5", fields[3])
	} else {
		s.Level = Level(level)
	}
	if !slugForm.MatchString(s.Slug) {
		b.fault("slug %q: lower-case letters, digits and single hyphens only", s.Slug)
	}
	if _, twice := b.reg.bySlug[s.Slug]; twice {
		b.fault("duplicate slug %q", s.Slug)
		return
	}
	if s.Name == "" {
		b.fault("skill %s has no name", s.Slug)
	}
	if !slices.Contains(kinds, s.Kind) {
		b.fault("kind %q is none of %v", s.Kind, kinds)
	}
	index := int32(len(b.reg.skills))
	b.reg.skills = append(b.reg.skills, s)
	b.reg.bySlug[s.Slug] = index
	b.wordings(index, fields[4], fields[5])
}

func (b *builder) wordings(index int32, patterns, contexts string) {
	s := b.reg.skills[index]
	own := b.parse(patterns)
	if len(own) == 0 {
		b.fault("skill %s has no pattern", s.Slug)
	}
	weak := false
	for i := range own {
		own[i].skill, own[i].near = index, index
		weak = weak || own[i].weak
		b.pattern(own[i])
	}
	b.label(index, s.Name)
	b.label(index, strings.ReplaceAll(s.Slug, "-", " "))
	var stops, required []string
	for _, c := range strings.Split(contexts, "|") {
		if word, ok := strings.CutPrefix(strings.TrimSpace(c), "+"); ok {
			required = append(required, word)
		} else {
			stops = append(stops, c)
		}
	}
	b.require(s.Slug, required, weak)
	for _, stop := range b.parse(strings.Join(stops, "|")) {
		if !slices.ContainsFunc(own, func(p pattern) bool { return strings.Contains(stop.text, p.text) }) {
			b.fault("stop phrase %q holds no pattern of %s", stop.text, s.Slug)
			continue
		}
		if stop.weak && !weak {
			b.fault("stop phrase %q is weak, but no pattern of %s is", stop.text, s.Slug)
		}
		if _, twice := b.stops[stop.text]; !twice {
			b.stops[stop.text], stop.near = b.line, index
			b.reg.patterns = append(b.reg.patterns, stop)
		}
	}
}

// parse expands and reads a "|" separated list of patterns.
func (b *builder) parse(list string) []pattern {
	var out []pattern
	for _, part := range strings.Split(list, "|") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		texts, err := expandBraces(part)
		if err != nil {
			b.fault("%q: %w", part, err)
			continue
		}
		for _, text := range texts {
			p, err := parsePattern(text)
			if err != nil {
				b.faults = append(b.faults, fmt.Errorf("line %d: %w", b.line, err))
				continue
			}
			out = append(out, p)
		}
	}
	return out
}

// pattern adds one pattern of a skill. The same words for two skills are a
// fault whatever their other signs, because a reader could not tell which is meant.
func (b *builder) pattern(p pattern) {
	if p.too {
		b.too[p.text] = append(b.too[p.text], p.skill)
		return
	}
	if owner, known := b.reg.labels[p.text]; known && owner != p.skill {
		b.fault("ambiguous pattern %q: %s and %s", p.text, b.reg.skills[owner].Slug, b.reg.skills[p.skill].Slug)
		return
	}
	b.reg.labels[p.text] = p.skill
	if !p.label {
		b.reg.patterns = append(b.reg.patterns, p)
	}
}

// label makes a name or slug known to Number.
func (b *builder) label(skill int32, text string) {
	if p, err := parsePattern("@" + text); err == nil {
		p.skill = skill
		b.pattern(p)
	}
}

// require notes the words of which one must stand near a weak pattern.
func (b *builder) require(slug string, words []string, weak bool) {
	if weak != (len(words) > 0) {
		b.fault("skill %s: weak patterns and required words need each other", slug)
	}
	var ids []uint32
	for _, word := range words {
		if id, ok := b.reg.words.add(foldWord(word)); ok {
			ids = append(ids, id)
		}
	}
	b.reg.required = append(b.reg.required, ids)
}

// finish builds the trie and gives the register, or every fault found.
func (b *builder) finish() (*Register, error) {
	if len(b.reg.skills) == 0 {
		b.faults = append(b.faults, errors.New("no skill in the register"))
	}
	var path []uint32
	owned := map[string]bool{} // patterns that ask for more than one skill
	for i := range b.reg.patterns {
		p := &b.reg.patterns[i]
		if owner, known := b.reg.labels[p.text]; p.skill < 0 && known {
			b.line = b.stops[p.text]
			b.fault("stop phrase %q is a pattern of %s", p.text, b.reg.skills[owner].Slug)
		}
		if skills := b.too[p.text]; len(skills) > 0 && p.skill >= 0 && !slices.Contains(skills, p.skill) {
			b.reg.too[int32(i)], owned[p.text] = skills, true
		}
		path = path[:0]
		for word := range strings.SplitSeq(p.text, " ") {
			id, ok := b.reg.words.add(word)
			if !ok {
				b.faults = append(b.faults, fmt.Errorf("word %q cannot be told from another one", word))
			}
			path = append(path, id)
		}
		b.reg.phrases.add(path, int32(i))
	}
	for text := range b.too {
		if !owned[text] {
			b.faults = append(b.faults, fmt.Errorf("pattern \"&%s\" is no wording of another skill", text))
		}
	}
	b.reg.patterns = slices.Clip(b.reg.patterns)
	b.reg.order()
	b.reg.cues = newCueLists(b.reg.words)
	if err := errors.Join(b.faults...); err != nil {
		return nil, err
	}
	return b.reg, nil
}
