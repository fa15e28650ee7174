package platform

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"labour/sources"
)

// maxProblems is how many problems of a line its fault names.
const maxProblems = 5

// errSyntax says that a line is not one JSON value in UTF-8.
var errSyntax = errors.New("the line is not JSON in UTF-8; write one JSON object per line")

// parser reads lines. It decides by itself, without a schema validator, because
// it runs once per line of the feed; a test holds it to the schemas. It is not
// safe for concurrent use.
type parser struct {
	scanner
	decoders map[Kind]decoder
	problems []problem
	dropped  int               // problems beyond maxProblems
	words    map[string]string // strings that come again and again
	held     block[sources.Held]
	asked    block[sources.AskedSkill]
}

// problem is how a value breaks the schema.
type problem struct {
	where string // the way to the value, from the object that is being read: skills[2].level
	what  string
}

func newParser() *parser {
	return &parser{words: map[string]string{}, decoders: map[Kind]decoder{
		Boroughs:     lineOf(&boroughs, func(v *sources.Borough) string { return v.Slug }),
		Adverts:      lineOf(&adverts, func(v *sources.Advert) string { return v.ID }),
		Residents:    lineOf(&residents, func(v *sources.Resident) string { return v.ID }),
		Applications: lineOf(&applications, func(v *sources.Application) string { return v.ID }),
		Events:       lineOf(&events, func(v *sources.Event) string { return v.ID }),
		Pathways:     lineOf(&pathways, func(v *sources.Pathway) string { return v.ID }),
		S106:         lineOf(&developments, func(v *sources.Development) string { return v.ID }),
	}}
}

// decoder reads a line of one kind: it becomes a record and its id, or an error that
// wraps errSyntax or says how the line breaks the schema.
type decoder func(p *parser, line string) (sources.Record, string, error)

// lineOf makes the decoder of one kind, for one parser.
func lineOf[T sources.Record](o *object[T], id func(*T) string) decoder {
	v, none := new(T), *new(T)
	return func(p *parser, line string) (sources.Record, string, error) {
		*v = none
		p.problems, p.dropped = p.problems[:0], 0
		if !utf8.ValidString(line) {
			return nil, "", errSyntax
		}
		p.reset(line)
		if err := o.read(p, v); err != nil || !p.atEnd() {
			return nil, "", errSyntax
		}
		if len(p.problems) > 0 {
			return nil, "", p.refusal()
		}
		return *v, id(v), nil
	}
}

// refusal is the error of a line with problems.
func (p *parser) refusal() error {
	var b strings.Builder
	for i, x := range p.problems {
		if i > 0 {
			b.WriteString("; ")
		}
		if x.where != "" {
			b.WriteString(x.where + " ")
		}
		b.WriteString(x.what)
	}
	if p.dropped > 0 {
		fmt.Fprintf(&b, "; and %d more", p.dropped)
	}
	return errors.New(b.String())
}

// problem notes how the value being read breaks the schema. It never holds the
// value itself, which may be a person's data.
func (p *parser) problem(format string, args ...any) {
	if len(p.problems) == maxProblems {
		p.dropped++
		return
	}
	p.problems = append(p.problems, problem{what: fmt.Sprintf(format, args...)})
}

// within puts one step before the way to the values of the problems from the first:
// the name of a property, or [2] for an element of a list.
func (p *parser) within(step string, first int) {
	for i := first; i < len(p.problems); i++ {
		where := &p.problems[i].where
		if *where != "" && (*where)[0] != '[' {
			*where = "." + *where
		}
		*where = step + *where
	}
}

// is checks the kind of the next value; another one is a problem and is skipped.
func (p *parser) is(want kind, word string) (bool, error) {
	switch kinds[p.peek()] {
	case want:
		return true, nil
	case isNull:
		p.problem("is null; leave the property out instead")
	default:
		p.problem("must be %s", word)
	}
	_, err := p.skip()
	return false, err
}

// word is keep for a string that comes again and again, and is kept once. The number
// kept is bounded.
func (p *parser) word(text string) string {
	if !p.own {
		return text
	}
	if s, ok := p.words[text]; ok {
		return s
	}
	s := p.keep(text)
	if len(p.words) < 1<<16 && len(s) <= 64 {
		p.words[s] = s
	}
	return s
}

// block hands out short lists of one large one, so that a list per line costs no
// allocation of its own.
type block[E any] struct{ all []E }

// begin makes room for a list of usual length, and says where it begins.
func (b *block[E]) begin() int {
	if cap(b.all)-len(b.all) < 16 {
		b.all = make([]E, 0, 128)
	}
	return len(b.all)
}

// next is the next element of the list.
func (b *block[E]) next() *E {
	n := len(b.all)
	if n == cap(b.all) {
		b.all = slices.Grow(b.all, 1)
	}
	b.all = b.all[:n+1]
	return &b.all[n]
}

// unknown refuses a property that the schema does not have.
func (p *parser) unknown(name string) {
	shown := name
	if r := []rune(shown); len(r) > 40 {
		shown = string(r[:40]) + "…"
	}
	if isPersonal(name) {
		p.problem("has the property %q, which looks like personal data: take it out of the feed", shown)
		return
	}
	p.problem("has the unknown property %q: take it out, or correct its name", shown)
}

// personal are parts of the names of properties that hold personal data.
var personal = []string{
	"name", "email", "mail", "phone", "mobile", "telephone", "contact", "address", "postcode", "birth", "dob", "age",
	"gender", "sex", "ethnic", "religio", "disab", "health", "nationality", "nino", "national_insurance", "photo",
	"cv", "resume", "linkedin", "recruiter", "ip",
}

// isPersonal says whether a word of the name is, or begins with, one of personal.
func isPersonal(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' })
	for _, w := range words {
		for _, x := range personal {
			if w == x || len(x) > 3 && strings.Contains(w, x) {
				return true
			}
		}
	}
	return strings.Contains(strings.ToLower(name), "national_insurance")
}
