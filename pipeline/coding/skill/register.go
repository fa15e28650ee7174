package skill

import (
	"bytes"
	_ "embed" // for the register
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Kind is the subject of a skill, such as care or finance. Skills of the kind licence have
// only level 1.
type Kind string

// kinds are the allowed subjects of a skill, such as care and finance.
var kinds = []Kind{
	"technical", "engineering", "trade", "green", "care", "health", "education", "hospitality", "retail",
	"transport", "office", "finance", "legal", "creative", "beauty", "security", "cleaning", "sales",
	"management", "language", "transferable", "licence",
}

const (
	licence      Kind = "licence"
	transferable Kind = "transferable"
	language     Kind = "language"
	office       Kind = "office"
)

// Skill is one entry in the list of skills.
type Skill struct {
	// name in lower-case letters, digits and hyphens, such as project-management; never changes
	// once published
	Slug  string
	Name  string // name as shown to residents and planners
	Kind  Kind
	Level Level // level, 1 to 5, that is assumed for an advert that states none; 1 for a licence
	// Wordings are the words by which adverts ask for the skill, as readable text, separated by
	// "|".
	Wordings string
}

// IsLicence reports whether the skill is a licence, check or certificate. Its only level is 1,
// because a person either has it or not.
func (s *Skill) IsLicence() bool { return s.Kind == licence }

// LevelName returns the name of level l for this skill, such as "working". For a licence it returns
// "held", or "unknown" if l is not a level from 1 to 5.
func (s *Skill) LevelName(l Level) string {
	if s.IsLicence() && l.IsStated() {
		return "held"
	}
	return l.Name()
}

// Register is the list of skills with their wordings. It never changes, and is safe for concurrent
// use.
type Register struct {
	skills   []Skill // all skills, sorted by slug
	bySlug   map[string]int32
	patterns []pattern
	// indices of patterns that add a further skill, by the index of the pattern that they are
	// added to
	extraPatterns map[int32][]int32
	// indices of the skills that a stop phrase hides, by the index of its pattern
	stopIndex map[int32][]int32
	labels    map[string]int32 // index of the skill with a normalised name, slug or wording
	// index of the pattern for a normalised name; used only in lists of key words
	patternIndex map[string]int32
	// context words by index of the skill: a weak pattern counts only near one of them
	contextWords [][]uint32
	words        *vocabulary
	phrases      *trie // all patterns by their words, each with its index in patterns
	cues         *cueLists
}

// embedded is the built-in list of skills, as a tab-separated table. ParseRegister describes it.
//
//go:embed register.tsv
var embedded []byte

// Load returns the built-in list of skills.
func Load() (*Register, error) {
	r, err := ParseRegister(bytes.NewReader(embedded), '\t')
	if err != nil {
		return nil, fmt.Errorf("embedded skill register: %w", err)
	}
	return r, nil
}

// LoadFile reads an operator's own list of skills from a CSV file.
func LoadFile(path string) (*Register, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("register of skills: %w", err)
	}
	defer file.Close()
	r, err := ParseRegister(file, ',')
	if err != nil {
		return nil, fmt.Errorf("register of skills %s: %w", path, err)
	}
	return r, nil
}

// columns are the names of the columns of a skills file. A file may leave out the column
// `contexts`.
var columns = []string{"slug", "name", "kind", "level", "patterns", "contexts"}

// ParseRegister reads a list of skills as CSV, with the given separator. The header line names the
// columns: slug, name, kind, level, patterns and contexts. If the separator is a tab, lines that
// start with "#" are skipped and quotes have no meaning. All errors are returned together.
//
// Patterns are the wordings by which adverts require the skill. They are separated by "|" or line
// breaks. "{a,b}" means a or b. A context is one of two things:
//
//   - A stop phrase contains a pattern and hides the skill: "excel in" is not about Excel. It has no
//     effect on other skills.
//   - "+word" is a word that a weak pattern needs near it. Weak patterns begin with "~". A weak stop
//     phrase has no effect near such a word.
func ParseRegister(src io.Reader, comma rune) (*Register, error) {
	rows := csv.NewReader(src)
	rows.Comma, rows.FieldsPerRecord = comma, -1
	if comma == '\t' {
		rows.LazyQuotes, rows.Comment = true, '#'
	}
	header, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	b := newBuilder()
	if b.header(header); len(b.faults) > 0 {
		return nil, errors.Join(b.faults...)
	}
	var entries []entry
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return b.register(entries)
		}
		if err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		if b.line, _ = rows.FieldPos(0); len(row) != len(header) {
			b.fault("%d fields, expected %d", len(row), len(header))
			continue
		}
		e := entry{line: b.line, fields: make([]string, len(columns))}
		for i, column := range header {
			e.fields[slices.Index(columns, column)] = strings.TrimSpace(strings.ReplaceAll(row[i], "\n", "|"))
		}
		entries = append(entries, e)
	}
}

// Skills returns the skills of the register, sorted by slug.
func (r *Register) Skills() []Skill { return slices.Clone(r.skills) }

// Slugs returns the slugs of all skills, sorted.
func (r *Register) Slugs() (slugs []string) {
	for _, s := range r.skills {
		slugs = append(slugs, s.Slug)
	}
	return slugs
}

// Slug returns the slug of the skill at the given index in Register.Skills.
func (r *Register) Slug(number int) string { return r.skills[number].Slug }

// IsLicence reports whether the skill at the given index in Register.Skills is a licence.
func (r *Register) IsLicence(number int) bool { return r.skills[number].IsLicence() }

// FindSkill returns the skill with the given slug. It returns false if there is no such skill.
func (r *Register) FindSkill(slug string) (Skill, bool) {
	i, ok := r.bySlug[slug]
	if !ok {
		return Skill{}, false
	}
	return r.skills[i], true
}
