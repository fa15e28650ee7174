package skill

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
)

// builder builds a register of skills from the rows of a file. It collects all errors in the rows.
type builder struct {
	reg    *Register
	line   int
	faults []error
	stops  map[string]int   // line of each stop phrase (a phrase that hides a skill), by its words
	stopAt map[string]int32 // index of each stop phrase in reg.patterns, by its words
	// indexes of the patterns that add a further skill where the wording of another skill is found; the
	// key is that wording
	extraPatterns map[string][]int32
	words         []uint32 // buffer for the numbers of a phrase's words, reused for the next phrase
}

func newBuilder() *builder {
	const patterns = 1 << 17 // enough for the built-in register
	return &builder{stops: map[string]int{}, stopAt: map[string]int32{}, extraPatterns: map[string][]int32{},
		reg: &Register{bySlug: map[string]int32{}, extraPatterns: map[int32][]int32{}, stopIndex: map[int32][]int32{},
			patterns: make([]pattern, 0, patterns), labels: map[string]int32{}, patternIndex: map[string]int32{},
			words: &vocabulary{byHash: newTable()}, phrases: newTrie(),
		}}
}

func (b *builder) fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Errorf("line %d: "+format, append([]any{b.line}, args...)...))
}

// inner removes the control characters ">" and "=" from inside the pattern of a skill.
var inner = strings.NewReplacer(">", " ", "=", "")

// wordings returns a list of patterns as readable text, without the characters that control
// matching.
func wordings(patterns string) string {
	var out []string
	for p := range strings.SplitSeq(patterns, "|") {
		if p = strings.TrimLeft(strings.TrimSpace(p), signs); p != "" {
			out = append(out, strings.Join(strings.Fields(inner.Replace(p)), " "))
		}
	}
	return strings.Join(out, "|")
}

// header checks the header line of a skills file. It records an error for each unknown or missing
// column. Only the column contexts is optional.
func (b *builder) header(header []string) {
	b.line = 1
	for _, column := range header {
		if !slices.Contains(columns, column) {
			b.fault("column %q is none of %v", column, columns)
		}
	}
	for _, column := range columns[:5] {
		if !slices.Contains(header, column) {
			b.fault("column %q is missing", column)
		}
	}
}

// entry is one row of a skills file. The order of its fields is that of the column names in the
// variable columns.
type entry struct {
	line   int
	fields []string
}

// register builds the register of skills from the rows. It returns all errors in the rows together.
func (b *builder) register(entries []entry) (*Register, error) {
	slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(a.fields[0], b.fields[0]) })
	for _, e := range entries {
		b.line = e.line
		b.entry(e.fields)
	}
	return b.finish()
}

func (b *builder) entry(fields []string) {
	s := Skill{Slug: fields[0], Name: fields[1], Kind: Kind(fields[2]), Wordings: wordings(fields[4])}
	if level, err := strconv.ParseUint(fields[3], 10, 8); err != nil || !Level(level).IsStated() {
		b.fault("level %q is not 1 to 5", fields[3])
	} else {
		s.Level = Level(level)
	}
	if !sources.IsSlug(s.Slug) {
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
		own[i].skill, own[i].contextSkill = index, index
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
		at, known := b.stopAt[stop.text]
		if !known {
			at = int32(len(b.reg.patterns))
			b.stops[stop.text] = b.line
			b.stopAt[stop.text] = at
			stop.contextSkill = index
			b.add(stop, b.path(stop.text))
		}
		b.reg.stopIndex[at] = append(b.reg.stopIndex[at], index)
	}
}

// parse returns the patterns of a list such as "sql|~go". It records an error for each faulty one.
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

// pattern adds one wording of a skill. It records an error if another skill already has the
// wording.
func (b *builder) pattern(p pattern) {
	if p.isExtra {
		b.extraPatterns[p.text] = append(b.extraPatterns[p.text], int32(len(b.reg.patterns)))
		b.reg.patterns = append(b.reg.patterns, p)
		return
	}
	path := b.path(p.text)
	owner, known := b.reg.skillOfLabel(p.text, path)
	switch {
	case known && owner != p.skill:
		b.fault("ambiguous pattern %q: %s and %s", p.text, b.reg.skills[owner].Slug, b.reg.skills[p.skill].Slug)
	case p.label:
		b.reg.labels[p.text] = p.skill
		if _, known := b.reg.patternIndex[p.text]; !known {
			b.reg.patternIndex[p.text] = int32(len(b.reg.patterns))
			b.reg.patterns = append(b.reg.patterns, p)
		}
	default:
		b.add(p, path)
	}
}

func (b *builder) add(p pattern, path []uint32) {
	b.reg.phrases.add(path, int32(len(b.reg.patterns)))
	b.reg.patterns = append(b.reg.patterns, p)
}

// path returns the vocabulary numbers of the words of a pattern. The next call overwrites the
// slice.
func (b *builder) path(text string) []uint32 {
	b.words = b.words[:0]
	for word := range strings.SplitSeq(text, " ") {
		id, ok := b.reg.words.add(word)
		if !ok {
			b.fault("word %q cannot be told from another one", word)
		}
		b.words = append(b.words, id)
	}
	return b.words
}

// label adds the name or slug of a skill as a label for Register.FindIndexByLabel.
func (b *builder) label(skill int32, text string) {
	if p, err := parsePattern("@" + text); err == nil {
		p.skill = skill
		b.pattern(p)
	}
}

// require records the context words of the skill with the given slug. A weak pattern of the skill
// counts only near one of them. It must be called once for each skill, in the order of the
// register. It records an error if a skill has weak patterns but no context words, or the reverse.
func (b *builder) require(slug string, words []string, hasWeakPatterns bool) {
	if hasWeakPatterns != (len(words) > 0) {
		b.fault("skill %s: weak patterns and required words need each other", slug)
	}
	var ids []uint32
	for _, word := range words {
		if id, ok := b.reg.words.add(foldWord(word)); ok {
			ids = append(ids, id)
		}
	}
	b.reg.contextWords = append(b.reg.contextWords, ids)
}

// finish makes the last checks of the register and returns it. If rows had errors, it returns all
// of them instead.
func (b *builder) finish() (*Register, error) {
	if len(b.reg.skills) == 0 {
		b.faults = append(b.faults, errors.New("no skill in the register"))
	}
	for _, p := range b.reg.patterns {
		if p.skill >= 0 {
			continue
		}
		if owner, known := b.reg.skillOfLabel(p.text, b.path(p.text)); known {
			b.line = b.stops[p.text]
			b.fault("stop phrase %q is a pattern of %s", p.text, b.reg.skills[owner].Slug)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(b.extraPatterns)) {
		owned := false
		for _, p := range b.reg.phrases.ends[b.reg.phrases.find(b.path(text))] {
			if b.reg.patterns[p].skill >= 0 {
				b.reg.extraPatterns[p], owned = b.extraPatterns[text], true
			}
		}
		if !owned {
			b.faults = append(b.faults, fmt.Errorf("pattern \"&%s\" is no wording of another skill", text))
		}
	}
	b.reg.patterns = slices.Clip(b.reg.patterns)
	b.reg.cues = newCueLists(b.reg.words)
	if err := errors.Join(b.faults...); err != nil {
		return nil, err
	}
	return b.reg, nil
}

// skillOfLabel returns the index of the skill with a normalised label or wording. path has the
// vocabulary numbers of the text's words. ok is false if there is no such skill.
func (r *Register) skillOfLabel(text string, path []uint32) (skill int32, ok bool) {
	if skill, ok = r.labels[text]; ok {
		return skill, true
	}
	for _, p := range r.phrases.ends[r.phrases.find(path)] {
		if skill = r.patterns[p].skill; skill >= 0 {
			return skill, true
		}
	}
	return 0, false
}
