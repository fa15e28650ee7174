package platform

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"labour/sources"
)

// maxProblems is how many problems of a line its fault names.
const maxProblems = 5

// errSyntax says that a line is not one JSON value in UTF-8.
var errSyntax = errors.New("the line is not JSON in UTF-8; write one JSON object per line")

// parser reads lines. It decides by itself, without a schema validator, because it runs once per
// line of the feed; a test holds it to the schemas. It is not safe for concurrent use.
type parser struct {
	line     strings.Reader
	json     *jsontext.Decoder // of line
	plain    []byte            // the last string, without quotation marks and escapes
	decoders map[Kind]decoder
	problems []problem
	dropped  int               // problems beyond maxProblems
	words    map[string]string // strings that come again and again
}

// problem is how a value breaks the schema.
type problem struct {
	where string // the way to the value, from the object that is being read: skills[2].level
	what  string
}

func newParser() *parser {
	p := &parser{words: map[string]string{}, decoders: map[Kind]decoder{
		Boroughs:     lineOf(&boroughs, func(v *sources.Borough) string { return v.Slug }),
		Adverts:      lineOf(&adverts, func(v *sources.Advert) string { return v.ID }),
		Residents:    lineOf(&residents, func(v *sources.Resident) string { return v.ID }),
		Applications: lineOf(&applications, func(v *sources.Application) string { return v.ID }),
		Events:       lineOf(&events, func(v *sources.Event) string { return v.ID }),
		Pathways:     lineOf(&pathways, func(v *sources.Pathway) string { return v.ID }),
		S106:         lineOf(&developments, func(v *sources.Development) string { return v.ID }),
	}}
	p.json = jsontext.NewDecoder(&p.line)
	return p
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
		p.line.Reset(line)
		// Objects name properties that stand twice; half of a pair of surrogates becomes U+FFFD.
		p.json.Reset(&p.line, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
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
func (p *parser) is(want jsontext.Kind, word string) (bool, error) {
	switch p.json.PeekKind() {
	case want:
		return true, nil
	case 'n':
		p.problem("is null; leave the property out instead")
	default:
		p.problem("must be %s", word)
	}
	return false, p.json.SkipValue()
}

// begins is is for a value that holds others, and goes into it.
func (p *parser) begins(want jsontext.Kind, word string) (bool, error) {
	ok, err := p.is(want, word)
	if ok {
		_, err = p.json.ReadToken()
	}
	return ok, err
}

// ends goes out of a value that holds others.
func (p *parser) ends() error {
	_, err := p.json.ReadToken()
	return err
}

// text reads a string. It is good until the next one is read.
func (p *parser) text() ([]byte, error) {
	raw, err := p.json.ReadValue()
	if err != nil || len(raw) < 2 {
		return nil, errSyntax
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 {
		p.plain = append(p.plain[:0], inner...)
		return p.plain, nil
	}
	p.plain, _ = jsontext.AppendUnquote(p.plain[:0], raw) // its one error is that half of a pair of surrogates became U+FFFD
	return p.plain, nil
}

// word is a string that comes again and again, and is kept once. The number kept is bounded.
func (p *parser) word(text []byte) string {
	if s, ok := p.words[string(text)]; ok {
		return s
	}
	s := string(text)
	if len(p.words) < 1<<16 {
		p.words[s] = s
	}
	return s
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

// object is the table of one JSON object's properties. At most 64.
type object[T any] struct {
	properties []property[T]
	// check looks at the whole, after everything was read without a problem.
	check func(p *parser, v *T)
}

// property is one property: its name, whether it must be there, and how it is read.
type property[T any] struct {
	name     string
	required bool
	read     func(p *parser, v *T) error
}

// need makes a property required.
func need[T any](x property[T]) property[T] {
	x.required = true
	return x
}

// read reads one object. The error is one of syntax; how the object breaks the
// schema goes to p.problem.
func (o *object[T]) read(p *parser, v *T) error {
	if ok, err := p.begins('{', "an object"); !ok {
		return err
	}
	before := len(p.problems)
	var seen uint64
	var unknown []string
	for next := 0; p.json.PeekKind() != '}'; {
		name, err := p.text()
		if err != nil {
			return err
		}
		i := o.find(name, next)
		if i < 0 {
			unknown = append(unknown, string(name))
			if err := p.json.SkipValue(); err != nil {
				return err
			}
			continue
		}
		noted := len(p.problems)
		if seen&(1<<i) != 0 {
			p.problem("stands twice")
		}
		seen, next = seen|1<<i, i+1
		if err := o.properties[i].read(p, v); err != nil {
			return err
		}
		p.within(o.properties[i].name, noted)
	}
	o.whole(p, v, seen, unknown, before)
	return p.ends()
}

// find looks a property up, beginning where an orderly exporter puts it.
func (o *object[T]) find(name []byte, next int) int {
	for n := range o.properties {
		if i := (next + n) % len(o.properties); string(name) == o.properties[i].name {
			return i
		}
	}
	return -1
}

// whole checks what concerns the object as a whole.
func (o *object[T]) whole(p *parser, v *T, seen uint64, unknown []string, before int) {
	for i := range o.properties {
		if x := &o.properties[i]; x.required && seen&(1<<i) == 0 {
			p.problem("lacks the property %q", x.name)
		}
	}
	slices.Sort(unknown)
	for _, name := range slices.Compact(unknown) {
		p.unknown(name)
	}
	if o.check != nil && len(p.problems) == before && p.dropped == 0 {
		o.check(p, v)
	}
}

// atEnd reports whether nothing is left of the line.
func (p *parser) atEnd() bool {
	_, err := p.json.ReadToken()
	return err == io.EOF
}
